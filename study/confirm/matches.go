package confirm

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/report"
	"plyfit/search"
	"plyfit/study"
)

// match is the hypothesis that A is better than B, in pairs of games with common luck.
type match struct {
	ID      string  `json:"id"`
	Claim   string  `json:"claim"`
	Game    string  `json:"game"`
	A       string  `json:"a"` // an agent, or an evaluation that the planner plays with
	B       string  `json:"b"`
	Planner string  `json:"planner,omitempty"` // "": the game's usual one
	Margin  float64 `json:"margin,omitempty"`  // A scores more than so much above even; below 0: is not worse by so much
	Pairs   int     `json:"pairs"`             // of games
	Plies   int     `json:"plies"`             // random decisions at a pair's beginning

	world *catalog.World
	a, b  search.Factory
}

// batchPairs is how many pairs are one observation: enough for their mean to be about
// normal, and for an opening that comes twice to matter little.
const batchPairs = 20

// Bounds of what a match may ask, the upper ones far above what anyone can wait for.
const (
	leastPairs = 5 * batchPairs
	mostPairs  = 10_000_000
	mostPlies  = 1000
)

func (m *match) check(key string, games catalog.Catalog) (err error) {
	if m.world, err = games.World(m.Game); err != nil {
		return fmt.Errorf("key %s.game: %w", key, err)
	}
	m.Planner = cmp.Or(m.Planner, m.world.Planner())
	if m.a, err = m.world.Entrant(m.A, m.Planner); err != nil {
		return fmt.Errorf("key %s.a: %w", key, err)
	}
	if m.b, err = m.world.Entrant(m.B, m.Planner); err != nil {
		return fmt.Errorf("key %s.b: %w", key, err)
	}
	switch {
	case m.Claim == "":
		return wrong(key+".claim", "a sentence", m.Claim)
	case m.a.Identity == m.b.Identity:
		return wrong(key+".b", "another agent than a", m.B)
	case m.world.Base().Players == 1 && m.world.Players == 2:
		return wrong(key+".game", "a game without an adversary in nature's place", m.Game)
	case m.Pairs < leastPairs || m.Pairs > mostPairs || m.Pairs%batchPairs != 0:
		return wrong(key+".pairs", fmt.Sprintf("a multiple of %d from %d to 10,000,000", batchPairs, leastPairs), m.Pairs)
	case m.Plies < 0 || m.Plies > mostPlies:
		return wrong(key+".plies", "decisions, 0 to 1,000", m.Plies)
	}
	return nil
}

func (p *Protocol) models() (paths []string) {
	for _, m := range p.Matches {
		for _, text := range []string{m.A, m.B, m.Planner} {
			for _, name := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",=()", r) }) {
				if _, err := os.Stat(name); err == nil && strings.HasSuffix(name, ".json") {
					paths = append(paths, name)
				}
			}
		}
	}
	return paths
}

type batchKey struct {
	Match string `json:"match"`
	Game  string `json:"game"`
	A     string `json:"a"` // agents with the digests of their models
	B     string `json:"b"`
	Plies int    `json:"plies"`
	Batch int    `json:"batch"`
	Pairs int    `json:"pairs"`
	Seed  uint64 `json:"seed"`
}

// batch is what A made of some pairs.
type batch struct {
	Match  string  `json:"-"`
	Number int     `json:"-"`
	Pairs  int     `json:"pairs"`
	Score  float64 `json:"score"` // A's mean share of the points, or what it got more than B
	Even   float64 `json:"even"`  // the score of equals
	Faults int     `json:"faults"`
}

