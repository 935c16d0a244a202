package search_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"plyfit/game"
	rules2048 "plyfit/game/2048"
	"plyfit/game/connect4"
	"plyfit/game/gametest"
	"plyfit/game/pig"
	"plyfit/game/tictactoe"
	"plyfit/game/tree"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/internal/searchtest"
	"plyfit/search/mcts"
	"plyfit/search/policy"
)

// hashed is an evaluation out of thin air: any number within the bounds of the
// game, the same for the same position.
type hashed struct{ g *game.Game }

func (e hashed) Evaluate(s game.State, p game.Player) float64 {
	sh := game.ShapeOf(e.g, s)
	if sh.Players == 2 && sh.Sum == game.Zero && p == 1 {
		return -e.Evaluate(s, 0)
	}
	u := float64(game.Mix(s.Hash()+uint64(p))>>11) / (1 << 53)
	return sh.Min + u*(sh.Max-sh.Min)
}

// within is x inside the bounds that s itself tells.
func within(s game.State, p game.Player, x float64) float64 {
	if b, ok := s.(game.Bounder); ok {
		lo, hi := b.Bounds(p)
		return game.Inside(x, lo, hi)
	}
	return x
}

// bruteWalk is max^n, or paranoid for player alone where that is none of the
// negative ones, from the definitions and on copies of the position.
func bruteWalk(s game.State, players, depth int, alone game.Player, e search.Evaluator) []float64 {
	v := make([]float64, players)
	turn := s.Turn()
	if turn == game.Nobody || turn >= 0 && depth == 0 {
		for p := range v {
			if turn == game.Nobody {
				v[p] = s.Utility(game.Player(p))
			} else {
				v[p] = within(s, game.Player(p), e.Evaluate(s, game.Player(p)))
			}
		}
		return v
	}
	if turn >= 0 {
		depth--
	}
	for i, m := range s.Moves(nil) {
		c := s.Clone()
		c.Play(m)
		w := bruteWalk(c, players, depth, alone, e)
		switch {
		case turn == game.Chance:
			for p := range v {
				v[p] += s.(game.Chancer).Prob(m) * w[p]
			}
		case i == 0,
			alone < 0 && w[turn] > v[turn],
			alone == turn && w[alone] > v[alone],
			alone >= 0 && alone != turn && w[alone] < v[alone]:
			v = w
		}
	}
	return v
}

// forest writes a random tree for three players, with chance nodes. No two
// leaves are equal: where moves tie, rounding would choose what the others get.
func forest(r *rand.Rand, deep int, b *strings.Builder) {
	if deep == 0 || r.IntN(10) == 0 {
		fmt.Fprintf(b, "<%.9f,%.9f,%.9f>", r.Float64()*8-4, r.Float64()*8-4, r.Float64()*8-4)
		return
	}
	kind := r.IntN(4)
	kids := 2 + r.IntN(2)
	if b.WriteString("("); kind == 3 {
		b.WriteString("chance")
	} else {
		fmt.Fprintf(b, "p%d", kind)
	}
	for range kids {
		if b.WriteString(" "); kind == 3 {
			fmt.Fprintf(b, "1/%d ", kids)
		}
		forest(r, deep-1, b)
	}
	b.WriteString(")")
}

