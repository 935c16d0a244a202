package policy_test

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/internal/searchtest"
	"plyfit/search/policy"
)

// policyGames lists trees for two players, and for one player with an opponent at chance nodes.
var policyGames = []searchtest.Shape{{Players: 2, Sum: game.Zero, Chance: .2, Height: 6}, {Players: 2, Sum: game.Zero, Chance: .2, Whole: true, Height: 6}, {Players: 1, Sum: game.General, Chance: .6, Height: 6}}

// ghost returns a policy that plays depth-2 minimax with probability 0.8 and uniformly otherwise,
// like the agent mix(0.8*minimax:depth=2,0.2*random).
func ghost(t *testing.T, g *game.Game, remember int) game.Policy {
	t.Helper()
	agent := vectors.Must(policy.NewMixAgent([]float64{.8, .2}, []search.Agent{
		searchtest.MustAgent(t, searchtest.MinimaxOf, search.Options{Game: searchtest.HostileGame(t, g), Eval: searchtest.SprigEval{}, Depth: 2, Table: -1}),
		searchtest.MustAgent(t, searchtest.RandomOf, search.Options{}),
	}))
	p := vectors.Must(policy.Of(t.Context(), agent, g))
	p.(*policy.Mix).Simulated(0).Remember = remember
	return p
}

// bruteGhost returns the probabilities that this policy assigns to the moves of n, in a game with
// the bounds lo and hi. The minimax move is the first of the best moves. Among certain wins it is
// the shortest, and among certain losses the longest.
func bruteGhost(g *game.Game, n *searchtest.Sprig, lo, hi float64) []float64 {
	rule := searchtest.Rule{Game: g, Eval: searchtest.SprigEval{}}
	below, sign := 2, 1.0
	if n.Turn == 1 || n.Turn == game.Chance && n.Luck == 0 {
		sign, lo, hi = -1, -hi, -lo
	}
	if n.Turn >= 0 {
		below-- // nature's move is not counted
	}
	best, last, at := math.Inf(-1), 0, 0
	for i, k := range n.Kids {
		v, far := sign*rule.Value(k.State(), below), 0
		if v == hi {
			far = -bruteDistance(k, sign > 0, sign*hi, below)
		} else if v == lo {
			far = bruteDistance(k, sign < 0, sign*lo, below)
		}
		if v > best || v == best && far > last {
			best, last, at = v, far, i
		}
	}
	p := make([]float64, len(n.Kids))
	for i := range p {
		p[i] = .2 / float64(len(p))
	}
	p[at] += .8
	return p
}

// bruteDistance returns the number of decisions within which player 0, or the opponent if first is
// false, can force the game to end with the given utility for player 0. It returns depth+1 if more
// than depth decisions are needed. Nature is treated as an opponent.
func bruteDistance(n *searchtest.Sprig, first bool, target float64, depth int) int {
	var forced func(n *searchtest.Sprig, depth int) bool
	forced = func(n *searchtest.Sprig, depth int) bool {
		chooser := n.Turn
		switch {
		case n.Turn == game.Nobody:
			return n.Ends[0] == target
		case n.Turn == game.Chance:
			chooser = 1 - n.Luck
		case depth == 0:
			return false
		default:
			depth--
		}
		one := (chooser == 0) == first
		for _, k := range n.Kids {
			if forced(k, depth) == one {
				return one
			}
		}
		return !one
	}
	d := 0
	for d <= depth && !forced(n, d) {
		d++
	}
	return d
}

