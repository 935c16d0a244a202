package hidden

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/search"
)

// ISMCTS contains the options of [NewISMCTS]. Except for Game and Eval, zero fields select
// defaults.
type ISMCTS struct {
	Game *game.Game       // a game of imperfect information
	Eval search.Evaluator // evaluates new leaves; search.Zero(Game) uses no knowledge of the game

	Simulations int     // number of simulations per search; 0 means 1,000
	Exploration float64 // constant C in UCB1, q + C sqrt(ln N / n) with q in [0, 1]; 0 means the square root of 1/2
	// Multiple gives each player a separate tree of that player's information sets (multiple
	// observers). Otherwise there is a single tree of the root mover's information sets, in which
	// the other players' moves do not depend on their hidden information.
	Multiple bool
	// Rollouts selects random play from new leaves to the end of the game. Otherwise Eval evaluates
	// new leaves.
	Rollouts bool

	Ties     search.Ties // rule for choosing between equally good moves
	Complete bool        // find all best moves (Result.Best)
}

// NewISMCTS returns an agent that uses information set Monte Carlo tree search (Cowling, Powley and
// Whitehouse, IEEE TCIAIG 4(2), 2012). Each simulation draws a position that the mover cannot
// distinguish from the true one, and descends a tree of information sets. A player's choice
// therefore depends only on what the player knows. The player to move takes the best available move
// by UCB1, where N is the number of times the move was available. A new node is evaluated for each
// player from that player's own point of view.
//
// By default there is a single observer (SO-ISMCTS). With o.Multiple the nodes are each player's
// own information sets (MO-ISMCTS, with perfect-recall keys as in Heinrich and Silver, Smooth UCT
// search, IJCAI 2015). Neither variant is guaranteed to approach an equilibrium.
//
// The agent plays the most visited move. The move's value is the mean over its simulations, and so
// are the values in Root. The same seed gives the same search.
func NewISMCTS(o ISMCTS) (search.Agent, error) {
	switch {
	case o.Game == nil || o.Eval == nil:
		return nil, fmt.Errorf("ismcts: want a game and an evaluation")
	case !o.Game.Hidden:
		return nil, fmt.Errorf("ismcts: nothing is hidden in %s; use mcts", o.Game.Name)
	case o.Simulations < 0:
		return nil, fmt.Errorf("ismcts: simulations=%d: want a positive number", o.Simulations)
	case !(o.Exploration >= 0) || math.IsInf(o.Exploration, 1):
		return nil, fmt.Errorf("ismcts: exploration=%v: want a positive number", o.Exploration)
	case math.IsInf(o.Game.Max-o.Game.Min, 0):
		return nil, fmt.Errorf("ismcts: the utilities of %s have no bounds; use a game with bounded utilities", o.Game.Spec)
	}
	o.Simulations, o.Exploration = cmp.Or(o.Simulations, 1000), cmp.Or(o.Exploration, math.Sqrt2/2)
	t := &ismcts{ISMCTS: o, values: make([]float64, o.Game.Players)}
	t.Begin(0)
	return t, nil
}

type ismcts struct {
	ISMCTS
	rng         *rand.Rand
	trees       []map[string]*set // each observer's information sets, by what the observer knows
	root        game.Player       // player who searches
	line        []choice          // choices of the current simulation
	values      []float64         // result of the current simulation for each player
	moves       []game.Move
	nodes       int64
	evaluations int64
}

// A set is an information set: a node of the tree.
type set struct{ arms []arm }

type arm struct {
	move      game.Move
	visits    int
	available int     // number of times the move could be chosen
	sum       float64 // sum of the results of the player who chooses
}

type choice struct {
	at  *set
	arm int
	who game.Player
}

var _ search.Agent = (*ismcts)(nil)

func (t *ismcts) Begin(seed uint64) { t.rng = rand.New(rand.NewPCG(seed, game.Mix(seed))) }

func (t *ismcts) Search(ctx context.Context, s game.State) (search.Result, error) {
	began := time.Now()
	h, r, over, err := begin(t.Game, s)
	if over || err != nil {
		return r, err
	}
	t.root, t.nodes, t.evaluations = max(0, s.Turn()), 0, 0
	t.trees = make([]map[string]*set, t.Game.Players)
	for q := range t.trees {
		t.trees[q] = map[string]*set{}
	}
	runs := 0
	for runs < t.Simulations && (runs == 0 || ctx.Err() == nil) {
		depth := t.simulate(h.Sample(t.root, t.rng).(game.HiddenState), runs == 0)
		r.Depth = max(r.Depth, depth)
		for q, v := range t.values {
			r.Values[q] += v
		}
		runs++
	}
	for q := range r.Values {
		r.Values[q] /= float64(runs)
	}
	r.Value = r.Values[t.root]
	if s.Turn() >= 0 {
		t.answer(&r, t.trees[t.root][h.Info(t.root)])
	}
	r.Nodes, r.Stats.Evaluations, r.Elapsed = t.nodes, t.evaluations, time.Since(began)
	return r, nil
}