// TestThreePlayers holds max^n and paranoid against brute force on explicit
// trees and on positions of pig.
func TestThreePlayers(t *testing.T) {
	wood := gametest.New(t, tree.New, "tree")
	dice := gametest.New(t, pig.New, "pig:target=12,players=3")
	random := rand.New(rand.NewPCG(1, 41))
	type task struct {
		g *game.Game
		s game.State
	}
	var tasks []task
	for len(tasks) < 300 {
		var b strings.Builder
		b.WriteString("(p0 ")
		forest(random, 5, &b)
		b.WriteString(" <1,2,3>)")
		s, err := wood.Parse(b.String())
		if err != nil {
			t.Fatal(err)
		}
		tasks = append(tasks, task{wood, s})
	}
	for len(tasks) < 330 {
		s := dice.New()
		for range random.IntN(60) {
			if moves := s.Moves(nil); len(moves) > 0 {
				s.Play(moves[random.IntN(len(moves))])
			}
		}
		tasks = append(tasks, task{dice, s.Clone()})
	}
	for _, k := range tasks {
		eval := hashed{k.g}
		mover := max(k.s.Turn(), 0)
		for depth := 1; depth <= 4; depth++ {
			cfg := search.Options{Game: k.g, Eval: eval, Depth: depth}
			want := bruteWalk(k.s, 3, depth, -1, eval)
			if r := searchtest.Search(t, searchtest.Made(t, searchtest.MaxNOf, cfg), k.s); !searchtest.AllNear(r.Values, want) {
				t.Fatalf("max^n, depth %d, %s: %v; want %v", depth, k.s, r.Values, want)
			}
			alone := bruteWalk(k.s, 3, depth, mover, eval)[mover]
			if r := searchtest.Search(t, searchtest.Made(t, searchtest.ParanoidOf, cfg), k.s); !searchtest.Near(r.Value, alone) {
				t.Fatalf("paranoid, depth %d, %s: %v; want %v", depth, k.s, r.Value, alone)
			}
		}
	}
}

// TestWholeTreesArePruned: where a search goes to the end of the game its
// values add up to zero, and shallow pruning may cut.
func TestWholeTreesArePruned(t *testing.T) {
	wood := gametest.New(t, tree.New, "tree")
	// The second player has 9 of 0, so that the first gets no more than -4 as
	// long as nobody gets less than -5; he has 4 already.
	s, err := wood.Parse("(p0 <4,-2,-2> (p1 <-6,9,-3> <2,3,-5> <-8,10,-2>))")
	if err != nil {
		t.Fatal(err)
	}
	r := searchtest.Search(t, searchtest.Made(t, searchtest.MaxNOf, search.Options{Game: wood, Eval: hashed{wood}}), s)
	if r.Nodes != 4 || r.Stats.BetaCuts == 0 || !r.Exact || r.Root[1] != (search.RootMove{1, -4, search.Upper}) || !searchtest.AllNear(r.Values, []float64{4, -2, -2}) {
		t.Errorf("%+v", r)
	}
}

// trail is an evaluation that is kept up to date and checks that it is: it
// knows the node at hand by what it was told alone.
type trail struct {
	t    *testing.T
	line []*searchtest.Sprig
}

var _ search.Tracker = (*trail)(nil)

func (e *trail) Reset(s game.State) { e.line = append(e.line[:0], s.(*searchtest.SprigState).At()) }
func (e *trail) Pop()               { e.line = e.line[:len(e.line)-1] }
func (e *trail) Push(s game.State, m game.Move) {
	at := e.line[len(e.line)-1]
	if s.(*searchtest.SprigState).At() != at {
		e.t.Fatalf("pushed a move at node %d; told of node %d", s.(*searchtest.SprigState).At().ID, at.ID)
	}
	e.line = append(e.line, at.Kids[m])
}
func (e *trail) Evaluate(s game.State, p game.Player) float64 {
	at := e.line[len(e.line)-1]
	if s.(*searchtest.SprigState).At() != at {
		e.t.Fatalf("asked of node %d; told of node %d", s.(*searchtest.SprigState).At().ID, at.ID)
	}
	return at.Eval[p]
}

