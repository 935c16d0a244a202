package bench

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"plyfit/catalog"
	"plyfit/internal/failure"
	"plyfit/internal/process"
)

// Boards of 2048 from the beginning of a game to its end.
var boards2048 = []string{
	"0012/0000/0100/0000 player 0", "1003/0214/1357/2468 player 0", "0001/0123/2356/789a player 0",
	"1000/3200/4610/8a92 player 0", "0012/1134/2465/379b player 0",
}

// opening31 is the start of backgammon after a roll of 3 and 1.
const opening31 = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"

// yardsticks are the searches whose speed on other systems is known: the
// textbook's alpha-beta and expectimax visit the nodes that OpenSpiel's do, and
// 2048 is decided to fixed depths as by nneonneo's player.
var yardsticks = []trial{
	{game: "connect4", agent: "alphabeta:eval=zero,depth=11,order=natural,table=off"},
	{game: "pig", agent: "expectimax:eval=zero,depth=6,prune=none,table=off,leaf=afterstate"},
	{game: "2048", agent: "expectimax:depth=1,leaf=afterstate", at: boards2048},
	{game: "2048", agent: "expectimax:depth=2,leaf=afterstate", at: boards2048},
	{game: "2048", agent: "expectimax:depth=3,leaf=afterstate", at: boards2048},
	{game: "2048", agent: "expectimax:depth=4,leaf=afterstate", at: boards2048},
	{game: "2048", agent: "expectimax:depth=3,leaf=afterstate,table=off", at: boards2048},
	{game: "2048", agent: "expectimax:depth=2,leaf=afterstate,prune=none,table=off", at: boards2048},
	{game: "2048", agent: "expectimax:depth=3,leaf=afterstate,prune=none,table=off", at: boards2048},
}

// yardsticks measures them, and what pruning and the table save.
func (b *Bench) yardsticks(ctx context.Context, sets []scoreSet) error {
	for _, t := range yardsticks {
		if !b.listed(t) || b.Quick && (strings.Contains(t.agent, "depth=3") || strings.Contains(t.agent, "depth=4")) {
			continue
		}
		s, err := b.searcher(t, catalog.AgentOptions{})
		if err != nil {
			return err
		}
		rates := []rate{nanoseconds}
		if t.game == "2048" { // every move whose result is evaluated was tried
			rates = []rate{triedASecond, decidedASecond}
		}
		if err := b.time(ctx, "yardstick "+t.game+" "+t.agent, s, rates...); err != nil {
			return err
		}
	}
	if err := b.solved(ctx, sets); err != nil {
		return err
	}
	if err := b.saved(ctx); err != nil || b.Quick {
		return err
	}
	return b.stopped(ctx)
}

// scoreSet is a test set of connect four: positions and their exact scores.
type scoreSet struct {
	name      string
	positions []string
	scores    []float64
}