func TestOpponentModel(t *testing.T) {
	for _, sh := range policyGames {
		for seed := range uint64(60) {
			root := sh.Grow(rand.New(rand.NewPCG(seed, 11)))
			root.Turn = 0
			g := sh.Game(root)
			hostile := searchtest.HostileGame(t, g)
			rule := searchtest.Rule{Game: g, Eval: searchtest.SprigEval{}, Draw: func(s game.State, moves []game.Move) []float64 {
				n := s.(*searchtest.SprigState).At()
				if n.Turn == 1 || n.Turn == game.Chance && sh.Players == 1 {
					return bruteGhost(g, n, hostile.Min, hostile.Max)
				}
				return searchtest.Averages(s, moves)
			}}
			for depth := 1; depth <= 4; depth++ {
				want := rule.Value(g.New(), depth)
				for name, make := range map[string]func(search.Options) (search.Agent, error){"expectimax": search.NewExpectimax, "maxn": searchtest.MaxNOf} {
					// A memory of two decisions must give the same result as a large one. A planner
					// in an adversarial world may also assume the ghost's policy.
					for _, world := range []*game.Game{g, hostile} {
						for _, remember := range []int{0, 2} {
							c := search.Options{Game: world, Eval: searchtest.SprigEval{}, Depth: depth, Table: -1,
								Assume: assume.Assumption{Kind: assume.Policy, Policy: ghost(t, world, remember)}}
							if r := searchtest.SearchOnce(t, make, c, world.New()); !searchtest.Near(r.Values[0], want) {
								t.Fatalf("%+v, seed %d, depth %d, %s: %v; want %v", sh, seed, depth, name, r.Values[0], want)
							}
						}
					}
				}
			}
		}
	}
}

// TestPoliciesLeaveThePosition checks that policies restore the position and that their
// probabilities sum to 1.
func TestPoliciesLeaveThePosition(t *testing.T) {
	for _, sh := range policyGames {
		for seed := range uint64(50) {
			root := sh.Grow(rand.New(rand.NewPCG(seed, 12)))
			g := sh.Game(root)
			policies := map[string]game.Policy{"uniform": policy.Uniform{}, "ghost": ghost(t, g, 0)}
			var walk func(s game.State)
			walk = func(s game.State) {
				moves := s.Moves(nil)
				if len(moves) == 0 {
					return
				}
				for name, p := range policies {
					text, hash := s.String(), s.Hash()
					probs := p.Probs(s, moves, []float64{5})
					sum := 0.0
					for _, x := range probs[1:] {
						if sum += x; x < 0 {
							t.Fatalf("%s at %s: %v", name, s, probs)
						}
					}
					if len(probs) != len(moves)+1 || probs[0] != 5 || !searchtest.Near(sum, 1) {
						t.Fatalf("%s at %s: %v adds up to %v", name, s, probs, sum)
					}
					if s.String() != text || s.Hash() != hash {
						t.Fatalf("%s changed %s to %s", name, text, s)
					}
					if again := p.Probs(s, moves, []float64{5}); !slices.Equal(again, probs) {
						t.Fatalf("%s at %s: %v, then %v", name, s, probs, again)
					}
				}
				for _, m := range moves {
					s.Play(m)
					walk(s)
					s.Undo()
				}
			}
			walk(g.New())
		}
	}
}

// counted counts an agent's searches.
type counted struct {
	search.Agent
	searches int
}

func (c *counted) Search(ctx context.Context, s game.State) (search.Result, error) {
	c.searches++
	return c.Agent.Search(ctx, s)
}

// TestSplit checks that the probability is divided among equally good moves and that the position
// is searched only once.
func TestSplit(t *testing.T) {
	root := &searchtest.Sprig{ID: 1, Eval: []float64{0, 0}}
	for i := range 4 {
		v := float64(i % 2)
		root.Kids = append(root.Kids, &searchtest.Sprig{ID: i + 2, Turn: game.Nobody, Ends: []float64{v, -v}})
	}
	g := searchtest.Shape{Players: 2, Sum: game.Zero}.Game(root)
	for split, want := range map[bool][]float64{false: {0, 1, 0, 0}, true: {0, .5, 0, .5}} {
		o := search.Options{Game: g, Eval: searchtest.SprigEval{}, Complete: true}
		a := &counted{Agent: searchtest.MustAgent(t, searchtest.GreedyOf, o)}
		p := policy.FromAgent(a, g)
		p.Split = split
		s := g.New()
		for range 10 {
			if got := p.Probs(s, s.Moves(nil), nil); !slices.Equal(got, want) || a.searches != 1 {
				t.Errorf("split %v: %v by %d searches; want %v by one", split, got, a.searches, want)
			}
		}
	}
}