// TestTrackersAreKeptUpToDate in every world.
func TestTrackersAreKeptUpToDate(t *testing.T) {
	plain := func(g *game.Game) (*game.Game, error) { return g, nil }
	slippery := func(g *game.Game) (*game.Game, error) { return game.WithSlip(g, .2) }
	for world, wrap := range map[string]func(*game.Game) (*game.Game, error){"plain": plain, "slip": slippery, "adversary": game.WithAdversary} {
		for seed := range uint64(20) {
			sh := searchtest.Shape{Players: 2, Sum: game.Zero, Chance: .3, Height: 5}
			g, err := wrap(sh.Game(sh.Grow(rand.New(rand.NewPCG(seed, 42)))))
			if err != nil {
				t.Fatal(err)
			}
			for name, make := range map[string]func(search.Options) (search.Agent, error){"greedy": searchtest.GreedyOf, "maxn": searchtest.MaxNOf, "paranoid": searchtest.ParanoidOf, "mcts": searchtest.MctsOf(mcts.Options{Simulations: 200})} {
				for _, kind := range []assume.Kind{assume.Default, assume.Base, assume.Adversary} {
					cfg := search.Options{Game: g, Depth: 3, Assume: assume.Assumption{Kind: kind}}
					cfg.Eval = searchtest.SprigEval{}
					want := searchtest.Search(t, searchtest.Made(t, make, cfg), g.New())
					cfg.Eval = &trail{t: t}
					r := searchtest.Search(t, searchtest.Made(t, make, cfg), g.New())
					if r.Value != want.Value || r.Move != want.Move {
						t.Fatalf("%s in the %s world, seed %d: %v by a tracker, %v without", name, world, seed, r.Value, want.Value)
					}
				}
			}
		}
	}
}

// TestPlannedSlips holds max^n in slippery worlds against brute force: a policy
// of nature's does not decide how a move slips, and depth counts decisions.
func TestPlannedSlips(t *testing.T) {
	const p = .2
	for seed := range uint64(40) {
		sh := searchtest.Shape{Players: 1, Sum: game.General, Chance: .4, Height: 5}
		root := sh.Grow(rand.New(rand.NewPCG(seed, 43)))
		g, err := game.WithSlip(sh.Game(root), p)
		if err != nil {
			t.Fatal(err)
		}
		var brute func(n *searchtest.Sprig, depth int) float64
		brute = func(n *searchtest.Sprig, depth int) float64 {
			switch {
			case n.Turn == game.Nobody:
				return n.Ends[0]
			case n.Turn >= 0 && depth == 0:
				return n.Eval[0]
			}
			if n.Turn >= 0 {
				depth--
			}
			best, mean := math.Inf(-1), 0.0
			for _, k := range n.Kids {
				v := brute(k, depth)
				best, mean = math.Max(best, v), mean+v/float64(len(n.Kids))
			}
			if n.Turn == game.Chance {
				return mean // the policy draws uniformly
			}
			return (1-p)*best + p*mean
		}
		for depth := 1; depth <= 3; depth++ {
			want := brute(root, depth)
			for name, make := range map[string]func(search.Options) (search.Agent, error){"maxn": searchtest.MaxNOf, "expectimax": search.NewExpectimax} {
				a := searchtest.Made(t, make, search.Options{Game: g, Eval: searchtest.SprigEval{}, Depth: depth, Assume: assume.Assumption{Kind: assume.Policy, Policy: policy.Uniform{}}})
				if r := searchtest.Search(t, a, g.New()); !searchtest.Near(r.Value, want) {
					t.Fatalf("%s, seed %d, depth %d: %v; want %v", name, seed, depth, r.Value, want)
				}
			}
		}
	}
}

// realGames are those of the project that this room may know, and their worlds.
func realGames(t *testing.T) (games []*game.Game) {
	t.Helper()
	for _, c := range []struct {
		rules func(*game.Options) (*game.Game, error)
		spec  string
	}{
		{tree.New, "tree"}, {connect4.New, "connect4"}, {tictactoe.New, "tictactoe"}, {pig.New, "pig:target=30"},
		{pig.New, "pig:target=30,players=3"}, {rules2048.New, "2048:size=3"},
	} {
		g := gametest.New(t, c.rules, c.spec)
		slippery, err := game.WithSlip(g, .1)
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g, slippery)
		if hostile, err := game.WithAdversary(g); err == nil {
			games = append(games, hostile)
		}
	}
	return games
}

