package catalog_test

import (
	"context"
	"fmt"
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

// A visit is a node of a search with its final value.
type visit struct {
	state string
	value float64
}

// visits records the nodes of a search in the order in which they are left.
type visits []visit

func (v *visits) Node(n *search.Visit) {
	*v = append(*v, visit{n.State.String(), n.Value})
}

// pseudocode implements the search of the lectures according to the figures: Minimax-Search and
// Alpha-Beta-Search (Russell and Norvig, 4th ed., figures 5.3 and 5.7), with Is-Cutoff and Eval
// (section 5.3) and chance nodes (section 5.5). It records the nodes, including the root.
type pseudocode struct {
	player game.Player
	eval   search.Evaluator
	prune  bool
	seen   visits
}

func (c *pseudocode) value(s game.State, depth int, alpha, beta float64) (v float64) {
	defer func() { c.seen = append(c.seen, visit{s.String(), v}) }()
	switch turn := s.Turn(); {
	case turn == game.Nobody:
		return s.Utility(c.player)
	case turn == game.Chance:
		nature, _ := game.As[game.Chancer](s)
		for _, m := range s.Moves(nil) {
			p := nature.Prob(m)
			s.Play(m)
			v += p * c.value(s, depth, math.Inf(-1), math.Inf(1))
			s.Undo()
		}
		return v
	case depth == 0:
		return c.eval.Evaluate(s, c.player)
	case turn == c.player:
		v = math.Inf(-1)
		for _, m := range s.Moves(nil) {
			s.Play(m)
			v2 := c.value(s, depth-1, alpha, beta)
			s.Undo()
			if v2 > v {
				v = v2
				alpha = max(alpha, v)
			}
			if c.prune && v >= beta {
				return v
			}
		}
		return v
	}
	v = math.Inf(1)
	for _, m := range s.Moves(nil) {
		s.Play(m)
		v2 := c.value(s, depth-1, alpha, beta)
		s.Undo()
		if v2 < v {
			v = v2
			beta = min(beta, v)
		}
		if c.prune && v <= alpha {
			return v
		}
	}
	return v
}

// TestTextbookOrder checks that the textbook searches visit exactly the nodes visited by the
// pseudocode, in the same order and with the same values.
func TestTextbookOrder(t *testing.T) {
	const whole = 1000
	for _, c := range []struct {
		game, position, agents string
		depth                  int
	}{
		{"tree", "(max (min 3 12 8) (min 2 4 6) (min 14 5 2))", "minimax alphabeta expectimax", whole},
		{"tree", "(max (min 10 10) (min 9 100))", "minimax alphabeta expectimax", whole},
		{"tree", "(min (max (min 5 6) (min 7 4 5)) (max (min 3)) (max (min 6 (max 6 9)) (min 7)) (max (min 5) (min 9 8) (min 6)))", "minimax alphabeta expectimax", whole},
		{"tree", "(chance 1/2 8 1/3 24 1/6 -12)", "expectimax", whole},
		{"tree", "(max (chance 1/2 10 1/2 10) (chance 1/2 (min 9 20) 1/2 100))", "expectimax", whole},
		{"tictactoe", "XO..X...O X", "minimax alphabeta expectimax", 9},
		{"tictactoe", "X........ O", "alphabeta", 9},
		{"connect4", "4453", "minimax alphabeta expectimax", 3},
		{"connect4", "44537", "alphabeta", 3},
		{"pig:target=20", "", "expectimax", 2},
	} {
		w := vectors.Must(catalog.All().World(c.game))
		for _, kind := range strings.Fields(c.agents) {
			s := w.New()
			if c.position != "" {
				s = vectors.Must(w.Parse(c.position))
			}
			spec := kind
			if c.depth < whole {
				spec = vectors.Must(catalog.WithKey(kind, "depth", string(rune('0'+c.depth))))
			}
			var seen visits
			agent := vectors.Must(vectors.Must(w.Agent(vectors.Must(w.Textbook(spec, s)), catalog.AgentOptions{Observer: &seen})).New())
			agent.Begin(1)
			r := vectors.Must(agent.Search(context.Background(), s))
			search.Close(agent)

			want := pseudocode{player: max(0, s.Turn()), eval: vectors.Must(w.Evaluation("")).New(), prune: kind == "alphabeta"}
			v := want.value(s, c.depth, math.Inf(-1), math.Inf(1))
			if r.Value != v || r.Nodes != int64(len(want.seen)) {
				t.Errorf("%s %s %s: value %v from %d nodes, want %v from %d", c.game, c.position, spec, r.Value, r.Nodes, v, len(want.seen))
			}
			if len(seen) < len(want.seen) { // the agent does not report a decision at the root
				seen = append(seen, visit{s.String(), r.Values[0]})
			}
			if len(seen) != len(want.seen) {
				t.Fatalf("%s %s %s: observed %d nodes, want %d", c.game, c.position, spec, len(seen), len(want.seen))
			}
			for i, n := range want.seen {
				if want.player == 1 {
					n.value = -n.value
				}
				if seen[i] != n {
					t.Fatalf("%s %s %s: node %d is %v, want %v", c.game, c.position, spec, i, seen[i], n)
				}
			}
		}
	}
}

// values returns the pseudocode's values for all players and the move at the root. Each player
// chooses the first of their best moves (max^n, section 5.2.2), and chance nodes are averaged.
func values(s game.State, players int) (best []float64, move game.Move) {
	best, move = make([]float64, players), game.NoMove
	turn := s.Turn()
	if turn == game.Nobody {
		for p := range best {
			best[p] = s.Utility(game.Player(p))
		}
		return best, move
	}
	nature, _ := game.As[game.Chancer](s)
	for i, m := range s.Moves(nil) {
		s.Play(m)
		v, _ := values(s, players)
		s.Undo()
		switch {
		case turn == game.Chance:
			for p := range best {
				best[p] += nature.Prob(m) * v[p]
			}
		case i == 0 || v[turn] > best[turn]:
			best, move = v, m
		}
	}
	return best, move
}

// drawnTree returns a random tree with nodes of the given kinds and small leaf values, many of
// which are equal.
func drawnTree(rng *rand.Rand, kinds []string, players, depth int) string {
	if depth == 0 || rng.IntN(4) == 0 {
		leaf := fmt.Sprint(rng.IntN(5) - 2)
		if players > 2 || kinds[0] == "p0" {
			for range players - 1 {
				leaf += fmt.Sprint(",", rng.IntN(5)-2)
			}
			leaf = "<" + leaf + ">"
		}
		return leaf
	}
	kind := kinds[rng.IntN(len(kinds))]
	weight, n := "", 2+rng.IntN(2)
	if kind == "chance" {
		weight, n = "1/2 ", 2
	}
	text := "(" + kind
	for range n {
		text += " " + weight + drawnTree(rng, kinds, players, depth-1)
	}
	return text + ")"
}

// TestTextbookMoves checks that the textbook searches return the pseudocode's values for all
// players and play the same move, which is the first of equal ones.
func TestTextbookMoves(t *testing.T) {
	w, rng := vectors.Must(catalog.All().World("tree")), rand.New(rand.NewPCG(5, 1))
	for _, c := range []struct {
		agents, kinds string
		players       int
	}{{"minimax alphabeta expectimax maxn", "max min", 2}, {"expectimax maxn", "max min chance", 2}, {"maxn", "p0 p1", 2}, {"maxn", "p0 p1 p2 chance", 3}} {
		for range 300 {
			text := drawnTree(rng, strings.Fields(c.kinds), c.players, 4)
			s, err := w.Parse(text)
			if err != nil || s.Turn() < 0 || game.ShapeOf(w.Game, s).Players != c.players {
				continue
			}
			want, move := values(s, c.players)
			for _, kind := range strings.Fields(c.agents) {
				agent := vectors.Must(vectors.Must(w.Agent(vectors.Must(w.Textbook(kind, s)), catalog.AgentOptions{Complete: true})).New())
				r := vectors.Must(agent.Search(context.Background(), s))
				if r.Move != move || !slices.Equal(r.Values, want) {
					t.Errorf("%s %s: move %s, values %v, want %s, %v", kind, text, s.MoveString(r.Move), r.Values, s.MoveString(move), want)
				}
			}
		}
	}
}

// TestTextbook checks that agents are either converted to specs that can be parsed or rejected, and
// that keys without a textbook equivalent are rejected.
func TestTextbook(t *testing.T) {
	for _, c := range []struct{ game, agent, want string }{
		{"tree (max (min 1 2) 3)", "", "alphabeta:order=natural,table=off,ties=plain"},
		{"tree (max (chance 1/2 1 1/2 2) 3)", "", "expectimax:prune=none,order=natural,table=off,ties=plain"},
		{"tree (p0 <1,2,3> <3,1,2>)", "", "maxn:prune=none,ties=plain"},
		{"connect4", "", "alphabeta:order=natural,table=off,ties=plain"},
		{"2048", "", "expectimax:prune=none,order=natural,table=off,ties=plain"},
		{"connect4", "minimax", "minimax:ties=plain"},
		{"connect4", "minimax:depth=2", "minimax:depth=2,ties=plain"},
		{"connect4", "alphabeta:depth=3,table=off,eval=zero", "alphabeta:order=natural,table=off,depth=3,eval=zero,ties=plain"},
		{"tree", "expectimax:assume=uniform", "expectimax:prune=none,order=natural,table=off,assume=uniform,ties=plain"},
		{"tree", "maxn", "maxn:prune=none,ties=plain"},
		{"connect4", "alphabeta:time=1s", "error: time=1s is not part of the textbook search; use only eval, leaf, assume, ties, depth, order=natural, table=off"},
		{"connect4", "alphabeta:table=16", "error: table=16 is not"},
		{"connect4", "alphabeta:quiescence=on", "error: quiescence=on is not"},
		{"2048", "expectimax:samples=2", "error: samples=2 is not"},
		{"connect4", "alphabet", `did you mean "alphabeta"`},
		{"connect4", "mcts", "want a textbook search, one of alphabeta, expectimax, greedy, maxn, minimax"},
		{"connect4", "mix(1*minimax)", "error: agent mix(1*minimax): want a textbook search, one of"},
	} {
		name, position, _ := strings.Cut(c.game, " ")
		w := vectors.Must(catalog.All().World(name))
		s := w.New()
		if position != "" {
			s = vectors.Must(w.Parse(position))
		}
		got, err := w.Textbook(c.agent, s)
		if text, wrong := strings.CutPrefix(c.want, "error: "); wrong || strings.HasPrefix(text, "did") || strings.HasPrefix(text, "want") {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %s, %v, want an error with %q", c.agent, got, err, text)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.agent, got, err, c.want)
		} else if _, err := w.Agent(got, catalog.AgentOptions{}); err != nil {
			t.Error(err)
		}
	}
}
