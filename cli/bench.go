package cli

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/pprof"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/atomicfile"
	"plyfit/search"
)

// measure is one line of plyfit bench.
type measure struct {
	Name   string    `json:"name"`
	Game   string    `json:"game"`
	Agent  string    `json:"agent"`
	Unit   string    `json:"unit"`
	Median float64   `json:"median"`
	Runs   []float64 `json:"runs"` // in the order in which they ran; one where no clock has a say
	Nodes  int64     `json:"nodes,omitempty"`
	// Allocations per node, of a run after the first; absent where not measured.
	Allocations *float64 `json:"allocations,omitempty"`
}

// bench is a run of the command.
type bench struct {
	*app
	ctx     context.Context
	quick   bool
	vectors string
	out     func(measure) error
}

func (a *app) benchCommand() *cobra.Command {
	var asJSON, quick bool
	var vectors, profile string
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "The speed of this machine, and of the search on it",
		Long: `The speed of this machine, and of the search on it.

Times are CPU time of the process, medians of five runs or more. The signature
is the number of nodes of a fixed set of searches: it is the same on every
machine, and moves only when something else is searched than before.`,
		Example: `  plyfit bench --quick
  plyfit bench --json --vectors DIR > bench.jsonl
  plyfit bench --profile default.pgo`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, args []string) error {
			b := &bench{app: a, ctx: cmd.Context(), quick: quick, vectors: vectors}
			if profile != "" {
				return b.profile(profile)
			}
			if asJSON {
				b.out = func(m measure) error { return writeJSON(a.stdout, m) }
				return b.all()
			}
			table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			b.out = func(m measure) error { return printMeasure(table, m) }
			if err := b.all(); err != nil {
				return err
			}
			return failed(table.Flush())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a measure")
	cmd.Flags().BoolVar(&quick, "quick", false, "shorter runs, and none of the slow measures")
	cmd.Flags().StringVar(&vectors, "vectors", "", "folder that holds connect4/Test_L3_R1.txt and Test_L2_R1.txt: solve those, too")
	cmd.Flags().StringVar(&profile, "profile", "", "measure nothing, but write a CPU profile of all searches to this file, for a profile-guided build")
	cmd.MarkFlagsMutuallyExclusive("profile", "json")
	return cmd
}

func printMeasure(w io.Writer, m measure) error {
	allocations := ""
	if m.Allocations != nil {
		allocations = fmt.Sprintf("%.3g allocations/node", *m.Allocations)
	}
	spread := ""
	if len(m.Runs) > 1 {
		spread = fmt.Sprintf("(%.4g to %.4g)", slices.Min(m.Runs), slices.Max(m.Runs))
	}
	median := fmt.Sprintf("%.4g", m.Median)
	if m.Median >= 1000 {
		median = fmt.Sprintf("%.0f", m.Median)
	}
	_, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", m.Name, median, m.Unit, spread, allocations)
	return failed(err)
}

// trial is a set of searches by one agent.
type trial struct {
	game, agent string
	at          []string // positions; nil: the start
	wander      int      // or so many positions, each after some random moves from the start
}

// trials are what is timed, game by game: every algorithm that suits it. Those
// of games that the catalog does not list are left out.
var trials = []trial{
	{game: "connect4", agent: "minimax:depth=6"},
	{game: "connect4", agent: "alphabeta:depth=10", wander: 4},
	{game: "connect4", agent: "mcts:simulations=5000"},
	{game: "connect4:dice=on", agent: "expectimax:depth=4", wander: 4},
	{game: "connect4+adversary", agent: "maxn:depth=6"},
	{game: "tictactoe", agent: "minimax:depth=9"},
	{game: "tictactoe", agent: "alphabeta:depth=9"},
	{game: "othello", agent: "alphabeta:depth=7", wander: 4},
	{game: "othello", agent: "mcts:simulations=2000"},
	{game: "checkers", agent: "alphabeta:depth=9", wander: 4},
	{game: "chess", agent: "minimax:depth=3"},
	{game: "chess", agent: "alphabeta:depth=5", wander: 4},
	{game: "backgammon", agent: "expectimax:depth=1", wander: 4},
	{game: "pig", agent: "expectimax:depth=8", wander: 4},
	{game: "pig:players=3", agent: "maxn:depth=5"},
	{game: "pig:players=3", agent: "paranoid:depth=5"},
	{game: "2048", agent: "expectimax:depth=2", wander: 4},
	{game: "2048", agent: "expectimax:depth=3,leaf=afterstate", wander: 4},
	{game: "2048+slip=0.2", agent: "expectimax:depth=2", wander: 2},
	{game: "2048+adversary", agent: "alphabeta:depth=3", wander: 2},
	{game: "2048", agent: "mcts:simulations=2000"},
	{game: "pacman", agent: "expectimax:depth=2", wander: 2},
	{game: "minesweeper:rows=4,columns=4,mines=4", agent: "expectimax:depth=2", wander: 2},
}