// TestLawOfAgents lets every agent of this part of the package play a game of
// each kind in each world: its moves are legal, its values agree with each
// other and stay inside the bounds, it leaves the position as it was, and says
// the same again when it begins again.
func TestLawOfAgents(t *testing.T) {
	for _, g := range realGames(t) {
		eval, depth := search.Zero(g), 2
		if g.Name == "2048" {
			depth = 1 // its chance nodes are wide
		}
		drawn, err := policy.NewMix([]float64{.5, .5}, []game.Policy{policy.Uniform{}, policy.FromAgent(searchtest.Made(t, searchtest.GreedyOf, search.Options{Game: g, Eval: eval}), g)})
		if err != nil {
			t.Fatal(err)
		}
		agents := map[string]search.Agent{"sampler": policy.NewSampler(drawn)}
		for name, make := range map[string]func(search.Options) (search.Agent, error){"random": searchtest.RandomOf, "greedy": searchtest.GreedyOf, "maxn": searchtest.MaxNOf, "paranoid": searchtest.ParanoidOf, "mcts": searchtest.MctsOf(mcts.Options{Simulations: 60}),
			"mcts with rollouts": searchtest.MctsOf(mcts.Options{Simulations: 60, Rollout: policy.Uniform{}})} {
			agents[name] = searchtest.Made(t, make, search.Options{Game: g, Eval: eval, Depth: depth, Ties: search.Random, Complete: true})
			agents[name+" in a hurry"] = searchtest.Made(t, make, search.Options{Game: g, Eval: eval, Time: 1})
		}
		if agents["mixture"], err = policy.NewMixAgent([]float64{.5, .5}, []search.Agent{agents["greedy"], agents["random"]}); err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, 44))
		s := g.New()
		for range 40 {
			turn, moves := s.Turn(), s.Moves(nil)
			for name, a := range agents {
				r := searchtest.Search(t, a, s)
				what := fmt.Sprintf("%s in %s at %s: %+v", name, g.Spec, s, r)
				if (turn >= 0) != slices.Contains(moves, r.Move) || turn < 0 && r.Move != game.NoMove {
					t.Fatalf("not a legal move: %s", what)
				}
				if len(r.PV) > 0 && turn >= 0 && r.PV[0] != r.Move {
					t.Fatalf("another line: %s", what)
				}
				for p, v := range r.Values {
					if !(v >= g.Min && v <= g.Max) && g.Name != "tree" {
						t.Fatalf("player %d's value out of bounds: %s", p, what)
					}
				}
				if r.Values != nil && math.Abs(r.Values[max(turn, 0)]-r.Value) > 1e-9*math.Max(1, math.Abs(r.Value)) {
					t.Fatalf("the mover's value is another: %s", what)
				}
				if strings.HasSuffix(name, "hurry") {
					continue
				}
				again := searchtest.Search(t, a, s)
				r.Elapsed, again.Elapsed = 0, 0
				if !reflect.DeepEqual(r, again) {
					t.Fatalf("%s; then %+v", what, again)
				}
			}
			if turn == game.Nobody {
				break
			}
			s.Play(moves[random.IntN(len(moves))])
		}
	}
}

// TestMCTSPlaysTicTacToe without knowing anything: its moves must be as good as
// those of alpha-beta to the end of the game, its proofs true.
func TestMCTSPlaysTicTacToe(t *testing.T) {
	g := gametest.New(t, tictactoe.New, "tictactoe")
	random := rand.New(rand.NewPCG(1, 45))
	full := searchtest.Made(t, searchtest.AlphaBetaOf, search.Options{Game: g, Eval: search.Zero(g), Depth: 9, Complete: true})
	uct := searchtest.Made(t, searchtest.MctsOf(mcts.Options{Simulations: 3000}), search.Options{Game: g, Eval: search.Zero(g)})
	proven := 0
	for range 150 {
		s := g.New()
		for range random.IntN(6) {
			if moves := s.Moves(nil); len(moves) > 0 {
				s.Play(moves[random.IntN(len(moves))])
			}
		}
		if s.Turn() == game.Nobody {
			continue
		}
		want, r := searchtest.Search(t, full, s), searchtest.Search(t, uct, s)
		if !slices.Contains(want.Best, r.Move) {
			t.Errorf("%s: %s; the best are %v", s, s.MoveString(r.Move), want.Best)
		}
		if r.Exact {
			proven++
			if r.Value != want.Value {
				t.Errorf("%s: proven %v; the truth is %v", s, r.Value, want.Value)
			}
		}
	}
	if proven < 30 {
		t.Errorf("%d positions proven", proven)
	}
}
