package golden

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// A searchWorld is a world whose positions are searched, with the agents that search them.
type searchWorld struct {
	spec      string
	positions int
	agents    []string
}

// file returns the name of the world's record.
func (w *searchWorld) file() string {
	return "search-" + strings.NewReplacer(":", "-", ",", "-", "=", "", "+", "-").Replace(w.spec)
}

var (
	duel   = []string{"greedy", "minimax:depth=2", "alphabeta:depth=3", "alphabeta:depth=2,order=natural,table=off", "alphabeta:depth=2,quiescence=on", "expectimax:depth=2", "maxn:depth=2", "paranoid:depth=2", "mcts:simulations=100"}
	chance = []string{"greedy", "minimax:depth=1", "alphabeta:depth=2", "expectimax:depth=1", "expectimax:depth=2,prune=none", "expectimax:depth=2,prune=star1", "expectimax:depth=2,prune=star2", "expectimax:depth=2,samples=2", "maxn:depth=1", "mcts:simulations=100"}
	blind  = []string{"pimc:samples=5", "pimc:samples=5,agent=(maxn:depth=2)", "pimc:samples=5,agent=(maxn:depth=3,prune=none)", "ismcts:simulations=100", "ismcts:simulations=100,observers=multiple,rollouts=on", "cheat(maxn:depth=3)"}
	alone  = []string{"greedy", "minimax:depth=1", "alphabeta:depth=1", "expectimax:depth=1", "expectimax:depth=1,prune=none", "expectimax:depth=2,samples=2", "mcts:simulations=100"}
)

var worlds = []searchWorld{
	{"connect4", 24, duel},
	{"connect4:score=distance", 12, duel},
	{"connect4+slip=0.2", 16, chance},
	{"connect4:dice=on", 16, chance},
	{"tictactoe", 24, duel},
	{"othello", 24, duel},
	{"checkers", 24, duel},
	{"chess", 24, []string{"greedy", "minimax:depth=1", "alphabeta:depth=2", "alphabeta:depth=2,quiescence=on", "expectimax:depth=1", "mcts:simulations=50"}},
	{"pig", 24, chance},
	{"pig:target=30,players=3", 16, []string{"greedy", "maxn:depth=2", "maxn:depth=2,prune=none", "paranoid:depth=2", "mcts:simulations=100"}},
	{"backgammon", 24, []string{"greedy", "alphabeta:depth=1", "expectimax:depth=1", "mcts:simulations=50"}},
	{"backgammon+adversary", 8, []string{"greedy", "alphabeta:depth=1", "expectimax:depth=1"}},
	{"2048", 24, alone},
	{"2048:size=3+adversary", 16, alone},
	{"pacman", 24, []string{"greedy", "minimax:depth=1", "alphabeta:depth=2", "expectimax:depth=2", "expectimax:depth=1,prune=none", "mcts:simulations=50"}},
	{"pacman+adversary", 12, []string{"greedy", "alphabeta:depth=1", "expectimax:depth=1"}},
	{"minesweeper:rows=4,columns=4,mines=4", 24, alone},
	{"kuhn", 16, blind},
	{"leduc", 24, blind},
	{"doudizhu", 6, []string{"pimc:samples=3", "ismcts:simulations=100", "ismcts:simulations=50,observers=multiple,rollouts=on", "cheat(greedy)", "rule"}},
	{"tree", 0, nil},
}

// trees lists positions of the game "tree". No random positions are drawn from that game.
var trees = []string{
	"(max (min 3 12 8) (min 2 4 6) (min 14 5 2))",
	"(max (chance 1/2 10 1/2 10) (chance 1/2 9 1/2 100))",
	"(max (chance 1/3 (min 1 2) 2/3 (min 4 -3)) (chance 1/7 (max 9 8) 6/7 (min 0.1 0.7)))",
}