// simulate descends the tree by playing moves on s, evaluates one new leaf and updates the nodes.
// It returns the number of decisions made in the tree. The first simulation also creates the root.
func (t *ismcts) simulate(s game.HiddenState, first bool) int {
	t.line = t.line[:0]
	for {
		t.nodes++
		turn := s.Turn()
		if turn == game.Nobody {
			utilities(s, t.values)
			break
		}
		t.moves = s.Moves(t.moves[:0])
		if turn == game.Chance {
			s.Play(game.Drawn(s, t.moves, t.rng.Float64()))
			continue
		}
		at, fresh := t.find(s, turn)
		if fresh && !(first && len(t.line) == 0) {
			t.leaf(s)
			break
		}
		chosen := t.choose(at)
		t.line = append(t.line, choice{at, chosen, turn})
		s.Play(at.arms[chosen].move)
	}
	for _, c := range t.line {
		a := &c.at.arms[c.arm]
		a.visits++
		a.sum += t.values[c.who]
	}
	return len(t.line)
}

// find returns the information set in which the player to move (turn) decides at s. The result
// fresh reports whether the set is new.
func (t *ismcts) find(s game.HiddenState, turn game.Player) (at *set, fresh bool) {
	observer := t.root
	if t.Multiple {
		observer = turn
	}
	info := s.Info(observer)
	if at = t.trees[observer][info]; at == nil {
		at, fresh = new(set), true
		t.trees[observer][info] = at
	}
	return at, fresh
}

// choose returns the index of the move to play in an information set. It considers the legal moves
// of the drawn position. If some of them have not been tried, it draws one of these. Otherwise it
// takes the best move by UCB1.
func (t *ismcts) choose(at *set) int {
	best, most, untried := -1, math.Inf(-1), 0
	for _, m := range t.moves {
		i := at.place(m)
		a := &at.arms[i]
		a.available++
		if a.visits == 0 {
			if untried++; t.rng.IntN(untried) == 0 {
				best = i
			}
			continue
		}
		if untried > 0 {
			continue
		}
		if u := t.upper(a); u > most {
			best, most = i, u
		}
	}
	return best
}

func (t *ismcts) upper(a *arm) float64 {
	n := float64(a.visits)
	q := (a.sum/n - t.Game.Min) / (t.Game.Max - t.Game.Min)
	return q + float64(t.Exploration*math.Sqrt(elementary.Log(float64(a.available))/n))
}

// place returns the index of the move m in the set. If the set does not contain m, place adds it.
func (s *set) place(m game.Move) int {
	for i := range s.arms {
		if s.arms[i].move == m {
			return i
		}
	}
	s.arms = append(s.arms, arm{move: m})
	return len(s.arms) - 1
}

// leaf sets t.values to each player's value at a new leaf.
func (t *ismcts) leaf(s game.State) {
	for plies := 0; t.Rollouts && plies < t.Game.MaxPlies; plies++ {
		turn := s.Turn()
		if turn == game.Nobody {
			utilities(s, t.values)
			return
		}
		t.nodes++
		t.moves = s.Moves(t.moves[:0])
		if turn == game.Chance {
			s.Play(game.Drawn(s, t.moves, t.rng.Float64()))
		} else {
			s.Play(t.moves[t.rng.IntN(len(t.moves))])
		}
	}
	t.evaluations++
	for q := range t.values {
		t.values[q] = min(max(t.Eval.Evaluate(s, game.Player(q)), t.Game.Min), t.Game.Max)
	}
}

// answer sets the result's move and values from the root.
func (t *ismcts) answer(r *search.Result, root *set) {
	best, equal := -1, 0
	for i, a := range root.arms {
		m := search.RootMove{Move: a.move, Value: t.Game.Max, Kind: search.Upper}
		if a.visits > 0 {
			m.Value, m.Kind = a.sum/float64(a.visits), search.Exact
		}
		r.Root = append(r.Root, m)
		switch {
		case best < 0 || a.visits > root.arms[best].visits:
			best, equal = i, 1
		case a.visits == root.arms[best].visits:
			if equal++; t.Ties == search.Random && t.rng.IntN(equal) == 0 {
				best = i
			}
		}
	}
	r.Move = r.Root[best].Move
	setValue(t.Game, r, t.root, r.Root[best].Value)
	r.PV = []game.Move{r.Move}
	for _, a := range root.arms {
		if t.Complete && a.visits == root.arms[best].visits {
			r.Best = append(r.Best, a.move)
		}
	}
}
