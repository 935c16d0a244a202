package policy_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"plyfit/game"
	"plyfit/game/connect4"
	"plyfit/game/pacman"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/internal/searchtest"
	"plyfit/search/mcts"
	"plyfit/search/policy"
)

// endless is an agent that plays the first move if let points to true. Otherwise it searches until
// its context ends.
type endless struct{ let *bool }

func (endless) Begin(uint64) {}

func (e endless) Search(ctx context.Context, s game.State) (search.Result, error) {
	if !*e.let {
		if ctx.Done() == nil {
			return search.Result{}, errors.New("a search without an end")
		}
		<-ctx.Done()
		return search.Result{Move: game.NoMove}, ctx.Err()
	}
	return search.Result{Move: s.Moves(nil)[0]}, nil
}

// haunted returns a pacman game in which the ghost follows the policy of the given agent, and a
// position in which the ghost is to move.
func haunted(t *testing.T, a search.Agent) (g *game.Game, s game.State) {
	t.Helper()
	plain := vectors.Must(pacman.New(game.NewOptions("pacman", "layout=gauntlet")))
	g = vectors.Must(pacman.WithGhosts(plain, "endless", func() game.Policy { return policy.FromAgent(a, plain) }))
	s = g.New()
	s.Play(s.Moves(nil)[0])
	return g, s
}

// TestPoliciesEndWithTheirContext checks that a policy based on agents stops when its context ends,
// restores the position, and still works when it is called again.
func TestPoliciesEndWithTheirContext(t *testing.T) {
	let := false
	g, s := haunted(t, endless{&let})
	mix := vectors.Must(policy.NewMix([]float64{0.5, 0.5}, []game.Policy{policy.Uniform{}, policy.FromAgent(endless{&let}, g)}))
	was, hash, moves := s.String(), s.Hash(), s.Moves(nil)
	ctx, stop := context.WithTimeout(t.Context(), time.Millisecond)
	defer stop()
	for name, p := range map[string]game.Policy{"an agent's": policy.FromAgent(endless{&let}, g), "a mixture": mix} {
		let = false
		got, err := game.ProbsWithin(ctx, p, s, moves, []float64{7})
		if !errors.Is(err, context.DeadlineExceeded) || len(got) != 1 || got[0] != 7 {
			t.Errorf("%s: %v, %v in time, want the list as it was and an error", name, got, err)
		}
		let = true
		if got := p.Probs(s, moves, []float64{7}); len(got) != len(moves)+1 || got[1] < 0.5 {
			t.Errorf("%s: %v when it is asked again", name, got)
		}
	}
	let = false
	nature, thinks := game.Pondering(s)
	if !thinks {
		t.Fatal("the ghost does not think")
	}
	if err := nature.Ponder(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the ghost: %v", err)
	}
	if s.String() != was || s.Hash() != hash {
		t.Errorf("%s became %s", was, s)
	}
	let = true
	vectors.Check(nature.Ponder(t.Context()))
	let = false // the ghost's decision is stored, so its agent must not be called again
	if c, _ := game.As[game.Chancer](s); c.Prob(moves[0]) != 1 {
		t.Errorf("the ghost plays %s with probability %v, want 1", s.MoveString(moves[0]), c.Prob(moves[0]))
	}
}

// TestSearchStopsWithItsContext checks that a search stops when its context ends, even if nature
// or the assumed policy is an agent that searches endlessly.
func TestSearchStopsWithItsContext(t *testing.T) {
	let := false
	g, s := haunted(t, endless{&let})
	s.Undo()
	four := vectors.Must(connect4.New(new(game.Options)))
	follows := assume.Assumption{Kind: assume.Policy, Policy: policy.FromAgent(endless{&let}, four)}
	for _, c := range []struct {
		name string
		s    game.State
		make func(search.Options) (search.Agent, error)
		o    search.Options
	}{
		{"expectimax", s, search.NewExpectimax, search.Options{Game: g}},
		{"alphabeta in the world", s, searchtest.AlphaBetaOf, search.Options{Game: g, Assume: assume.Assumption{Kind: assume.World}}},
		{"greedy", s, searchtest.GreedyOf, search.Options{Game: g}},
		{"maxn", s, searchtest.MaxNOf, search.Options{Game: g}},
		{"mcts", s, searchtest.MctsOf(mcts.Options{Simulations: 1 << 30}), search.Options{Game: g}},
		{"alphabeta and what it assumes", four.New(), searchtest.AlphaBetaOf, search.Options{Game: four, Assume: follows}},
		{"mcts and what it assumes", four.New(), searchtest.MctsOf(mcts.Options{Simulations: 1 << 30}), search.Options{Game: four, Assume: follows}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Eval, c.o.Depth = flat{}, 9
			a := searchtest.MustAgent(t, c.make, c.o)
			defer search.Close(a)
			ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer stop()
			was := c.s.String()
			a.Begin(1)
			if r, err := a.Search(ctx, c.s); err == nil && r.Depth > 1 {
				t.Errorf("depth %d, although no one it asks ever answers", r.Depth)
			}
			if ctx.Err() == nil {
				t.Error("the search ended before its time")
			}
			if c.s.String() != was {
				t.Errorf("%s became %s", was, c.s)
			}
		})
	}
}

// flat gives all positions the same value.
type flat struct{}

func (flat) Evaluate(game.State, game.Player) float64 { return 0 }

// speechless is an agent that always returns an error.
type speechless struct{}

var errSpeechless = errors.New("no answer")

func (speechless) Begin(uint64) {}
func (speechless) Search(context.Context, game.State) (search.Result, error) {
	return search.Result{Move: game.NoMove}, errSpeechless
}

// TestSearchFailsWithAssumedAgent checks that a search returns an error if the agent assumed for
// the other players fails. It must neither continue nor panic.
func TestSearchFailsWithAssumedAgent(t *testing.T) {
	four := vectors.Must(connect4.New(new(game.Options)))
	follows := assume.Assumption{Kind: assume.Policy, Policy: policy.FromAgent(speechless{}, four)}
	for name, make := range map[string]func(search.Options) (search.Agent, error){
		"minimax": searchtest.MinimaxOf, "alphabeta": searchtest.AlphaBetaOf, "expectimax": search.NewExpectimax, "maxn": searchtest.MaxNOf,
		"paranoid": searchtest.ParanoidOf, "mcts": searchtest.MctsOf(mcts.Options{Simulations: 50}),
	} {
		a := searchtest.MustAgent(t, make, search.Options{Game: four, Eval: flat{}, Depth: 3, Assume: follows})
		a.Begin(1)
		if r, err := a.Search(t.Context(), four.New()); !errors.Is(err, errSpeechless) || r.Move != game.NoMove {
			t.Errorf("%s: plays %v, %v: want the error of whom it asks", name, r.Move, err)
		}
	}
}