func (m *match) play(ctx context.Context, k batchKey) (batch, error) {
	r, err := arena.Run(ctx, arena.Config{Game: m.world.Game, A: m.a, B: m.b, Pairs: k.Pairs, Openings: arena.Openings{Plies: k.Plies}, Seed: game.Seed(k.Seed, uint64(k.Batch))})
	if err != nil {
		return batch{}, err
	}
	if r.Conclusion == arena.Nothing {
		return batch{}, fmt.Errorf("match %s: %s", m.ID, r.Sentence)
	}
	out := batch{Pairs: k.Pairs, Score: r.Score.Value, Faults: r.FaultsA.All() + r.FaultsB.All()}
	if r.Measure == arena.Wins {
		out.Even = 0.5
	}
	return out, nil
}

// playMatches plays all matches. Who plays is kept as a cell of its own, so that a run
// does not go on with agents that have changed.
func (p *Protocol) playMatches(ctx context.Context, s *study.Session) (out []batch, err error) {
	for _, m := range p.Matches {
		met, err := study.Cells(ctx, s, p.title("agents"), []string{m.ID}, nil, func(context.Context, string) ([2]string, error) {
			return [2]string{m.a.Identity, m.b.Identity}, nil
		})
		if err != nil {
			return nil, err
		}
		if now := [2]string{m.a.Identity, m.b.Identity}; met[0] != now {
			return nil, fmt.Errorf("match %s was begun by %s against %s, now these are %s and %s: want the same agents to the end", m.ID, met[0][0], met[0][1], now[0], now[1])
		}
		var keys []batchKey
		for i := range m.Pairs / batchPairs {
			keys = append(keys, batchKey{m.ID, m.world.Spec, m.a.Identity, m.b.Identity, m.Plies, i, batchPairs, named(p.Seed, m.ID)})
		}
		found, err := study.Cells(ctx, s, p.title("match"), keys, nil, m.play)
		if err != nil {
			return nil, err
		}
		for i, b := range found {
			b.Match, b.Number = m.ID, i
			out = append(out, b)
		}
	}
	return out, nil
}

// named makes a seed of a name.
func named(seed uint64, name string) uint64 {
	for _, c := range []byte(name) {
		seed = game.Seed(seed, uint64(c))
	}
	return game.Seed(seed, 0x100)
}

// ReadTable reads the table that a run of the protocol wrote, NAME-rows.csv.
func (p *Protocol) ReadTable(from io.Reader) (all []batch, err error) {
	lines, err := csv.NewReader(from).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 || !slices.Equal(lines[0], batchHead) {
		return nil, fmt.Errorf("rows: want the columns %v", batchHead)
	}
	for n, line := range lines[1:] {
		x := make([]float64, len(batchHead))
		for i := 1; i < len(batchHead); i++ {
			if x[i], err = strconv.ParseFloat(line[i], 64); err != nil || x[i]-x[i] != 0 {
				return nil, fmt.Errorf("rows: line %d, column %s: want a number, not %q", n+2, batchHead[i], line[i])
			}
		}
		all = append(all, batch{line[0], int(x[1]), int(x[2]), x[3], x[4], int(x[5])})
	}
	return all, nil
}

// batchHead names the columns of batches.
var batchHead = []string{"match", "batch", "pairs", "score", "even", "faults"}

func batchData(all []batch) study.Data {
	d := study.Data{Name: "rows", Head: batchHead}
	for _, b := range all {
		d.Row(b.Match, b.Number, b.Pairs, b.Score, b.Even, b.Faults)
	}
	return d
}

// matchTable says who played, with the digests of models.
func (p *Protocol) matchTable(all []batch) report.Table {
	t := report.Table{Head: []string{"match", "game", "A", "B", "pairs", "faults"}, Words: 4, Caption: fmt.Sprintf("Who met whom. Models stand there by their digests; %d pairs are a batch.", batchPairs)}
	for _, m := range p.Matches {
		pairs, faults := 0, 0
		for _, b := range all {
			if b.Match == m.ID {
				pairs, faults = pairs+b.Pairs, faults+b.Faults
			}
		}
		t.Rows = append(t.Rows, []string{m.ID, m.world.Spec, m.a.Identity, m.b.Identity, fmt.Sprint(pairs), fmt.Sprint(faults)})
	}
	return t
}
