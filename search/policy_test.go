package search

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"plyfit/game"
)

// policyGames are trees for two, and for one with a nature that might think.
var policyGames = []sprigShape{{2, game.Zero, .2, false, 6}, {2, game.Zero, .2, true, 6}, {1, game.General, .6, false, 6}}

// hostileGame is the game in which a ghost of g plans: that with an adversary
// where g is a game of one, g itself where the other player is the ghost.
func hostileGame(t *testing.T, g *game.Game) *game.Game {
	t.Helper()
	if _, hostile := g.New().(*game.Adversary); hostile || g.Players > 1 {
		return g
	}
	h, err := game.WithAdversary(g)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// ghost is the policy that plays depth-2 minimax with probability 0.8 and
// uniformly otherwise, as the spec mix(0.8*minimax:depth=2,0.2*random) has it.
func ghost(t *testing.T, g *game.Game, remember int) game.Policy {
	t.Helper()
	agent, err := NewMixAgent([]float64{.8, .2}, []Agent{
		made(t, minimaxOf, settings{Game: hostileGame(t, g), Eval: sprigEval{}, Depth: 2, Table: -1}),
		made(t, randomOf, settings{}),
	})
	if err != nil {
		t.Fatal(err)
	}
	p := PolicyOf(agent, g)
	p.(*Mix).policies[0].(*AgentPolicy).Remember = remember
	return p
}

// bruteGhost is the probability of each of n's moves under that policy, in a game
// with bounds lo and hi: the best by minimax, the first of several, but the
// soonest of certain wins and the last of certain losses.
func bruteGhost(n *sprig, lo, hi float64) []float64 {
	below, sign := 2, 1.0
	if n.turn == 1 || n.turn == game.Chance && n.luck == 0 {
		sign, lo, hi = -1, -hi, -lo
	}
	if n.turn >= 0 {
		below-- // nature's move is not counted
	}
	best, last, at := math.Inf(-1), 0, 0
	for i, k := range n.kids {
		v, far := sign*bruteHostile(k, below), 0
		if v == hi {
			far = -bruteDistance(k, sign > 0, sign*hi, below)
		} else if v == lo {
			far = bruteDistance(k, sign < 0, sign*lo, below)
		}
		if v > best || v == best && far > last {
			best, last, at = v, far, i
		}
	}
	p := make([]float64, len(n.kids))
	for i := range p {
		p[i] = .2 / float64(len(p))
	}
	p[at] += .8
	return p
}

// bruteDistance is the number of decisions within which player 0, or else his
// opponent, forces an end worth target to player 0; depth+1 where that is more
// than depth. Nature is an opponent.
func bruteDistance(n *sprig, first bool, target float64, depth int) int {
	var forced func(n *sprig, depth int) bool
	forced = func(n *sprig, depth int) bool {
		chooser := n.turn
		switch {
		case n.turn == game.Nobody:
			return n.ends[0] == target
		case n.turn == game.Chance:
			chooser = 1 - n.luck
		case depth == 0:
			return false
		default:
			depth--
		}
		one := (chooser == 0) == first
		for _, k := range n.kids {
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

// bruteFollowed is player 0's expectation when he plans depth decisions ahead
// against the ghost, in a hostile game with bounds lo and hi.
func bruteFollowed(n *sprig, depth int, lo, hi float64) float64 {
	switch {
	case n.turn == game.Nobody:
		return n.ends[0]
	case n.turn >= 0 && depth == 0:
		return n.eval[0]
	case n.turn == 0:
		best := math.Inf(-1)
		for _, k := range n.kids {
			best = max(best, bruteFollowed(k, depth-1, lo, hi))
		}
		return best
	}
	p := n.probs
	if n.turn == 1 || len(n.eval) == 1 {
		p = bruteGhost(n, lo, hi)
	}
	if n.turn == 1 {
		depth--
	}
	sum := 0.0
	for i, k := range n.kids {
		sum += p[i] * bruteFollowed(k, depth, lo, hi)
	}
	return sum
}

func TestOpponentModel(t *testing.T) {
	for _, sh := range policyGames {
		for seed := range uint64(60) {
			root := sh.grow(rand.New(rand.NewPCG(seed, 11)))
			root.turn = 0
			g := sh.game(root)
			for depth := 1; depth <= 4; depth++ {
				hostile := hostileGame(t, g)
				want := bruteFollowed(root, depth, hostile.Min, hostile.Max)
				for name, make := range map[string]func(settings) (Agent, error){"expectimax": expectimaxOf, "maxn": maxNOf} {
					// A memory of two decisions must serve as well as a large one, and
					// in a hostile world a planner may believe in the ghost all the same.
					for _, world := range []*game.Game{g, hostileGame(t, g)} {
						for _, remember := range []int{0, 2} {
							a := made(t, make, settings{Game: world, Eval: sprigEval{}, Depth: depth, Table: -1,
								Assume: Assume{Kind: AssumePolicy, Policy: ghost(t, world, remember)}})
							if r := searchOnce(t, a, world.New()); !near(r.Values[0], want) {
								t.Fatalf("%+v, seed %d, depth %d, %s: %v; want %v", sh, seed, depth, name, r.Values[0], want)
							}
						}
					}
				}
			}
		}
	}
}

// TestPoliciesLeaveThePosition also asks that probabilities add up to 1.
func TestPoliciesLeaveThePosition(t *testing.T) {
	for _, sh := range policyGames {
		for seed := range uint64(50) {
			root := sh.grow(rand.New(rand.NewPCG(seed, 12)))
			g := sh.game(root)
			policies := map[string]game.Policy{"uniform": Uniform{}, "ghost": ghost(t, g, 0)}
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
					if len(probs) != len(moves)+1 || probs[0] != 5 || !near(sum, 1) {
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

// TestSplit shares a decision among equally good moves.
func TestSplit(t *testing.T) {
	root := &sprig{id: 1, eval: []float64{0, 0}}
	for i := range 4 {
		v := float64(i % 2)
		root.kids = append(root.kids, &sprig{id: i + 2, turn: game.Nobody, ends: []float64{v, -v}})
	}
	g := sprigShape{players: 2, sum: game.Zero}.game(root)
	for split, want := range map[bool][]float64{false: {0, 1, 0, 0}, true: {0, .5, 0, .5}} {
		p := FromAgent(made(t, greedyOf, settings{Game: g, Eval: sprigEval{}, Complete: true}), g)
		p.Split = split
		s := g.New()
		if got := p.Probs(s, s.Moves(nil), nil); !slices.Equal(got, want) {
			t.Errorf("split %v: %v; want %v", split, got, want)
		}
	}
}

// TestAgentPolicyRemembers counts the searches behind a policy.
func TestAgentPolicyRemembers(t *testing.T) {
	sh := sprigShape{2, game.Zero, 0, false, 3}
	root := sh.grow(rand.New(rand.NewPCG(1, 14)))
	g := sh.game(root)
	p := FromAgent(made(t, greedyOf, settings{Game: g, Eval: sprigEval{}}), g)
	s := g.New()
	for range 10 {
		p.Probs(s, s.Moves(nil), nil)
	}
	if p.searches != 1 {
		t.Errorf("%d searches for one position", p.searches)
	}
}

func TestMixAgentDraws(t *testing.T) {
	root := &sprig{id: 1, eval: []float64{0}}
	for i := range 2 {
		root.kids = append(root.kids, &sprig{id: i + 2, turn: game.Nobody, ends: []float64{float64(i)}})
	}
	g := sprigShape{players: 1, sum: game.General}.game(root)
	a, err := NewMixAgent([]float64{.8, .2}, []Agent{
		made(t, greedyOf, settings{Game: g, Eval: sprigEval{}}), made(t, randomOf, settings{}),
	})
	if err != nil {
		t.Fatal(err)
	}
	play := func(seed uint64) (moves []game.Move) {
		a.Begin(seed)
		for range 4000 {
			r, err := a.Search(context.Background(), g.New())
			if err != nil {
				t.Fatal(err)
			}
			moves = append(moves, r.Move)
		}
		return moves
	}
	moves, best := play(3), 0
	for _, m := range moves {
		best += int(m)
	}
	// 0.8 + 0.2/2; four standard deviations of a binomial(4000, 0.9) are 76.
	if best < 3524 || best > 3676 {
		t.Errorf("the better move was played %d times of 4000; want about 3600", best)
	}
	if !slices.Equal(moves, play(3)) {
		t.Error("the same seed played other moves")
	}
}

func TestBadMixtures(t *testing.T) {
	two := []game.Policy{Uniform{}, Uniform{}}
	for _, w := range [][]float64{{.5}, {.5, .6}, {1.5, -.5}, {math.NaN(), 1}, nil} {
		if _, err := NewMix(w, two); err == nil {
			t.Errorf("weights %v were taken", w)
		}
	}
}

// TestAgentPolicyFollowsFromThePosition alone: not from what was asked before,
// though the agent draws among ties and nothing is remembered.
func TestAgentPolicyFollowsFromThePosition(t *testing.T) {
	tied := func(id int) *sprig {
		n := &sprig{id: id, eval: []float64{0}}
		for i := range 6 {
			n.kids = append(n.kids, &sprig{id: 10*id + i, turn: game.Nobody, ends: []float64{0}})
		}
		return n
	}
	root := &sprig{id: 1, eval: []float64{0}, kids: []*sprig{tied(2), tied(3), tied(4), tied(5)}}
	g := sprigShape{players: 1, sum: game.General}.game(root)
	answers := func(order []game.Move) map[game.Move][]float64 {
		p := FromAgent(made(t, greedyOf, settings{Game: g, Eval: sprigEval{}, Ties: Random}), g)
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

// TestMCTSAgainstAPolicy: the other player's and nature's decisions are drawn
// as the policy has them, those that it never takes not at all.
func TestMCTSAgainstAPolicy(t *testing.T) {
	for _, sh := range []sprigShape{{2, game.Zero, .2, false, 4}, {1, game.General, .5, false, 4}} {
		for seed := range uint64(15) {
			root := sh.grow(rand.New(rand.NewPCG(seed, 15)))
			root.turn = 0
			g := sh.game(root)
			minimax := made(t, minimaxOf, settings{Game: hostileGame(t, g), Eval: sprigEval{}, Depth: 2})
			for name, p := range map[string]game.Policy{"ghost": ghost(t, g, 0), "minimax": FromAgent(minimax, g)} {
				cfg := settings{Game: g, Eval: sprigEval{}, Assume: Assume{Kind: AssumePolicy, Policy: p}}
				cfg.Depth = 50
				want := searchOnce(t, made(t, expectimaxOf, cfg), g.New())
				cfg.MCTS.Simulations = 100000
				r := searchOnce(t, made(t, mctsOf, cfg), g.New())
				if math.Abs(r.Value-want.Value) > 0.2 || r.Exact && !near(r.Value, want.Value) {
					t.Errorf("%+v, seed %d, %s: %v (exact %v); want %v", sh, seed, name, r.Value, r.Exact, want.Value)
				}
			}
		}
	}
}
