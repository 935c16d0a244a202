package search_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

// noise is an evaluation for any game, derived from the position's hash. It lies in the game's
// range or, in games with a score, near the score.
type noise struct{ g *game.Game }

func (n noise) Evaluate(s game.State, p game.Player) float64 {
	x := float64(game.Mix(s.Hash()+1)>>40) / (1 << 24)
	v := 0.0
	if sc, ok := s.(game.Scorer); ok {
		v = sc.Score(0) + 20*x
	} else {
		lo, hi := n.g.Min, n.g.Max
		v = lo + (hi-lo)*x
		// Round the value so that there are ties.
		v = math.Round(8*v) / 8
	}
	if p == 1 {
		return -v
	}
	return v
}

// worlds lists games, each with a depth that can be searched completely in a short time.
var worlds = []struct {
	spec  string
	depth int
}{
	{"tictactoe", 4}, {"tictactoe+slip=.2", 2}, {"connect4", 4}, {"connect4:score=distance", 4},
	{"connect4:columns=5,rows=4,dice=on", 2}, {"connect4:columns=5,rows=4+slip=.3", 2},
	{"othello", 3}, {"checkers", 3}, {"pig:target=20", 3}, {"pig:target=20+adversary", 3},
	{"2048:size=2", 3}, {"2048:size=3", 2}, {"2048:size=2+slip=.25", 2}, {"2048:size=2+adversary", 3}, {"chess", 2}, {"backgammon", 1}, {"tree", 9},
}

// TestGamesAgree compares the searches with the plain search at a hundred random positions of each
// game, or at a thousand if PLYFIT_LONG is set.
func TestGamesAgree(t *testing.T) {
	positions := 100
	if vectors.Long() {
		positions = 1000
	}
	for _, w := range worlds {
		t.Run(w.spec, func(t *testing.T) {
			t.Parallel()
			g := world(t, w.spec)
			r := rand.New(rand.NewPCG(3, 9))
			var families [][]search.Agent // the plain search first, then the others
			for _, variants := range [][]variant{adversarial, averaging} {
				for _, leaves := range []models.Leaves{models.Decision, models.Afterstate} {
					c := search.Options{
						Game: g, Eval: noise{g}, Fork: func() search.Evaluator { return noise{g} },
						Depth: w.depth, Leaf: leaves, Complete: true, Table: 1,
					}
					var f []search.Agent
					for _, v := range variants {
						f = append(f, v.agent(t, c))
					}
					families = append(families, f)
				}
			}
			whole := 0
			for n := range positions {
				var s game.State
				if w.spec == "tree" {
					s = vectors.Must(g.Parse(grow(r, 5)))
				} else {
					s = wander(g, r, r.IntN(40))
				}
				f := families[n%len(families)]
				want := searchtest.Search(t, f[0], s)
				for i, a := range f[1:] {
					name := fmt.Sprintf("variant %d of family %d", i+1, n%len(families))
					whole += agree(t, name, g, s, searchtest.Search(t, a, s), want, w.depth)
				}
				if t.Failed() {
					return
				}
			}
			if _, chance := game.As[game.Chancer](g.New()); !chance && whole < positions {
				t.Errorf("%d lines lead to the end or to the horizon", whole)
			}
		})
	}
}

// agree compares a search with the plain one. It returns 1 if the principal variation is complete.
func agree(t *testing.T, name string, g *game.Game, s game.State, got, want search.Result, depth int) (whole int) {
	t.Helper()
	if math.Abs(got.Value-want.Value) > 1e-11*math.Max(1, math.Abs(want.Value)) {
		t.Errorf("%s: %s: value %v, plain %v", name, s, got.Value, want.Value)
		return 0
	}
	if got.Move != want.Move || !slices.Equal(got.Best, want.Best) {
		t.Errorf("%s: %s: move %v of %v, plain %v of %v", name, s, got.Move, got.Best, want.Move, want.Best)
		return 0
	}
	near := 1e-9 * math.Max(1, math.Abs(want.Value))
	for i, r := range want.Root {
		g := got.Root[i]
		if g.Move != r.Move || g.Kind == search.Exact && math.Abs(g.Value-r.Value) > near ||
			g.Kind == search.Upper && g.Value < r.Value-near || g.Kind == search.Lower && g.Value > r.Value+near {
			t.Errorf("%s: %s: root move %d %v %v, plain %v", name, s, g.Move, g.Kind, g.Value, r.Value)
		}
	}
	if got.Move == game.NoMove {
		return 0
	}
	// The principal variation must consist of legal player moves, begin with the chosen move and
	// lead to the value.
	if len(got.PV) == 0 || got.PV[0] != got.Move {
		t.Errorf("%s: %s: line %v of move %v", name, s, got.PV, got.Move)
		return 0
	}
	c := s.Clone()
	for i, m := range got.PV {
		if i > 0 && c.Turn() < 0 || !slices.Contains(c.Moves(nil), m) {
			t.Errorf("%s: %s: line %v has an illegal move or goes on where no one chooses", name, s, got.PV)
			return 0
		}
		c.Play(m)
	}
	if _, chance := game.As[game.Chancer](s); chance || c.Turn() >= 0 && len(got.PV) < depth {
		return 0 // the rest of the line may have been evicted from the table
	}
	if v := (searchtest.Rule{Game: g, Eval: noise{g}}).Value(c, 0); math.Abs(v-got.Values[0]) > near {
		t.Errorf("%s: %s: the root is worth %v, the end of its line %v", name, s, got.Values[0], v)
	}
	return 1
}