// positions returns n positions reached from the start by uniformly random moves, including
// nature's. No floating-point numbers are used. In each position, a player is to move.
func positions(t *testing.T, w *catalog.World, n int) []game.State {
	t.Helper()
	h := fnv.New64a()
	h.Write([]byte(w.Name))
	rng := rand.New(rand.NewPCG(h.Sum64(), 12))
	var out []game.State
	for tries := 0; len(out) < n; tries++ {
		if tries > 200*n {
			t.Fatalf("%s: found %d positions, want %d", w.Name, len(out), n)
		}
		s := w.New()
		for range rng.IntN(30) {
			moves := s.Moves(nil)
			if len(moves) == 0 {
				break
			}
			s.Play(moves[rng.IntN(len(moves))])
		}
		for s.Turn() == game.Chance {
			moves := s.Moves(nil)
			s.Play(moves[rng.IntN(len(moves))])
		}
		if s.Turn() >= 0 {
			out = append(out, s.Clone())
		}
	}
	return out
}

func TestSearch(t *testing.T) {
	for _, world := range worlds {
		t.Run(world.file(), func(t *testing.T) {
			t.Parallel()
			r := begin(t, world.file())
			spec, agents := world.spec, world.agents
			var states []game.State
			if spec == "tree" {
				agents = append(slices.Clone(duel), chance...)
			}
			w := vectors.Must(catalog.All().World(spec))
			if spec == "tree" {
				for _, text := range trees {
					s := vectors.Must(w.Parse(text))
					states = append(states, s)
				}
			} else {
				states = positions(t, w, world.positions)
			}
			if testing.Short() {
				states = states[:min(3, len(states))]
			}
			for i, s := range states {
				r.add(fmt.Sprintf("position %d", i+1), "%s", s)
			}
			seen := map[string]bool{}
			for _, spec := range agents {
				if seen[spec] {
					continue
				}
				seen[spec] = true
				player := vectors.Must(w.Agent(spec, catalog.AgentOptions{Complete: true}))
				a := vectors.Must(player.New())
				for i, s := range states {
					a.Begin(7)
					result, err := a.Search(context.Background(), s.Clone())
					if err != nil {
						t.Fatalf("%s at %s: %v", spec, s, err)
					}
					move := "none"
					if result.Move != game.NoMove {
						move = s.MoveString(result.Move)
					}
					r.add(fmt.Sprintf("%s at %d", spec, i+1), "%d nodes, value %.17g, move %s, best %d in %d nodes, exact %v",
						result.Nodes, zero(result.Value), move, len(result.Best), result.BestNodes, result.Exact)
				}
				search.Close(a)
			}
		})
	}
}

// zero returns x, but 0 for -0.
func zero(x float64) float64 {
	if x == 0 {
		return 0
	}
	return x
}

// TestEval records the values of positions under the evaluations zero, handwritten and learned,
// without a search.
func TestEval(t *testing.T) {
	r := begin(t, "eval")
	for _, e := range catalog.All() {
		w := vectors.Must(catalog.All().World(e.Name))
		if e.Name == "tree" {
			continue
		}
		states := positions(t, w, 24)
		for _, name := range []string{"zero", "handwritten", "learned"} {
			if name != "zero" && !e.Ships(name) {
				continue
			}
			j := vectors.Must(w.Evaluation(name))
			eval := j.New()
			sum := fnv.New64a()
			for _, s := range states {
				fmt.Fprintf(sum, "%x ", math.Float64bits(zero(eval.Evaluate(s.Clone(), 0))))
			}
			r.add(e.Name+" "+name, "first %.17g, digest of %d values %016x", zero(eval.Evaluate(states[0].Clone(), 0)), len(states), sum.Sum64())
		}
	}
}

func TestPerft(t *testing.T) {
	r := begin(t, "perft")
	for spec, depth := range map[string]int{
		"connect4": 6, "connect4+slip=0.2": 4, "connect4:dice=on": 4, "tictactoe": 9, "othello": 6, "checkers": 6, "chess": 3,
		"pig": 8, "pig:target=30,players=3": 8, "backgammon": 3, "2048": 4, "2048:size=3": 5, "2048+adversary": 4,
		"pacman": 6, "minesweeper:rows=4,columns=4,mines=4": 3,
	} {
		w := vectors.Must(catalog.All().World(spec))
		r.add(spec, "%d paths of %d", game.Perft(w.New(), depth, nil), depth)
	}
	slices.Sort(r.whats)
}