// scoreSets are those in the folder that --vectors names.
func (b *Bench) scoreSets() (sets []scoreSet, err error) {
	if b.Vectors == "" {
		return nil, nil
	}
	for _, name := range []string{"Test_L3_R1", "Test_L2_R1"} {
		set := scoreSet{name: name}
		set.positions, set.scores, err = readScores(filepath.Join(b.Vectors, "connect4", name+".txt"))
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// solved is the CPU time that exact solutions of the sets take, one search after
// the other; a wrong score is an error.
func (b *Bench) solved(ctx context.Context, sets []scoreSet) error {
	for _, set := range sets {
		for _, complete := range []bool{false, true} {
			if err := b.solve(ctx, set, complete); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *Bench) solve(ctx context.Context, set scoreSet, complete bool) error {
	t := trial{game: "connect4:score=distance", agent: "alphabeta:eval=zero,depth=42", at: set.positions}
	s, err := b.searcher(t, catalog.AgentOptions{Complete: complete})
	if err != nil {
		return err
	}
	m := Measurement{Name: "solve " + set.name, Game: t.game, Agent: t.agent, Unit: "CPU s"}
	if complete {
		m.Name += ", all best moves"
	}
	for range runs {
		m.Nodes = 0
		begin := process.CPUTime()
		s.agent.Begin(0) // one table for the whole set, as Pons' solver has it
		for i, at := range s.states {
			r, err := s.agent.Search(ctx, at)
			if err != nil {
				return err
			}
			if r.Value != set.scores[i] || !r.Exact {
				return failure.Of(fmt.Errorf("%s: position %s: value %v (exact: %v), want %v", set.name, set.positions[i], r.Value, r.Exact, set.scores[i]))
			}
			m.Nodes += r.Nodes + r.BestNodes
		}
		m.Runs = append(m.Runs, (process.CPUTime() - begin).Seconds())
	}
	m.Median = median(m.Runs)
	return b.Out(m)
}

// readScores reads lines of a position and its score.
func readScores(path string) (positions []string, scores []float64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("--vectors: %w", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		position, text, ok := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		score, err := strconv.ParseFloat(text, 64)
		if !ok || err != nil {
			return nil, nil, fmt.Errorf("%s:%d: want a position and its score", path, n)
		}
		positions, scores = append(positions, position), append(scores, score)
	}
	return positions, scores, lines.Err()
}

// saving compares an agent with the plain one: the share of its nodes that the
// other saves, at equal values.
type saving struct {
	name         string
	plain, other trial
	slow         bool
}

func savings() (list []saving) {
	for _, c := range []struct {
		trial
		depth int
		slow  bool
	}{
		{trial{game: "connect4:dice=on", walk: 20}, 3, false},
		{trial{game: "connect4:dice=on", walk: 20}, 4, true},
		{trial{game: "connect4:dice=on", walk: 20}, 5, true},
		{trial{game: "backgammon", walk: 5}, 2, true},
		{trial{game: "backgammon", at: []string{opening31}}, 3, true},
	} {
		plain := c.trial
		plain.agent = fmt.Sprintf("expectimax:depth=%d,prune=none", c.depth)
		for _, rule := range []string{"star1", "star2"} {
			other := plain
			other.agent = fmt.Sprintf("expectimax:depth=%d,prune=%s", c.depth, rule)
			list = append(list, saving{fmt.Sprintf("saved by %s, %s, depth %d", rule, c.game, c.depth), plain, other, c.slow})
		}
	}
	for _, w := range []struct {
		game  string
		depth int
		slow  bool
	}{{"pig", 6, false}, {"pig:target=30", 6, false}, {"2048", 3, true}, {"2048:size=3", 4, true}} {
		plain := trial{game: w.game, agent: fmt.Sprintf("expectimax:depth=%d,prune=none,table=off", w.depth), walk: 5}
		table, all := plain, plain
		table.agent = fmt.Sprintf("expectimax:depth=%d,prune=none", w.depth)
		all.agent = fmt.Sprintf("expectimax:depth=%d", w.depth)
		list = append(list,
			saving{fmt.Sprintf("saved by the table, %s, depth %d", w.game, w.depth), plain, table, w.slow},
			saving{fmt.Sprintf("saved by table, order and bounds, %s, depth %d", w.game, w.depth), plain, all, w.slow})
	}
	return list
}

// saved reports savings in nodes, which no clock has a say in. Values that are
// not equal are an error.
func (b *Bench) saved(ctx context.Context) error {
	known := map[string]tally{} // of the plain agents
	for _, c := range savings() {
		if !b.listed(c.plain) || b.Quick && c.slow {
			continue
		}
		key := c.plain.game + " " + c.plain.agent
		plain, ok := known[key]
		if !ok {
			s, err := b.searcher(c.plain, catalog.AgentOptions{})
			if err != nil {
				return err
			}
			if plain, err = s.run(ctx); err != nil {
				return err
			}
			known[key] = plain
		}
		s, err := b.searcher(c.other, catalog.AgentOptions{})
		if err != nil {
			return err
		}
		other, err := s.run(ctx)
		if err != nil {
			return err
		}
		for i, v := range other.values {
			if want := plain.values[i]; !(math.Abs(v-want) <= 1e-9*math.Max(1, math.Abs(want))) {
				return failure.Of(fmt.Errorf("%s: value %v at %s, want %v", c.name, v, s.states[i], want))
			}
		}
		percent := 100 * (1 - float64(other.nodes)/float64(plain.nodes))
		m := Measurement{Name: c.name, Game: c.other.game, Agent: c.other.agent, Unit: "% of nodes", Median: percent, Runs: []float64{percent}, Nodes: other.nodes}
		if err := b.Out(m); err != nil {
			return err
		}
	}
	return nil
}

// stopped reports how many milliseconds after their limit searches by time
// answer: the 99th of a hundred, over all games of the catalog. This is time by
// the clock, and a crowded machine shows. An answer that is no legal move is an
// error.
func (b *Bench) stopped(ctx context.Context) error {
	for _, limit := range []time.Duration{time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond} {
		m := Measurement{Name: fmt.Sprintf("late after %v, all games", limit), Unit: "ms (99%)"}
		for range runs {
			var late []float64
			for i := range b.Catalog {
				for _, kind := range []string{"alphabeta", "expectimax"} {
					t := trial{game: b.Catalog[i].Name, agent: fmt.Sprintf("%s:time=%v", kind, limit), walk: 5}
					s, err := b.searcher(t, catalog.AgentOptions{})
					if err != nil {
						return err
					}
					for _, at := range s.states {
						begin := time.Now()
						r, err := s.agent.Search(ctx, at)
						late = append(late, float64(time.Since(begin)-limit)/1e6)
						if err != nil {
							return err
						}
						if at.Turn() >= 0 && !slices.Contains(at.Moves(nil), r.Move) {
							return failure.Of(fmt.Errorf("%s, %s: no legal move after %v at %s", t.game, t.agent, limit, at))
						}
					}
				}
			}
			slices.Sort(late)
			m.Runs = append(m.Runs, max(0, late[(len(late)*99+99)/100-1]))
		}
		m.Median = median(m.Runs)
		if err := b.Out(m); err != nil {
			return err
		}
	}
	return nil
}
