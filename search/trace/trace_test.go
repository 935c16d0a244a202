package trace_test

import (
	"bytes"
	"maps"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/trace"
)

// of returns the tree that an agent visits when it searches a position.
func of(t testing.TB, spec, position, agent string) *trace.Tree {
	t.Helper()
	w := vectors.Must(catalog.All().World(spec))
	s := w.New()
	if position != "" {
		s = vectors.Must(w.Parse(position))
	}
	tree := &trace.Tree{}
	player := vectors.Must(w.Agent(agent, catalog.AgentOptions{Observer: tree}))
	searcher := vectors.Must(player.New())
	defer search.Close(searcher)
	searcher.Begin(1)
	r := vectors.Must(searcher.Search(t.Context(), s))
	tree.Finish(s, &r)
	return tree
}

const (
	textbook  = "(max (min 3 12 8) (min 2 4 6) (min 14 5 2))"
	alphabeta = "alphabeta:order=natural,table=off"
)

// TestWindows checks the windows of a search without null windows. Every child must be entered with
// the current window of its parent, and moves must be cut only if that window is empty.
func TestWindows(t *testing.T) {
	for spec, agent := range map[string]string{
		"tictactoe": "alphabeta:depth=3,order=natural,table=off", "connect4:columns=4,rows=4": "alphabeta:depth=4,order=natural,table=off",
	} {
		tree := of(t, spec, "", agent)
		open, cuts := []trace.Step{{Alpha: math.Inf(-1), Beta: math.Inf(1)}}, 0 // a node and its ancestors
		for _, s := range tree.Steps() {
			switch n, above := &tree.Nodes[s.Node], open[len(open)-1]; {
			case s.Cut:
				cuts++
				if s.Alpha < s.Beta {
					t.Fatalf("%s: %s cuts %v within (%v, %v)", spec, n.Text, n.Cut, s.Alpha, s.Beta)
				}
			case s.Child < 0:
				if !n.Windowed || n.Again || s.Alpha != above.Alpha || s.Beta != above.Beta {
					t.Fatalf("%s: %s is entered with (%v, %v), want (%v, %v)", spec, n.Text, s.Alpha, s.Beta, above.Alpha, above.Beta)
				}
				open = append(open, s)
			default:
				open = append(open[:slices.IndexFunc(open, func(o trace.Step) bool { return o.Node == s.Node })], s)
			}
		}
		if cuts == 0 {
			t.Errorf("%s: nothing was cut", spec)
		}
	}
}

// TestEqualPositions checks that moves that lead to equal positions keep their search order.
func TestEqualPositions(t *testing.T) {
	tree := of(t, "tree", "(max (min 10 10 10) (min 10 9 10))", alphabeta)
	for _, n := range tree.Nodes {
		for i, k := range n.Children {
			if want := string(rune('1' + i)); tree.Nodes[k].Move != want {
				t.Errorf("child %s of %s is move %s", want, n.Text, tree.Nodes[k].Move)
			}
		}
	}
}

// TestSearchedAgain checks that a move is searched again if a null window fails, and that only its
// last search counts.
func TestSearchedAgain(t *testing.T) {
	tree := of(t, "tree", "(max (min 3 12) (min 9 10) (min 1 5))", "alphabeta")
	again := 0
	for _, n := range tree.Nodes {
		last := map[string]int{}
		for _, k := range n.Children {
			if child := tree.Nodes[k]; child.Again {
				again++
			} else if _, known := last[child.Move]; known {
				t.Errorf("%s: move %s counts twice", n.Text, child.Move)
			} else {
				last[child.Move] = k
			}
		}
	}
	if again == 0 {
		t.Error("no move was searched again, and the second one refutes the first one's value")
	}
	var text bytes.Buffer
	if err := tree.WriteText(&text); err != nil || strings.Count(text.String(), "searched again below") != again {
		t.Errorf("%v, %d moves were searched again, in\n%s", err, again, &text)
	}
}

