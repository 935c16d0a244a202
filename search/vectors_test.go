package search_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/spec"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

// boundedTree is a tree without any known bounds other than lo and hi.
type boundedTree struct {
	game.State
	lo, hi float64
}

func (b boundedTree) Prob(m game.Move) float64 { return b.State.(game.Chancer).Prob(m) }
func (b boundedTree) For() game.Player         { return 0 }
func (b boundedTree) Clone() game.State        { return boundedTree{b.State.Clone(), b.lo, b.hi} }
func (b boundedTree) Shape() game.Shape {
	return game.Shape{Players: 2, Sum: game.Zero, Min: b.lo, Max: b.hi}
}

func plant(t *testing.T, text string) boundedTree {
	t.Helper()
	return boundedTree{vectors.Must(world(t, "tree").Parse(text)), math.Inf(-1), math.Inf(1)}
}

// grow returns a random tree with up to the given number of levels and all kinds of nodes.
func grow(r *rand.Rand, deep int) string {
	if deep == 0 || r.IntN(12) == 0 {
		return fmt.Sprint(r.IntN(21) - 10)
	}
	kind := [...]string{"max", "min", "chance"}[r.IntN(3)]
	n := 2 + r.IntN(3)
	text := "(" + kind
	for range n {
		if kind == "chance" {
			text += fmt.Sprintf(" 1/%d", n)
		}
		text += " " + grow(r, deep-1)
	}
	return text + ")"
}

type vector struct {
	tree     string
	value    float64
	children []float64
	leaves   string // leaves that alpha-beta visits, if the source lists them
}

func treeVectors(t *testing.T) (out []vector) {
	t.Helper()
	numbers := func(s string) (xs []float64) {
		for _, f := range strings.Split(strings.Trim(s, " ,"), ",") {
			x := vectors.Must(spec.Number(strings.TrimSpace(f)))
			xs = append(xs, x)
		}
		return xs
	}
	for _, file := range []string{"trees.txt", "random.txt"} {
		text := vectors.Must(os.ReadFile("testdata/trees/" + file))
		for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			f := strings.Split(line, " | ")
			if file == "random.txt" {
				out = append(out, vector{f[0], numbers(f[1])[0], numbers(f[2]), ""})
				continue
			}
			v := vector{tree: f[1]}
			for _, item := range f[2:] {
				key, value, _ := strings.Cut(item, "=")
				switch key {
				case "value":
					v.value = numbers(value)[0]
				case "root_children":
					v.children = numbers(value)
				case "alphabeta_leaves_visited":
					v.leaves = strings.TrimSpace(value)
				}
			}
			out = append(out, v)
		}
	}
	return out
}

// TestVectors checks the values that variants of the searches find for trees from textbooks and
// from another program, and that alpha-beta visits the leaves that the textbooks list.
func TestVectors(t *testing.T) {
	g, listed := world(t, "tree"), 0
	for _, v := range treeVectors(t) {
		if v.leaves != "" {
			listed++
			l := &leaves{}
			o := search.Options{Game: g, Eval: search.Zero(g), Depth: 99, Order: search.Natural, Table: -1, Observer: l}
			r := searchtest.SearchOnce(t, searchtest.AlphaBetaOf, o, plant(t, v.tree))
			if got := strings.Join(l.seen, ","); got != v.leaves || r.Values[0] != v.value {
				t.Errorf("%s: leaves %s, want %s", v.tree, got, v.leaves)
			}
		}
		s := vectors.Must(g.Parse(v.tree))
		variants := averaging
		if !strings.Contains(v.tree, "chance") {
			variants = slices.Concat(averaging, adversarial)
		}
		truth := make([][]float64, len(v.children))
		for i, x := range v.children {
			truth[i] = []float64{x, -x}
		}
		for _, vr := range variants {
			for _, complete := range []bool{false, true} {
				c := search.Options{Game: g, Eval: search.Zero(g), Fork: func() search.Evaluator { return search.Zero(g) }, Depth: 99, Table: 1, Complete: complete}
				r := searchtest.Search(t, vr.agent(t, c), s)
				if checkResult(t, vr.name+" "+v.tree, c, s, r, truth); !searchtest.Near(r.Values[0], v.value) {
					t.Errorf("%s: %s: %v, want %v", vr.name, v.tree, r.Values, v.value)
				}
			}
		}
	}
	if listed < 4 {
		t.Errorf("only %d trees list their leaves", listed)
	}
}

// leaves records the finished positions that a search visits.
type leaves struct{ seen []string }

func (l *leaves) Node(n *search.Visit) {
	if n.State.Turn() == game.Nobody {
		l.seen = append(l.seen, trim(n.State.Utility(0)))
	}
}

func trim(x float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", x), "0"), ".")
}

type solved struct {
	s     game.State
	score float64
}

func solvedPositions(t testing.TB, g *game.Game, file string) (out []solved) {
	t.Helper()
	for _, line := range vectors.Lines(t, vectors.Shared(t, file)) {
		f := strings.Fields(line)
		s := vectors.Must(g.Parse(f[0]))
		score := vectors.Must(strconv.ParseFloat(f[1], 64))
		out = append(out, solved{s, score})
	}
	return out
}

func TestSolvesConnect4(t *testing.T) {
	g := world(t, "connect4:score=distance")
	a := searchtest.MustAgent(t, searchtest.AlphaBetaOf, search.Options{Game: g, Eval: search.Zero(g), Depth: 42})
	for _, file := range []string{"connect4/Test_L3_R1.txt", "connect4/Test_L2_R1.txt"} {
		for _, p := range solvedPositions(t, g, file) {
			r := vectors.Must(a.Search(context.Background(), p.s))
			if r.Value != p.score || !r.Exact {
				t.Fatalf("%s: %v (exact: %v), want %v", p.s, r.Value, r.Exact, p.score)
			}
		}
	}
}

func benchmarkSolve(b *testing.B, file string) {
	g := world(b, "connect4:score=distance")
	a := searchtest.MustAgent(b, searchtest.AlphaBetaOf, search.Options{Game: g, Eval: search.Zero(g), Depth: 42})
	positions := solvedPositions(b, g, file)
	var nodes int64
	for b.Loop() {
		a.Begin(0)
		for _, p := range positions {
			r, err := a.Search(context.Background(), p.s)
			if err != nil || r.Value != p.score {
				b.Fatal(p.s, r.Value, p.score, err)
			}
			nodes += r.Nodes
		}
	}
	total := float64(nodes)
	b.ReportMetric(total/float64(b.N)/float64(len(positions)), "nodes/position")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/total, "ns/node")
}

func BenchmarkSolveConnect4L3R1(b *testing.B) { benchmarkSolve(b, "connect4/Test_L3_R1.txt") }
func BenchmarkSolveConnect4L2R1(b *testing.B) { benchmarkSolve(b, "connect4/Test_L2_R1.txt") }