func TestBadMixtures(t *testing.T) {
	two := []game.Policy{policy.Uniform{}, policy.Uniform{}}
	for _, w := range [][]float64{{.5}, {.5, .6}, {1.5, -.5}, {math.NaN(), 1}, nil} {
		if _, err := policy.NewMix(w, two); err == nil {
			t.Errorf("weights %v were taken", w)
		}
	}
}

// TestAgentPolicyFollowsFromThePosition checks that an agent's policy depends only on the position
// and not on earlier calls. The agent breaks ties at random, and only one decision is stored.
func TestAgentPolicyFollowsFromThePosition(t *testing.T) {
	tied := func(id int) *searchtest.Sprig {
		n := &searchtest.Sprig{ID: id, Eval: []float64{0}}
		for i := range 6 {
			n.Kids = append(n.Kids, &searchtest.Sprig{ID: 10*id + i, Turn: game.Nobody, Ends: []float64{0}})
		}
		return n
	}
	root := &searchtest.Sprig{ID: 1, Eval: []float64{0}, Kids: []*searchtest.Sprig{tied(2), tied(3), tied(4), tied(5)}}
	g := searchtest.Shape{Players: 1, Sum: game.General}.Game(root)
	answers := func(order []game.Move) map[game.Move][]float64 {
		p := policy.FromAgent(searchtest.MustAgent(t, searchtest.GreedyOf, search.Options{Game: g, Eval: searchtest.SprigEval{}, Ties: search.Random}), g)
		p.Remember = 1
		out := map[game.Move][]float64{}
		s := g.New()
		for _, m := range order {
			s.Play(m)
			out[m] = p.Probs(s, s.Moves(nil), nil)
			s.Undo()
		}
		return out
	}
	first := answers([]game.Move{0, 1, 2, 3})
	if again := answers([]game.Move{3, 1, 0, 2, 1, 3, 3, 0}); !reflect.DeepEqual(first, again) {
		t.Errorf("%v, asked in another order %v", first, again)
	}
}

// TestAgentsDraw checks that moves are drawn with the right frequencies, and that the seed
// determines the draws.
func TestAgentsDraw(t *testing.T) {
	root := &searchtest.Sprig{ID: 1, Eval: []float64{0}}
	for i := range 4 {
		root.Kids = append(root.Kids, &searchtest.Sprig{ID: i + 2, Turn: game.Nobody, Ends: []float64{float64(i % 3)}})
	}
	g := searchtest.Shape{Players: 1, Sum: game.General}.Game(root)
	greedy := searchtest.MustAgent(t, searchtest.GreedyOf, search.Options{Game: g, Eval: searchtest.SprigEval{}})
	mixed := vectors.Must(policy.NewMixAgent([]float64{.8, .2}, []search.Agent{greedy, policy.NewRandom()}))
	for _, c := range []struct {
		agent search.Agent
		want  [4]int // counts in 4000 draws; 110 is four standard deviations of a binomial(4000, 1/4)
	}{{policy.NewRandom(), [4]int{1000, 1000, 1000, 1000}}, {mixed, [4]int{200, 200, 3400, 200}}} {
		play := func(seed uint64) (moves []game.Move) {
			c.agent.Begin(seed)
			for range 4000 {
				r := vectors.Must(c.agent.Search(context.Background(), g.New()))
				moves = append(moves, r.Move)
			}
			return moves
		}
		first, count := play(1), [4]int{}
		for _, m := range first {
			count[m]++
		}
		for m, n := range count {
			if n < c.want[m]-110 || n > c.want[m]+110 {
				t.Errorf("move %d was drawn %d times of 4000, want about %d", m, n, c.want[m])
			}
		}
		if !slices.Equal(first, play(1)) || slices.Equal(first, play(2)) {
			t.Error("want the draws of the seed")
		}
	}
}
