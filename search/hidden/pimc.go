// Package hidden searches games of imperfect information by sampling positions that the mover
// cannot distinguish from the true one.
//
// An agent receives the true position but uses only what the mover knows ([game.HiddenState]).
// [NewPIMC] draws complete positions and searches each as if nothing were hidden. [NewISMCTS]
// builds a single tree of information sets over all drawn positions. Package search/equilibrium can
// measure how far either agent is from an equilibrium.
package hidden

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/internal/position"
)

// PIMC contains the options of [NewPIMC]. Except for Game and Agent, zero fields select defaults.
type PIMC struct {
	Game  *game.Game   // a game of imperfect information
	Agent search.Agent // searches the drawn positions; must be created for Game.Open()

	Samples  int         // number of positions drawn per decision; 0 means 20
	Ties     search.Ties // rule for choosing between equally good moves
	Complete bool        // find all best moves (Result.Best)
}

// NewPIMC returns a perfect information Monte Carlo agent (Levy 1989; Ginsberg, GIB, JAIR 14,
// 2001). The agent draws positions that the mover cannot distinguish from the true one
// ([game.HiddenState.Sample]). o.Agent searches each of them with all cards open, and the agent
// plays the move with the best mean value.
//
// The method has two flaws that more samples do not remove (Frank and Basin, Search in games with
// incomplete information, Artificial Intelligence 100, 1998):
//
//   - Strategy fusion: the mover plays each drawn position differently, as if it could
//     tell the positions apart later.
//   - Non-locality: positions are drawn without regard to the others' earlier moves, although in
//     some of them the others would have played differently.
//
// As a result, the agent rarely bluffs and tends to overestimate its positions.
//
// If o.Agent returns bounds instead of exact values for inferior moves, as alpha-beta does, it
// searches the position after each move instead of the drawn position. With the same limits, this
// search is one decision deeper.
//
// Value and Root contain means over the samples. Values contains the mover's mean. In games with a
// fixed sum, the other player gets the rest of the sum. In other games, Values contains the means
// of the agent's values for the other players.
func NewPIMC(o PIMC) (search.Agent, error) {
	switch {
	case o.Game == nil || o.Agent == nil:
		return nil, fmt.Errorf("pimc: want a game and an agent")
	case !o.Game.Hidden:
		return nil, fmt.Errorf("pimc: nothing is hidden in %s; use an agent for games without hidden information", o.Game.Name)
	case o.Samples < 0:
		return nil, fmt.Errorf("pimc: samples=%d: want a positive number", o.Samples)
	}
	o.Samples = cmp.Or(o.Samples, 20)
	p := &pimc{PIMC: o}
	p.Begin(0)
	return p, nil
}

type pimc struct {
	PIMC
	rng    *rand.Rand
	bounds bool // the agent has returned bounds at its root
}

var _ search.Agent = (*pimc)(nil)

func (p *pimc) Begin(seed uint64) {
	p.rng = rand.New(rand.NewPCG(seed, game.Mix(seed)))
	p.bounds = false
}

// Close closes the agent that searches the drawn positions.
func (p *pimc) Close() error {
	search.Close(p.Agent)
	return nil
}

type tally struct {
	search.Result
	me    game.Player
	moves []game.Move
	sums  []float64 // sum of the mover's values for each move
	n     int       // number of samples
}

func (p *pimc) Search(ctx context.Context, s game.State) (search.Result, error) {
	began := time.Now()
	h, r, over, err := begin(p.Game, s)
	if over || err != nil {
		return r, err
	}
	t := &tally{me: max(0, s.Turn()), Result: r}
	if s.Turn() >= 0 {
		t.moves = s.Moves(nil)
		t.sums = make([]float64, len(t.moves))
	}
	samples := p.Samples
	if len(t.moves) == 1 {
		samples = 1 // there is only one move
	}
	for t.n < samples && (t.n == 0 || ctx.Err() == nil) {
		drawn, seed := h.Sample(t.me, p.rng), p.rng.Uint64()
		if err := p.sample(ctx, t, drawn, seed); err != nil {
			if t.n > 0 && ctx.Err() != nil {
				break
			}
			return search.Result{Move: game.NoMove}, err
		}
		t.n++
	}
	p.choose(t)
	t.Elapsed = time.Since(began)
	return t.Result, nil
}

