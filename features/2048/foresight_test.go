package g2048

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
	board "plyfit/game/2048"
	"plyfit/game/gametest"
	"plyfit/game/play"
	"plyfit/internal/vectors"
	"plyfit/models"
	"plyfit/search"
)

// evaluator returns the hand-written evaluation in the form used by a search.
func evaluator(t testing.TB, g *game.Game) search.Evaluator {
	t.Helper()
	set := sets(g)[0]
	m := featuretest.Shipped(t, g, set, "handwritten/2048.json")
	f, ok := features.NewEvaluator(g, set, m).Foresight()
	if !ok {
		t.Fatal("no foresight")
	}
	return f
}

// TestForesightInSearch compares a search that uses foresight with a search that makes every move.
// The moves must be the same, and the values must agree to 1e-12. Without a table, the numbers of
// nodes and evaluations must also agree. The positions come from games (100,000 with PLYFIT_LONG).
// In some of the models, the weight of the score is not 1, or weights are so large that values
// exceed the bounds.
func TestForesightInSearch(t *testing.T) {
	g := gametest.New(t, board.New, "2048")
	set := sets(g)[0]
	written := featuretest.Shipped(t, g, set, "handwritten/2048.json")
	random := rand.New(rand.NewPCG(2, 7))
	deep, most := []int{0, 400, 200, 100, 1}, 0 // number of positions for each depth
	if vectors.Long() {
		deep = []int{0, 100000, 100000, 100000, 500}
	}
	for _, n := range deep {
		most = max(most, n)
	}
	type pair struct{ fast, plain search.Agent }
	var pairs [][5]pair // pairs for each depth
	for _, score := range []float64{1, 0.5, 4, 1, 1} {
		m := *written
		m.Weights = slices.Clone(m.Weights)
		if len(pairs) > 0 {
			for i := range m.Weights {
				m.Weights[i] = math.Pow(20, float64(1+len(pairs))) * random.NormFloat64()
			}
		}
		m.Weights[0] = score
		e := features.NewEvaluator(g, set, &m)
		foresight, ok := e.Foresight()
		if !ok {
			t.Fatal("no foresight")
		}
		var p [5]pair
		for d := 1; d < len(p); d++ {
			c := search.Options{Game: g, Leaf: models.Afterstate, Depth: d, Eval: foresight, Table: -len(pairs) % 2}
			p[d].fast = vectors.Must(search.NewExpectimax(c))
			c.Eval, c.Prune, c.Table = e, search.NoPrune, -1
			p[d].plain = vectors.Must(search.NewExpectimax(c))
		}
		pairs = append(pairs, p)
	}
	ctx := context.Background()
	dice := &play.Dice{Random: random}
	e := play.Episode{Luck: dice}
	games := 0
	for n, over := 0, true; n < most; n++ {
		switch {
		case over && games < len(boards):
			e.Begin(vectors.Must(g.Parse(boards[games])), 0, 60)
			games++
		case over:
			e.Begin(g.New(), 0, g.MaxPlies)
		}
		if over = !e.Next(); over {
			n--
			continue
		}
		s, k := e.State, random.IntN(len(pairs))
		for d := 1; d < len(deep) && n%(most/deep[d]) == 0; d++ {
			got, want := vectors.Must(pairs[k][d].fast.Search(ctx, s)), vectors.Must(pairs[k][d].plain.Search(ctx, s))
			pairs[k][d].fast.Begin(0) // clears the table
			again := vectors.Must(pairs[k][d].fast.Search(ctx, s))
			same := got.Nodes == want.Nodes && got.Stats.Evaluations == want.Stats.Evaluations || k%2 == 0 && got.Nodes < want.Nodes // models with even k use a table
			if !same || again.Nodes != got.Nodes || math.Abs(got.Value-want.Value) > 1e-12*max(1, math.Abs(want.Value)) || got.Move != want.Move || got.Exact != want.Exact || got.Depth != want.Depth {
				t.Fatalf("model %d, %s, depth %d: %+v, plain %+v", k, s, d, got, want)
			}
		}
		m := dice.Uniform(s)
		if n%8 > 0 {
			m = vectors.Must(search.Move(ctx, pairs[0][1].fast, s))
		}
		after := s.Clone() // nature moves next
		after.Play(m)
		got, want := vectors.Must(pairs[k][1].fast.Search(ctx, after)), vectors.Must(pairs[k][1].plain.Search(ctx, after))
		if math.Abs(got.Value-want.Value) > 1e-12*max(1, math.Abs(want.Value)) || got.Nodes != want.Nodes {
			t.Fatalf("model %d, %s: %+v, plain %+v", k, after, got, want)
		}
		e.Play(m)
	}
	start := g.New()
	start.Play(0)
	start.Play(2)
	if n := testing.AllocsPerRun(50, func() { search.Move(ctx, pairs[0][3].fast, start) }); n > 0 {
		t.Errorf("%v allocations for a move", n)
	}
}

