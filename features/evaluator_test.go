package features

import (
	"math"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
	"plyfit/models"
)

var links = []models.Link{{Kind: models.Identity}, {Kind: models.Logistic, Scale: .3}, {Kind: models.Tanh, Scale: .2}}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }

// TestEvaluateIsAntisymmetric checks that the values for the two players of a zero-sum game, or for
// a single player and an adversary, have opposite signs. Wrapped states must have the same values
// as their base states.
func TestEvaluateIsAntisymmetric(t *testing.T) {
	for players := 1; players <= 2; players++ {
		base := duelGame(players)
		hostile := vectors.Must(game.WithAdversary(base))
		slippery := vectors.Must(game.WithSlip(base, .25))
		for _, link := range links {
			m := randomDuelModel(duelSet{}, link, 1)
			plain := NewEvaluator(base, duelSet{}, m)
			for _, g := range []*game.Game{base, hostile, slippery} {
				e := NewEvaluator(g, duelSet{}, m)
				n := 0
				for s := range gametest.Games(g, 20, 7) {
					n++
					v := e.Evaluate(s, 0)
					if w := e.Evaluate(s, 1); !near(v, -w) {
						t.Fatalf("%s %s: %v for player 0, %v for player 1", g.Spec, s, v, w)
					}
					if w := plain.Evaluate(game.Base(s), 0); v != w {
						t.Fatalf("%s %s: %v, but %v in %s", g.Spec, s, v, w, base.Spec)
					}
				}
				if n < 100 {
					t.Fatalf("only %d positions", n)
				}
			}
		}
	}
}

// TestEvaluateByHand compares values with sums computed by hand. Features from player 1's point of
// view are negated.
func TestEvaluateByHand(t *testing.T) {
	g := duelGame(2)
	m := models.New("duel", "duel/test", duelSet{}.Blocks())
	m.Weights[0], m.Weights[1], m.Weights[2], m.Bias = 1, -.5, .25, 10
	e := NewEvaluator(g, duelSet{}, m)
	for _, c := range []struct {
		position string
		want     float64
	}{
		{"3 5 2 take", 10 + 3 - 2.5 + .25},
		{"3 5 3 take", 10 - (5 - 1.5 + .25)},
		{"3 5 2 coin", 10 - (5 - 1.5)}, // player 1 has just moved
	} {
		s := vectors.Must(g.Parse(c.position))
		if got := e.Evaluate(s, 0); !near(got, c.want) {
			t.Errorf("%s: %v, want %v", c.position, got, c.want)
		}
	}
	three := duelGame(3)
	e = NewEvaluator(three, duelSet{}, m)
	s, _ := three.Parse("1 2 4 4 take")
	for p, want := range []float64{10 + 1 - 3, 10 + 2 - 2.5 + .25, 10 + 4 - 1.5} {
		if got := e.Evaluate(s, game.Player(p)); !near(got, want) {
			t.Errorf("player %d of three: %v, want %v", p, got, want)
		}
	}
}

// TestUnlinkedKeepsTheOrder checks that converting a value with Utility gives the sum before the
// link, and that this conversion preserves the order of utilities.
func TestUnlinkedKeepsTheOrder(t *testing.T) {
	for _, players := range []int{1, 2} {
		g := duelGame(players)
		for _, link := range links {
			e := NewEvaluator(g, duelSet{}, randomDuelModel(duelSet{}, link, 3))
			u := Unlinked{e}
			for _, p := range []game.Player{0, 1} {
				for s := range gametest.Games(g, 10, 7) {
					v := e.Evaluate(s, p)
					if z := u.Utility(v, p); !near(z, u.Evaluate(s, p)) {
						t.Fatalf("%v %s player %d: utility %v is %v before the link, want %v", link, s, p, v, z, u.Evaluate(s, p))
					}
				}
				if lo, hi := u.Utility(-3, p), u.Utility(3, p); players == 2 && lo >= hi {
					t.Fatalf("%v: utilities -3 and 3 become %v and %v", link, lo, hi)
				}
			}
		}
	}
}

func TestExplain(t *testing.T) {
	for players := 1; players <= 3; players++ {
		g := duelGame(players)
		for _, link := range links {
			set := duelSet{table: true}
			e := NewEvaluator(g, set, randomDuelModel(set, link, 9))
			for s := range gametest.Games(g, 5, 7) {
				for p := range max(players, 2) {
					p := game.Player(p)
					if players == 3 && int(p) >= players {
						continue
					}
					x := e.Explain(s, p)
					if want := e.Evaluate(s, p); !near(x.Value, want) {
						t.Fatalf("%s, player %d: explained %v, evaluated %v", s, p, x.Value, want)
					}
					if players == 2 {
						if got := link.Apply(x.Sum, g.Min, g.Max); !near(got, x.Value) {
							t.Fatalf("%s, player %d: link(%v) = %v, want %v", s, p, x.Sum, got, x.Value)
						}
					}
					for i, a := range x.Terms {
						if a.Value == 0 || a.Product != a.Value*a.Weight {
							t.Fatalf("%s: term %+v", s, a)
						}
						for _, b := range x.Terms[:i] {
							if a.Name == b.Name {
								t.Fatalf("%s: %s twice", s, a.Name)
							}
						}
					}
				}
			}
		}
	}
}

func TestEvaluatorPanicsOnMisuse(t *testing.T) {
	g := duelGame(2)
	unbounded := *g
	unbounded.Max = math.Inf(1)
	logistic := randomDuelModel(duelSet{}, links[1], 1)
	other := randomDuelModel(duelSet{}, links[0], 1)
	other.Features = "duel/other"
	for name, f := range map[string]func(){
		"other set": func() { NewEvaluator(g, duelSet{}, other) },
		"no bounds": func() { NewEvaluator(&unbounded, duelSet{}, logistic) },
	} {
		func() {
			defer func() {
				if got, _ := recover().(string); !strings.HasPrefix(got, "features: ") {
					t.Errorf("%s: panic %q, want one of features", name, got)
				}
			}()
			f()
		}()
	}
}