// TestFolded checks that if a move was searched twice, the page folds the first search.
func TestFolded(t *testing.T) {
	var page bytes.Buffer
	vectors.Check(of(t, "tree", "(max (min (max 3 1) (max 12 2)) (min (max 9 4) (max 10 5)) (min (max 1 0) (max 5 2)))", "alphabeta").WriteHTML(&page, ""))
	again, open := 0, 0
	for _, line := range strings.Split(page.String(), "\n") {
		if strings.Contains(line, "<details") && strings.Contains(line, "searched again below") {
			again++
			if strings.Contains(line, "<details open") {
				t.Errorf("unfolded: %s", line)
			}
		} else if strings.Contains(line, "<details open") {
			open++
		}
	}
	if again == 0 || open == 0 {
		t.Errorf("%d folded, %d open:\n%s", again, open, &page)
	}
}

// TestShapes checks the numbers of nodes and cuts in the drawing, the Graphviz output and the page.
// A tree that is too large must not be drawn.
func TestShapes(t *testing.T) {
	tree := of(t, "tree", textbook, alphabeta)
	var drawing, dot, page bytes.Buffer
	for _, err := range []error{tree.WriteSVG(&drawing), tree.WriteDOT(&dot), tree.WriteHTML(&page, textbook)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		in   string
		text string
		want int
	}{
		{drawing.String(), "<path", 4}, {drawing.String(), "stroke-dasharray", 2}, {drawing.String(), "beta 14", 1},
		{drawing.String(), "≤ 2", 2}, {dot.String(), "shape=invtriangle", 3}, {dot.String(), "style=dashed", 2},
		{page.String(), "<details", 4}, {page.String(), `class="leaf"`, 7}, {page.String(), "cut: 2 (4), 3 (6)", 1},
	} {
		if got := strings.Count(c.in, c.text); got != c.want {
			t.Errorf("%d times %q, want %d, in\n%.3000s", got, c.text, c.want, c.in)
		}
	}
	large := of(t, "connect4", "", "alphabeta:depth=5")
	if err := large.WriteSVG(&drawing); err == nil || !strings.Contains(err.Error(), "want at most 400 for a drawing") {
		t.Errorf("%d nodes are drawn: %v", len(large.Nodes), err)
	}
}

// TestDigits checks that a drawing gives values three digits, or as many more as are necessary to
// distinguish them. Values that differ by less than a millionth count as equal.
func TestDigits(t *testing.T) {
	for position, want := range map[string][]string{
		"(max 0.9996 0.9997 3)":      {">0.9996<", ">0.9997<", ">3<"},
		"(max 0.12345 0.12349 7)":    {">0.12345<", ">0.12349<"},
		"(max 0.123456789 4.5 0.9)":  {">0.123<", ">4.5<"},
		"(max 0.1234567 0.12345678)": {">0.123<"},
	} {
		var drawing bytes.Buffer
		vectors.Check(of(t, "tree", position, alphabeta).WriteSVG(&drawing))
		for _, text := range want {
			if !strings.Contains(drawing.String(), text) {
				t.Errorf("%s: no %s in\n%s", position, text, &drawing)
			}
		}
	}
}