// TestTicTacToe solves every position in the game.
func TestTicTacToe(t *testing.T) {
	g := world(t, "tictactoe")
	c := search.Options{Game: g, Eval: search.Zero(g), Depth: 9, Complete: true}
	agents := []search.Agent{adversarial[2].agent(t, c), adversarial[1].agent(t, c)}
	text := vectors.Must(os.ReadFile("../game/tictactoe/testdata/all5478_values.txt"))
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 5478 {
		t.Fatalf("%d positions, want 5478", len(lines))
	}
	for i, line := range lines {
		f := strings.Fields(line)
		s := vectors.Must(g.Parse(f[0] + " " + f[1]))
		for _, a := range agents {
			r := searchtest.Again(t, a, s)
			want := f[2]
			if f[1] == "O" && want != "0" {
				want = map[string]string{"1": "-1", "-1": "1"}[want]
			}
			if got := trim(r.Value); got != want {
				t.Fatalf("line %d: %s: value %s, want %s", i+1, line, got, want)
			}
			if f[1] == "-" {
				continue
			}
			if len(r.Best) != len(f[3]) {
				t.Fatalf("line %d: %s: %d best moves", i+1, line, len(r.Best))
			}
		}
	}
}

// TestQuiescence compares quiescence searches in checkers, pruned or not, with the definition.
func TestQuiescence(t *testing.T) {
	g := world(t, "checkers")
	eval := noise{g}
	rule := searchtest.Rule{Game: g, Eval: eval}
	// quiet implements the definition: the better of the evaluation and the best noisy move.
	var quiet func(s game.State) float64
	quiet = func(s game.State) float64 {
		if s.Turn() == game.Nobody {
			return s.Utility(0)
		}
		best := math.NaN() // the player must play a noisy move
		if !s.(game.Noisy).Forced() {
			best = rule.Value(s, 0)
		}
		for _, m := range s.(game.Noisy).Noisy(nil) {
			chooser := s.Turn()
			s.Play(m)
			if v := quiet(s); best != best || chooser == 0 && v > best || chooser == 1 && v < best {
				best = v
			}
			s.Undo()
		}
		return best
	}
	var value func(s game.State, depth int) float64
	value = func(s game.State, depth int) float64 {
		if s.Turn() == game.Nobody || depth == 0 {
			return quiet(s)
		}
		chooser := s.Turn()
		best := math.NaN()
		for _, m := range s.Moves(nil) {
			s.Play(m)
			if v := value(s, depth-1); best != best || chooser == 0 && v > best || chooser == 1 && v < best {
				best = v
			}
			s.Undo()
		}
		return best
	}
	r := rand.New(rand.NewPCG(11, 3))
	changed := 0
	for range 100 {
		s := wander(g, r, r.IntN(40))
		want, plain := value(s, 2), rule.Value(s, 2)
		if s.Turn() == 1 {
			want, plain = -want, -plain
		}
		if want != plain {
			changed++
		}
		for _, v := range append(adversarial[:5:5], averaging[:7]...) {
			res := searchtest.Search(t, v.agent(t, search.Options{Game: g, Eval: eval, Depth: 2, Quiescence: true, Table: 1, Complete: true}), s)
			if res.Value != want {
				t.Fatalf("%s: %s: value %v, want %v", v.name, s, res.Value, want)
			}
		}
	}
	if changed < 10 {
		t.Errorf("quiescence changed only %d of 100 values", changed)
	}
}
