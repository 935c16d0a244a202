package game_test

import (
	"math"
	"strings"
	"testing"

	"plyfit/game"
	g2048 "plyfit/game/2048"
	"plyfit/game/connect4"
	"plyfit/game/gametest"
	"plyfit/game/pig"
	"plyfit/game/tictactoe"
	"plyfit/game/tree"
	"plyfit/internal/vectors"
)

func TestSlip(t *testing.T) {
	g := vectors.Must(game.WithSlip(gametest.New(t, tictactoe.New, "tictactoe"), 0.3))
	if g.Spec != "tictactoe+slip=0.3" || g.Name != "tictactoe" || g.MaxPlies != 18 {
		t.Errorf("%q, %q, %d plies", g.Spec, g.Name, g.MaxPlies)
	}
	s := vectors.Must(g.Parse("XO....... X"))
	s.Play(4)
	if s.String() != "XO....... X ~5" || s.Turn() != game.Chance {
		t.Fatalf("%v, turn %d", s, s.Turn())
	}
	c, _ := game.As[game.Chancer](s)
	for _, m := range s.Moves(nil) {
		want := 0.3 / 7
		if m == 4 {
			want += 0.7
		}
		if p := c.Prob(m); math.Abs(p-want) > 1e-15 {
			t.Errorf("probability %v of %d, want %v", p, m, want)
		}
	}
	if c.For() != 0 {
		t.Errorf("the luck is player %d's", c.For())
	}
	slip := s.(*game.Slip)
	if m, pending := slip.Intended(); !pending || m != 4 {
		t.Errorf("intended %d, %v", m, pending)
	}
	s.Play(8)
	if s.String() != "XO......X O" || s.Turn() != 1 {
		t.Errorf("%v, turn %d", s, s.Turn())
	}
	s.Undo()
	if s.String() != "XO....... X ~5" {
		t.Errorf("%v after Undo", s)
	}
	s.Undo()
	if s.String() != "XO....... X" || s.Turn() != 0 {
		t.Errorf("%v after two", s)
	}
	if read := vectors.Must(g.Parse("XO....... X ~5")); read.Hash() == s.Hash() || read.Turn() != game.Chance {
		t.Errorf("%v: hash as if nothing were pending", read)
	}
	for _, text := range []string{"XO....... X ~1", "XO....... X ~", "XXXOO.... - ~6", "XO....... X ~5 ~6"} {
		if s, err := g.Parse(text); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
}

// TestSlipLeavesNatureAlone checks that nature's own moves do not slip and keep their
// probabilities.
func TestSlipLeavesNatureAlone(t *testing.T) {
	g := vectors.Must(game.WithSlip(gametest.New(t, pig.New, "pig"), 1))
	s := vectors.Must(g.Parse("0 0 turn 0 player 0"))
	c, _ := game.As[game.Chancer](s)
	s.Play(pig.Roll)
	if p := c.Prob(pig.Hold); p != 0.5 {
		t.Errorf("with slip=1 hold has %v, want one half", p)
	}
	s.Play(pig.Roll)
	if s.String() != "0 0 turn 0 roll 0" || c.Prob(3) != 1./6 || c.For() != 0 {
		t.Errorf("%v: %v", s, c.Prob(3))
	}
	s.Play(3)
	if s.String() != "0 0 turn 3 player 0" {
		t.Errorf("%v", s)
	}
	for range 3 {
		s.Undo()
	}
	if s.String() != "0 0 turn 0 player 0" {
		t.Errorf("%v", s)
	}
}

func TestAdversary(t *testing.T) {
	g := vectors.Must(game.WithAdversary(gametest.New(t, g2048.New, "2048:size=2")))
	if g.Spec != "2048:size=2+adversary" || g.Players != 2 || g.Sum != game.Zero || g.Min != -g.Max {
		t.Errorf("%+v", g)
	}
	s := vectors.Must(g.Parse("10/10 player 0"))
	s.Play(vectors.Must(g.ParseMove(s, "U")))
	a := s.(*game.Adversary)
	if s.Turn() != 1 || !game.NatureToMove(s) {
		t.Errorf("%v: turn %d", s, s.Turn())
	}
	if lo, hi := a.Bounds(0); lo != 4 || hi <= lo {
		t.Errorf("bounds [%v, %v]", lo, hi)
	} else if l, h := a.Bounds(1); l != -hi || h != -lo {
		t.Errorf("bounds [%v, %v] and [%v, %v]", lo, hi, l, h)
	}
	if c, ok := game.As[game.Chancer](s); !ok || math.Abs(c.Prob(2)-0.3) > 1e-15 {
		t.Error("nature's probabilities are not to be seen")
	}
	over := vectors.Must(g.Parse("12/21 player 8"))
	if over.Turn() != game.Nobody || over.Utility(0) != 8 || over.Utility(1) != -8 {
		t.Errorf("%v: %v and %v", over, over.Utility(0), over.Utility(1))
	}

	two := vectors.Must(game.WithAdversary(gametest.New(t, pig.New, "pig")))
	for p, text := range []string{"5 5 turn 0 roll 1", "5 5 turn 0 roll 0"} {
		if s := vectors.Must(two.Parse(text)); s.Turn() != game.Player(p) {
			t.Errorf("%q: player %d throws the die, want the roller's opponent", text, s.Turn())
		}
	}
}

func TestWrappersThatDoNotFit(t *testing.T) {
	slip := func(p float64) func(*game.Game) (*game.Game, error) {
		return func(g *game.Game) (*game.Game, error) { return game.WithSlip(g, p) }
	}
	both := func(first, second func(*game.Game) (*game.Game, error)) func(*game.Game) (*game.Game, error) {
		return func(g *game.Game) (*game.Game, error) {
			return second(vectors.Must(first(g)))
		}
	}
	duel, three := gametest.New(t, pig.New, "pig"), gametest.New(t, pig.New, "pig:players=3")
	for name, c := range map[string]struct {
		g    *game.Game
		wrap func(*game.Game) (*game.Game, error)
		want string
	}{
		"no slip":              {duel, slip(0), "slip=0"},
		"too much":             {duel, slip(1.5), "slip=1.5"},
		"NaN":                  {duel, slip(math.NaN()), "slip=NaN"},
		"three players":        {three, game.WithAdversary, "3 players"},
		"slip, then adversary": {duel, both(slip(0.1), game.WithAdversary), "slip"},
		"adversary, then slip": {duel, both(game.WithAdversary, slip(0.1)), "adversary"},
		"slip twice":           {duel, both(slip(0.1), slip(0.1)), "already has slip"},
	} {
		if g, err := c.wrap(c.g); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v", name, g, err)
		}
	}
	hostile := vectors.Must(game.WithAdversary(gametest.New(t, tree.New, "tree")))
	if s := vectors.Must(hostile.Parse("(chance 1/2 3 1/2 5)")); s.Turn() != 1 {
		t.Errorf("turn %d, want the opponent of player 0", s.Turn())
	}
	if s, err := hostile.Parse("(p0 <1,2,3>)"); err == nil {
		t.Errorf("a tree of three players is read as %v", s)
	}
}

// TestAsThroughWrappers checks that As finds the optional interfaces of a state inside its
// wrappers.
func TestAsThroughWrappers(t *testing.T) {
	g := vectors.Must(game.WithSlip(gametest.New(t, connect4.New, "connect4:score=distance"), 0.5))
	s := g.New()
	if _, ok := game.As[game.Ranker](s); !ok {
		t.Error("no Ranker through slip")
	}
	if _, ok := game.As[game.Bounder](s); !ok {
		t.Error("no Bounder through slip")
	}
	if _, ok := game.As[game.Scorer](s); ok {
		t.Error("a Scorer in connect four")
	}
	if connect4.Of(game.Base(s)) == nil {
		t.Error("Base is no board")
	}
	if c, ok := game.As[game.Chancer](s); !ok || c != game.Chancer(s.(*game.Slip)) {
		t.Error("the outermost Chancer is not the slip")
	}
}
