package catalog

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// betrays returns a position from random games at which an agent's result depends on information
// hidden from its player, or an empty string if there is none. decisions is the number of
// comparisons.
func betrays(t *testing.T, w *World, agent string, games int) (found string, decisions int) {
	t.Helper()
	f := vectors.Must(w.Agent(agent, AgentOptions{Complete: true}))
	a := vectors.Must(f.New())
	defer search.Close(a)
	rng := rand.New(rand.NewPCG(5, 6))
	answer := func(s game.State) search.Result {
		a.Begin(3)
		r, err := a.Search(context.Background(), s)
		if err != nil {
			t.Fatalf("%s at %s: %v", agent, s, err)
		}
		return r
	}
	for range games {
		for s := w.New(); s.Turn() != game.Nobody; {
			moves := s.Moves(nil)
			if p := s.Turn(); p >= 0 && rng.IntN(20) < 8 {
				decisions++
				drawn := s.(game.HiddenState).Sample(p, rng)
				one, other := answer(s), answer(drawn)
				if one.Move != other.Move || one.Value != other.Value {
					return s.String(), decisions
				}
			}
			s.Play(moves[rng.IntN(len(moves))])
		}
	}
	return "", decisions
}

// TestAgentsDoNotPeek checks that agents give the same result in positions of random games and in
// others drawn from the same information sets. The cheating agent must be detected.
func TestAgentsDoNotPeek(t *testing.T) {
	games := 0
	for _, e := range All() {
		w := vectors.Must(All().World(e.Name))
		if !w.Hidden {
			continue
		}
		games++
		for _, agent := range []string{
			"random", "mix(0.5*random,0.5*pimc)", "pimc:samples=3", "pimc:samples=3,ties=random,agent=(maxn:depth=1),eval=zero", "ismcts:simulations=40", "ismcts:simulations=40,observers=multiple,rollouts=on",
		} {
			if found, n := betrays(t, w, agent, 12); found != "" || n < 5 {
				t.Errorf("%s in %s uses what is hidden at %q, in %d decisions", agent, w.Spec, found, n)
			}
		}
		if found, _ := betrays(t, w, "cheat(maxn:depth=2,eval=zero)", 100); found == "" {
			t.Errorf("the cheat was not caught in %s", w.Spec)
		}
	}
	if games < 3 {
		t.Errorf("%d games of imperfect information, want at least 3", games)
	}
}

// TestRefusals checks that searches for perfect information reject games with hidden information
// with a one-line error, and vice versa.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ world, agents, want string }{
		{"kuhn", "greedy minimax alphabeta expectimax maxn paranoid mcts mix(0.5*random,0.5*mcts) expectimax:assume=(mcts)", "kuhn hides part of it"},
		{"kuhn", "pimc:agent=(pimc) pimc:agent=(ismcts) cheat(ismcts)", "nothing is hidden in kuhn"},
		{"pig", "pimc ismcts cheat(random)", "nothing is hidden in pig"},
		{"kuhn", "pimc:samples=0 ismcts:observers=none pimc:depth=2 ismcts:depth=2", "want"},
	} {
		w := vectors.Must(All().World(c.world))
		for _, agent := range strings.Fields(c.agents) {
			_, err := w.Agent(agent, AgentOptions{})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s in %s: %v, want an error with %q", agent, c.world, err, c.want)
			}
		}
	}
	for _, world := range []string{"kuhn+slip=0.1", "leduc+adversary"} {
		if _, err := All().World(world); err == nil || !strings.Contains(err.Error(), "has hidden information") {
			t.Errorf("%s: %v", world, err)
		}
	}
}