// TestForesightForgets checks that the table entries from one tree do not affect a deeper tree, in
// which a board may have a different score.
func TestForesightForgets(t *testing.T) {
	g := gametest.New(t, board.New, "2048")
	set := sets(g)[0]
	m := *featuretest.Shipped(t, g, set, "handwritten/2048.json")
	m.Weights = slices.Clone(m.Weights)
	m.Weights[0] = 4
	f, _ := features.NewEvaluator(g, set, &m).Foresight()
	for _, text := range boards[:3] {
		s := vectors.Must(g.Parse(strings.Replace(text, "player", "chance", 1)))
		foresee := func(depth int) float64 {
			v, _, _, _ := f.Foresee(s, depth, func(int64) int64 { return math.MaxInt64 })
			return v
		}
		f.Prepare(0)
		want := foresee(3)
		f.Prepare(0)
		foresee(2)
		if got := foresee(3); got != want {
			t.Errorf("%s: %v after a tree less deep, want %v", s, got, want)
		}
	}
}

// TestForesightStops checks that a search that would take hours is ended by a limit on nodes, by a
// time limit, or by the context.
func TestForesightStops(t *testing.T) {
	g := gametest.New(t, board.New, "2048")
	s := vectors.Must(g.Parse(boards[2]))
	for _, c := range []search.Options{{Depth: 12}, {Depth: 12, Nodes: 9000}, {Time: 100 * time.Millisecond}} {
		c.Game, c.Leaf, c.Eval = g, models.Afterstate, evaluator(t, g)
		a := vectors.Must(search.NewExpectimax(c))
		limited := c.Nodes > 0 || c.Time > 0
		ctx, cancel := context.WithTimeout(context.Background(), map[bool]time.Duration{false: 50 * time.Millisecond, true: time.Hour}[limited])
		began := time.Now()
		r, err := a.Search(ctx, s)
		if took := time.Since(began); took > 10*time.Second || (err == nil) != limited || c.Nodes > 0 && r.Nodes > c.Nodes+200 || limited && r.Depth < 2 {
			t.Errorf("%+v: %v after %v, %d nodes, depth %d", c, err, took, r.Nodes, r.Depth)
		}
		if _, err := search.Move(ctx, a, s); (err == nil) != limited {
			t.Errorf("%+v: a move alone: %v", c, err)
		}
		cancel()
	}
}

// boards contains positions from the beginning to the end of the game.
var boards = []string{
	"0012/0000/0100/0000 player 0", "1003/0214/1357/2468 player 0", "0001/0123/2356/789a player 0",
	"1000/3200/4610/8a92 player 0", "0012/1134/2465/379b player 0", "7521/5452/2134/2415 player 1412",
}

func benchmarkSearch(b *testing.B, c search.Options) {
	g := gametest.New(b, board.New, "2048")
	c.Game, c.Leaf = g, models.Afterstate
	c.Eval = evaluator(b, g)
	a := vectors.Must(search.NewExpectimax(c))
	var positions []game.State
	for _, text := range boards {
		s := vectors.Must(g.Parse(text))
		positions = append(positions, s)
	}
	tried := int64(0) // moves whose result was evaluated
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range positions {
			a.Begin(0)
			r := vectors.Must(a.Search(context.Background(), s))
			tried += r.Stats.Evaluations
		}
	}
	seconds := b.Elapsed().Seconds()
	b.ReportMetric(float64(tried)/seconds/1e6, "Mtried/s")
	b.ReportMetric(float64(len(positions)*b.N)/seconds, "decided/s")
}

func BenchmarkSearchDepth3(b *testing.B) { benchmarkSearch(b, search.Options{Depth: 3}) }
func BenchmarkSearchDepth3NoTable(b *testing.B) {
	benchmarkSearch(b, search.Options{Depth: 3, Table: -1})
}