// signed are the searches whose nodes make the signature. What they visit is
// the same on every machine: either they compare whole numbers alone, or they
// cut nothing, so that no rounding can send them another way.
var signed = []trial{
	{game: "connect4", agent: "minimax:eval=zero,depth=5"},
	{game: "connect4", agent: "alphabeta:eval=zero,depth=9,order=natural,table=off"},
	{game: "connect4", agent: "alphabeta:eval=zero,depth=12", wander: 3},
	{game: "connect4:score=distance", agent: "alphabeta:eval=zero,depth=42", at: []string{"44445326222666"}},
	{game: "connect4:dice=on", agent: "expectimax:eval=zero,depth=3,prune=none,table=off"},
	{game: "tictactoe", agent: "minimax:eval=zero,depth=9"},
	{game: "tictactoe", agent: "alphabeta:eval=zero,depth=9,order=natural,table=off"},
	{game: "tictactoe", agent: "maxn:eval=zero,depth=6,prune=none"},
	{game: "othello", agent: "alphabeta:eval=zero,depth=5", wander: 3},
	{game: "checkers", agent: "alphabeta:eval=zero,depth=7", wander: 3},
	{game: "pig", agent: "expectimax:eval=zero,depth=6,prune=none,table=off,leaf=afterstate"},
	{game: "pig:players=3", agent: "maxn:eval=zero,depth=4,prune=none"},
	{game: "2048", agent: "expectimax:eval=zero,depth=2,prune=none,table=off", wander: 2},
	{game: "2048+slip=0.2", agent: "expectimax:eval=zero,depth=1,prune=none,table=off", wander: 2},
}

// searcher is a trial with its agent and its positions.
type searcher struct {
	trial
	agent  search.Agent
	states []game.State
}

// listed tells whether the catalog has the game of a spec.
func (a *app) listed(t trial) bool {
	name := t.game
	for i, c := range name {
		if c == ':' || c == '+' {
			name = name[:i]
			break
		}
	}
	return slices.ContainsFunc(a.catalog, func(e catalog.Entry) bool { return e.Name == name })
}

func (a *app) searcher(t trial, o catalog.AgentOptions) (*searcher, error) {
	w, err := a.catalog.World(t.game)
	if err != nil {
		return nil, err
	}
	player, err := w.Agent(t.agent, o)
	if err != nil {
		return nil, err
	}
	s := &searcher{trial: t}
	if s.agent, err = player.New(); err != nil {
		return nil, err
	}
	for _, text := range t.at {
		at, err := w.Parse(text)
		if err != nil {
			return nil, err
		}
		s.states = append(s.states, at)
	}
	random := rand.New(rand.NewPCG(5, 5))
	for range t.wander {
		s.states = append(s.states, wander(w.Game, random, 2+random.IntN(24)))
	}
	if len(s.states) == 0 {
		s.states = append(s.states, w.New())
	}
	return s, nil
}

// wander plays n random moves from the start, nature's included, and fewer
// where the game would end before.
func wander(g *game.Game, random *rand.Rand, n int) game.State {
	s := g.New()
	var moves []game.Move
	for range n {
		moves = s.Moves(moves[:0])
		s.Play(moves[random.IntN(len(moves))])
		if s.Turn() == game.Nobody {
			s.Undo()
			break
		}
	}
	return s.Clone()
}

// tally is what the searches of a trial add up to.
type tally struct {
	nodes, evaluations, searches int64
	values                       []float64
}

// run searches every position once, from an empty table each.
func (s *searcher) run(ctx context.Context) (t tally, err error) {
	for _, at := range s.states {
		s.agent.Begin(0)
		r, err := s.agent.Search(ctx, at)
		if err != nil {
			return t, fmt.Errorf("%s, %s: %w", s.game, s.trial.agent, err)
		}
		t.nodes += r.Nodes
		t.evaluations += r.Stats.Evaluations
		t.searches++
		t.values = append(t.values, r.Value)
	}
	return t, ctx.Err()
}