// TestRules checks that every node is stored once, below the node from which it was searched. It
// also checks that the label of a node states the operation that the search performed there, and
// that the node's value follows from its children.
func TestRules(t *testing.T) {
	const lecture = "(max (min 10 10) (min 9 100))"
	for _, c := range []struct{ spec, position, agent, want string }{
		{"tree", lecture, "minimax", "max min"},
		{"tree", lecture, "expectimax:assume=random,order=natural,table=off", "max mean of min"},
		{"tree", "(min (max 1 5) (max 9 2))", "expectimax:assume=(mix(0.8*minimax:depth=2,0.2*random))", "mean of max min"},
		{"tree", "(max (chance 1/4 8 3/4 4) (chance 1/2 1 1/2 9))", "expectimax:prune=none", "chance max"},
		{"tree", "(max (chance 1/4 8 3/4 4) (chance 1/2 1 1/2 9))", "expectimax:assume=uniform,prune=none", "chance max"},
		{"tree", "(max (chance 1/4 8 3/4 4) (chance 1/2 1 1/2 9))", "minimax", "max min of chance"},
		{"tree", "(p0 (p1 <1,2,-3> <4,1,-5>) (p2 <1,2,-3> <3,-4,1>))", "maxn", "max p1 p2"},
		{"tree", "(p0 (p1 <1,2,-3> <4,1,-5>) (p2 <1,2,-3> <3,-4,1>))", "paranoid", "max min"},
		{"tree", "(p0 (p1 <1,2,-3> <4,1,-5>) (p2 <1,2,-3> <3,-4,1>))", "maxn:assume=random", "max mean of min"},
		{"connect4:columns=4,rows=4", "", "expectimax:depth=3,assume=(mix(0.5*random,0.5*greedy))", "max mean of min"},
		{"pig:target=20", "", "expectimax:depth=2", "chance max min"},
		{"pig:target=20", "", "minimax:depth=2", "max max of chance min min of chance"},
		{"tictactoe+slip=0.2", "", "expectimax:depth=2,prune=none", "chance max min"},
	} {
		tree := of(t, c.spec, c.position, c.agent)
		var text bytes.Buffer
		vectors.Check(tree.WriteText(&text))
		found, tested := map[string]bool{}, 0
		for _, m := range regexp.MustCompile(`(?m) ([a-z][a-z0-9 ]*) [<>]?= `).FindAllStringSubmatch(text.String(), -1) {
			if m[1] != "end" && m[1] != "leaf" {
				found[m[1]] = true
			}
		}
		if got := strings.Join(slices.Sorted(maps.Keys(found)), " "); got != c.want {
			t.Errorf("%s %s %s: labels %q, want %q\n%.1500s", c.spec, c.position, c.agent, got, c.want, &text)
		}
		orphans := len(tree.Nodes)
		for _, n := range tree.Nodes {
			orphans -= len(n.Children)
			want, sum := math.NaN(), 0.0
			exact := n.Bound == search.Exact && len(n.Cut) == 0 && n.Rule != search.Own
			for i, k := range n.Children {
				child := tree.Nodes[k]
				switch v := child.Value; {
				case n.Rule == search.Mean && i > 0:
					want += child.Prob * v
				case n.Rule == search.Mean:
					want = child.Prob * v
				case i == 0, n.Rule == search.Largest && v > want, n.Rule == search.Smallest && v < want:
					want = v
				}
				beyond := n.Rule == search.Largest && child.Bound == search.Upper || n.Rule == search.Smallest && child.Bound == search.Lower
				exact = exact && (child.Bound == search.Exact || beyond) && !child.Again
				sum += child.Prob
			}
			if n.Rule == search.Mean && len(n.Children) > 0 && len(n.Cut) == 0 && math.Abs(sum-1) > 1e-12 {
				t.Errorf("%s %s: the probabilities at %s sum to %v", c.spec, c.agent, n.Text, sum)
			}
			if !exact || len(n.Children) == 0 {
				continue
			}
			if tested++; math.Abs(n.Value-want) > 1e-9 {
				t.Errorf("%s %s: %s has the value %v, and its children give %v", c.spec, c.agent, n.Text, n.Value, want)
			}
		}
		if tested == 0 || orphans != 1 || tree.Root != len(tree.Nodes)-1 {
			t.Errorf("%s %s: %d nodes were tested, %d are without a parent", c.spec, c.agent, tested, orphans)
		}
	}
}

// TestBytes checks that the estimate of a tree's memory use is close to the growth of the heap.
func TestBytes(t *testing.T) {
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for spec, agent := range map[string]string{"chess": "minimax:depth=2", "connect4": "alphabeta:depth=5,order=natural,table=off", "2048": "expectimax:depth=1"} {
		of(t, spec, "", agent) // allocates objects that are created only once, such as tables in the game
		before, said := heap(), int64(0)
		var trees []*trace.Tree
		for range 10 {
			trees = append(trees, of(t, spec, "", agent))
			said += trees[len(trees)-1].Bytes()
		}
		added := heap() - before
		runtime.KeepAlive(trees)
		t.Logf("%s: %d nodes, %d bytes by the estimate, %d measured", spec, len(trees[0].Nodes), said, added)
		if said < added*3/4 || said > added*3/2 {
			t.Errorf("%s: %d bytes by the estimate, %d measured", spec, said, added)
		}
	}
}
