package tree

import (
	"path/filepath"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

// examples returns the trees in testdata, from the first or second field of each line.
func examples(t testing.TB) (trees []string) {
	t.Helper()
	for _, name := range []string{"trees.txt", "random.txt"} {
		for _, line := range vectors.Lines(t, filepath.Join("testdata", name)) {
			fields := strings.Split(line, " | ")
			text := fields[0]
			if name == "trees.txt" {
				text = fields[1]
			}
			trees = append(trees, text)
		}
	}
	return trees
}

const threePlayers = "(p0 (p1 <1,2,-3> (p2 <0,0,0> <4,1,1>)) (chance 0.25 <1,1,1> 3/4 (p2 <2,2,2> <5,-1/2,0>)))"

func TestLaw(t *testing.T) {
	trees := examples(t)
	// The game has the utilities of its initial position, so the wrapped variants make sense only
	// for two players.
	gametest.Law(t, gametest.New(t, New, "tree"), gametest.Options{Positions: trees})
	gametest.Law(t, gametest.New(t, New, "tree"), gametest.Options{Positions: []string{threePlayers}, Unwrapped: true})
}

func TestPrintsWhatItReads(t *testing.T) {
	g := gametest.New(t, New, "tree")
	trees := examples(t)
	for _, text := range append(trees, threePlayers, "5", "<1,2,3>", "(max -1e3 1/3)") {
		s, err := g.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := s.String(); got != text {
			t.Errorf("%s is printed %s", text, got)
		}
		if loose, err := g.Parse(" " + strings.NewReplacer("(", "( ", ")", "\t) ", ",", " , ").Replace(text) + " "); err != nil || loose.Hash() != s.Hash() {
			t.Errorf("%s with spaces: %v, %v", text, loose, err)
		}
	}
}

// TestPerft checks the number of paths of each length, up to the depth of the tree.
func TestPerft(t *testing.T) {
	g := gametest.New(t, New, "tree")
	for _, c := range []struct {
		text string
		want []int64
	}{
		{start, []int64{3, 9, 0}},
		{"(max (chance 1/2 10 1/2 10) (chance 1/2 9 1/2 100))", []int64{2, 4, 0}},
		{"(max 1 (min 2 (max 3 4)) 5)", []int64{3, 2, 2, 0}},
		{threePlayers, []int64{2, 4, 4, 0}},
	} {
		s := vectors.Must(g.Parse(c.text))
		for d, want := range c.want {
			if got := game.Perft(s, d+1, nil); got != want {
				t.Errorf("%s: perft %d is %d, want %d", c.text, d+1, got, want)
			}
		}
	}
}

func TestShapeAndSummaries(t *testing.T) {
	g := gametest.New(t, New, "tree")
	s := vectors.Must(g.Parse(threePlayers))
	if got, want := game.ShapeOf(g, s), (game.Shape{Players: 3, Sum: game.General, Min: -3, Max: 5}); got != want {
		t.Errorf("shape %+v, want %+v", got, want)
	}
	tr := s.(*State)
	if depth := tr.nodes[tr.at].depth; tr.Leaves() != 6 || depth != 3 {
		t.Errorf("%d leaves, depth %d; want 6 and 3", tr.Leaves(), depth)
	}
	if m := tr.Mean(0); m != 13.0/6 {
		t.Errorf("mean %v, want 13/6", m)
	}
	// half of (1 + (0+4)/2)/2 plus half of 1/4 + 3/4 (2+5)/2
	if r := tr.RandomPlay(0); r != 0.5*1.5+0.5*(0.25+0.75*3.5) {
		t.Errorf("random play %v", r)
	}
	if lo, hi := tr.Bounds(1); lo != -0.5 || hi != 2 {
		t.Errorf("bounds [%v, %v], want [-1/2, 2]", lo, hi)
	}
	for text, want := range map[string]game.Sum{
		"(max 1 2)": game.Zero, "(p0 <1,2> <2,1>)": game.Constant, "(p0 <1,2> <2,2>)": game.General, "(p0 <1,-1> 3)": game.Zero,
	} {
		s := vectors.Must(g.Parse(text))
		if got := game.ShapeOf(g, s).Sum; got != want {
			t.Errorf("%s: sum %d, want %d", text, got, want)
		}
	}
}

// TestHash checks that equal subtrees have equal hashes wherever they are, and that different
// subtrees have different hashes.
func TestHash(t *testing.T) {
	g := gametest.New(t, New, "tree")
	seen := map[uint64]string{}
	for _, text := range []string{"1", "-1", "0", "(max 1)", "(min 1)", "(chance 1 1)", "(max 1 2)", "(max 2 1)", "(max (max 1 2))",
		"(max (max 1) 2)", "(chance 1/2 1 1/2 2)", "(chance 1/4 1 3/4 2)", "<1,1>", "(p0 <1,1>)", "<1,-1,0>"} {
		s := vectors.Must(g.Parse(text))
		if other, ok := seen[s.Hash()]; ok {
			t.Errorf("%s and %s have one hash", text, other)
		}
		seen[s.Hash()] = text
	}
	s, _ := g.Parse("(max (min 1 2) (min 1 2))")
	a, b := s.Clone(), s.Clone()
	a.Play(0)
	b.Play(1)
	if a.Hash() != b.Hash() {
		t.Error("equal subtrees have different hashes")
	}
}

func TestFaults(t *testing.T) {
	g := gametest.New(t, New, "tree")
	deep := strings.Repeat("(max ", maxDepth+1) + "1" + strings.Repeat(")", maxDepth+1)
	for text, at := range map[string]int{
		"(max 1 2":                     8,
		"(chance 1/2 1 1/3 2)":         1,
		"(max (chance 1/2 1 1/3 2) 1)": 6,
		"(chance 1/2 1 1/2)":           17,
		"(chance 0 1 1 2)":             8,
		"(chance 2 1)":                 8,
		"(avg 1 2)":                    1,
		"(p16 1)":                      1,
		"(p01 1)":                      1,
		"(max)":                        4,
		"(max 1) 2":                    8,
		"(max <1,2,3> 4)":              13,
		"(max <1,2,3> <1,2>)":          13,
		"(p3 <1,2,3>)":                 1,
		"(max <1>)":                    5,
		"(max <1,x>)":                  8,
		"(max <1,2)":                   10,
		"(max NaN)":                    5,
		"(max 1/0)":                    5,
		"(max Inf)":                    5,
		"":                             0,
		")":                            0,
		deep:                           5 * maxDepth,
	} {
		gametest.Fault(t, g, text, at, "")
	}
}

func FuzzParse(f *testing.F) {
	gametest.FuzzParse(f, gametest.New(f, New, "tree"), false, nil, append(examples(f)[:20:20], threePlayers, "<1,2>", "(chance .5 1 5e-1 (p1 2))")...)
}