// sample adds the result of the agent's search of one drawn position.
func (p *pimc) sample(ctx context.Context, t *tally, drawn game.State, seed uint64) error {
	if !p.bounds || len(t.moves) == 0 {
		r, err := p.ask(ctx, t, drawn, seed)
		if err != nil {
			return err
		}
		values := make([]float64, len(t.moves))
		exact := len(r.Root) == len(t.moves)
		for i, m := range r.Root {
			if exact = exact && m.Kind == search.Exact && m.Move == t.moves[i]; exact {
				values[i] = m.Value
			}
		}
		if exact {
			t.add(r.Values, values)
			return nil
		}
		p.bounds = true
	}
	return p.each(ctx, t, drawn, seed)
}

// each makes the agent search the positions that result from the moves at a drawn position, one
// after another.
func (p *pimc) each(ctx context.Context, t *tally, drawn game.State, seed uint64) error {
	var best []float64
	values := make([]float64, len(t.moves))
	for i, m := range t.moves {
		drawn.Play(m)
		found := make([]float64, len(t.Values))
		if drawn.Turn() == game.Nobody {
			utilities(drawn, found)
			t.Nodes++
		} else {
			r, err := p.ask(ctx, t, drawn, seed)
			if err != nil {
				return err
			}
			copy(found, r.Values)
		}
		drawn.Undo()
		if values[i] = found[t.me]; best == nil || values[i] > best[t.me] {
			best = found
		}
	}
	t.add(best, values)
	return nil
}

// ask lets the agent search one position.
func (p *pimc) ask(ctx context.Context, t *tally, drawn game.State, seed uint64) (search.Result, error) {
	p.Agent.Begin(seed)
	r, err := p.Agent.Search(ctx, drawn)
	if err != nil {
		return r, err
	}
	if len(r.Values) != len(t.Values) {
		return r, fmt.Errorf("pimc: the agent does not return values for all players at %s; use a different agent", drawn)
	}
	t.Nodes += r.Nodes
	t.Stats.Evaluations += r.Stats.Evaluations
	t.Depth = max(t.Depth, r.Depth)
	return r, nil
}

// add adds a sample, which consists of all players' values and the mover's value of each move.
func (t *tally) add(values, byMove []float64) {
	for q, v := range values {
		t.Values[q] += v
	}
	for i, v := range byMove {
		t.sums[i] += v
	}
}

// choose divides the sums by the number of samples and selects the move.
func (p *pimc) choose(t *tally) {
	n := float64(t.n)
	for q := range t.Values {
		t.Values[q] /= n
	}
	t.Value = t.Values[t.me]
	if len(t.moves) == 0 {
		return
	}
	best := t.sums[0]
	for i, v := range t.sums {
		best = max(best, v)
		t.Root = append(t.Root, search.RootMove{Move: t.moves[i], Value: v / n})
	}
	setValue(p.Game, &t.Result, t.me, best/n)
	equal := 0
	for _, r := range t.Root {
		if r.Value < t.Value-position.Tolerance(t.Value) {
			continue
		}
		if equal++; equal == 1 || p.Ties == search.Random && p.rng.IntN(equal) == 0 {
			t.Move = r.Move
		}
		if p.Complete {
			t.Best = append(t.Best, r.Move)
		}
	}
	t.PV = []game.Move{t.Move}
}

// begin returns s as a HiddenState, an empty search result, and whether the game is over. If it is
// over, the search result is complete.
func begin(g *game.Game, s game.State) (h game.HiddenState, r search.Result, over bool, err error) {
	r.Move = game.NoMove
	h, ok := s.(game.HiddenState)
	if !ok {
		return h, r, false, fmt.Errorf("nothing is hidden at %s; use a game of imperfect information", s)
	}
	r.Values = make([]float64, g.Players)
	if over = s.Turn() == game.Nobody; over {
		utilities(s, r.Values)
		r.Value, r.Exact, r.Nodes = r.Values[0], true, 1
	}
	return h, r, over, nil
}

// utilities sets values to the utilities of all players at s.
func utilities(s game.State, values []float64) {
	for q := range values {
		values[q] = s.Utility(game.Player(q))
	}
}

// setValue sets the result's value to player p's value. In two-player games with a fixed sum, it
// also sets the other player's value.
func setValue(g *game.Game, r *search.Result, p game.Player, value float64) {
	r.Value, r.Values[p] = value, value
	if total, fixed := g.FixedSum(); fixed && len(r.Values) == 2 {
		r.Values[1-p] = total - value
	}
}