// signature is the number of nodes that plyfit bench prints under that name.
func (a *app) signature(ctx context.Context) (nodes int64, err error) {
	for _, t := range signed {
		s, err := a.searcher(t, catalog.AgentOptions{})
		if err != nil {
			return 0, err
		}
		sum, err := s.run(ctx)
		if err != nil {
			return 0, err
		}
		nodes += sum.nodes
	}
	return nodes, nil
}

// rate turns what happened in so many CPU seconds into the unit measured.
type rate struct {
	unit string
	of   func(t tally, seconds float64) float64
}

var (
	nodesASecond   = rate{"nodes/s", func(t tally, s float64) float64 { return float64(t.nodes) / s }}
	nanoseconds    = rate{"ns/node", func(t tally, s float64) float64 { return 1e9 * s / float64(t.nodes) }}
	triedASecond   = rate{"tried/s", func(t tally, s float64) float64 { return float64(t.evaluations) / s }}
	decidedASecond = rate{"decided/s", func(t tally, s float64) float64 { return float64(t.searches) / s }}
)

const runs = 5

// time repeats the searches of s in five runs, each of at least 100 ms of CPU
// time (3 in a quick bench), or of one repetition, and reports each rate.
func (b *bench) time(name string, s *searcher, rates ...rate) error {
	least := 100 * time.Millisecond
	if b.quick {
		least = 3 * time.Millisecond
	}
	if _, err := s.run(b.ctx); err != nil { // buffers grow, memory warms
		return err
	}
	measures := make([]measure, len(rates))
	var allocations float64
	for i := range runs {
		var sum tally
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var took time.Duration
		for begin := cpuTime(); took < least; took = cpuTime() - begin {
			t, err := s.run(b.ctx)
			if err != nil {
				return err
			}
			sum.nodes, sum.evaluations, sum.searches = sum.nodes+t.nodes, sum.evaluations+t.evaluations, sum.searches+t.searches
		}
		runtime.ReadMemStats(&after)
		if a := float64(after.Mallocs-before.Mallocs) / float64(sum.nodes); i == 0 || a < allocations {
			allocations = a
		}
		for k, r := range rates {
			measures[k].Runs = append(measures[k].Runs, r.of(sum, took.Seconds()))
		}
		measures[0].Nodes = sum.nodes * int64(len(s.states)) / sum.searches
	}
	for k, m := range measures {
		m.Name, m.Game, m.Agent, m.Unit = name, s.game, s.trial.agent, rates[k].unit
		m.Median = median(m.Runs)
		m.Nodes = measures[0].Nodes
		m.Allocations = &allocations
		if err := b.out(m); err != nil {
			return err
		}
	}
	return nil
}

func median(x []float64) float64 {
	sorted := slices.Sorted(slices.Values(x))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// all is every measure.
func (b *bench) all() error {
	sets, err := b.scoreSets()
	if err != nil {
		return err
	}
	nodes, err := b.signature(b.ctx)
	if err != nil {
		return err
	}
	if err := b.out(measure{Name: "signature", Unit: "nodes", Median: float64(nodes), Runs: []float64{float64(nodes)}, Nodes: nodes}); err != nil {
		return err
	}
	for _, t := range trials {
		if !b.listed(t) {
			continue
		}
		s, err := b.searcher(t, catalog.AgentOptions{})
		if err != nil {
			return err
		}
		if err := b.time(t.game+" "+t.agent, s, nodesASecond); err != nil {
			return err
		}
	}
	return b.yardsticks(sets)
}

// profile writes a CPU profile over all searches, each for the same time, the
// yardsticks for three times as long: other systems are held to those.
func (b *bench) profile(path string) error {
	share := 600 * time.Millisecond
	if b.quick {
		share = 30 * time.Millisecond
	}
	return runFailure(atomicfile.Write(path, func(w io.Writer) error {
		if err := pprof.StartCPUProfile(w); err != nil {
			return failed(err)
		}
		defer pprof.StopCPUProfile()
		for _, t := range trials {
			if err := b.repeat(t, share); err != nil {
				return err
			}
		}
		for _, t := range yardsticks {
			if err := b.repeat(t, 3*share); err != nil {
				return err
			}
		}
		return nil
	}))
}

// repeat runs a trial over and over for a share of CPU time.
func (b *bench) repeat(t trial, share time.Duration) error {
	if !b.listed(t) {
		return nil
	}
	s, err := b.searcher(t, catalog.AgentOptions{})
	if err != nil {
		return err
	}
	for begin := cpuTime(); cpuTime()-begin < share; {
		if _, err := s.run(b.ctx); err != nil {
			return err
		}
	}
	return nil
}
