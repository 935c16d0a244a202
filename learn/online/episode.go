package online

import (
	"math"
	"math/rand/v2"

	"plyfit/game"
	"plyfit/models"
)

// step is an afterstate of an episode: the position that a player's move led to.
type step struct {
	from, to int     // its features among the episode's terms
	value    float64 // player 0's, as the weights were when it was played
	explored bool    // the move that led here was drawn at random,
	best     float64 // though one of this value was at hand
}

// episode is one game as it was played, player 0's view throughout.
type episode struct {
	steps     []step
	terms     models.Vector
	end       step    // the outcome in value, and whether the last move was explored
	utility   float64 // of player 0 in the game's units
	moves     int     // decisions
	truncated bool
	goal      bool
}

// walker plays episodes by the weights as they are. It belongs to one goroutine
// and keeps its buffers.
type walker struct {
	task  *Task
	model *models.Linear
	scale scale
	bias  bool // features have the bias's column
	state game.State
	base  game.State
	moves []game.Move
	x     models.Vector
}

// play plays one episode into e.
func (w *walker) play(number int, e *episode) {
	t := w.task
	rng := t.Random(number)
	e.steps, e.terms, e.moves, e.goal = e.steps[:0], e.terms[:0], 0, false
	s, ply := t.Open(rng, w.moves)
	w.state, w.base = s, game.Base(s)
	pending := step{} // the decision whose afterstate is not there yet
	decided := false
	for limit := t.Game.MaxPlies; ply < limit; ply++ {
		turn := s.Turn()
		if decided && !(turn == game.Chance && w.slips()) {
			decided = false
			if turn == game.Nobody {
				break
			}
			w.record(e, pending)
		}
		if turn == game.Nobody {
			break
		}
		if turn == game.Chance {
			w.moves = s.Moves(w.moves[:0])
			s.Play(game.Drawn(s, w.moves, rng.Float64()))
			continue
		}
		var m game.Move
		m, pending = w.decide(rng, turn)
		decided = true
		e.moves++
		s.Play(m)
	}
	e.truncated = s.Turn() != game.Nobody
	e.end = pending
	if !e.truncated {
		e.utility = w.base.Utility(0)
		e.end.value = w.scale.of(e.utility)
		e.end.explored = e.end.explored && decided
		e.goal = t.Goal != nil && t.Goal(w.base)
	}
}

// slips tells whether a move was chosen and not yet decided.
func (w *walker) slips() bool {
	slip, ok := w.state.(*game.Slip)
	if !ok {
		return false
	}
	_, pending := slip.Intended()
	return pending
}

// decide chooses a move: the best, or one at random.
func (w *walker) decide(rng *rand.Rand, p game.Player) (game.Move, step) {
	w.moves = w.base.Moves(w.moves[:0])
	best, at := math.Inf(-1), 0
	for i, m := range w.moves {
		w.base.Play(m)
		v := 0.0
		if w.base.Turn() == game.Nobody {
			v = w.scale.of(w.base.Utility(0))
		} else {
			w.x = w.features(w.x[:0])
			v = w.scale.value(w.sum(w.x))
		}
		w.base.Undo()
		if p > 0 {
			v = -v
		}
		if v > best {
			best, at = v, i
		}
	}
	st := step{best: best}
	if p > 0 {
		st.best = -best
	}
	if w.task.Epsilon > 0 && rng.Float64() < w.task.Epsilon {
		at = rng.IntN(len(w.moves))
		st.explored = true
	}
	return w.moves[at], st
}

// features appends those of the position, the bias's column first; their values
// have the sign of player 0's view.
func (w *walker) features(x models.Vector) models.Vector {
	from := len(x)
	if w.bias {
		x = append(x, models.Term{Index: models.Bias, Value: 1})
		from++
	}
	view := w.task.Set.View(w.base)
	x = w.task.Set.Extract(w.base, view, x)
	if view > 0 {
		for i := from; i < len(x); i++ {
			x[i].Value = -x[i].Value
		}
	}
	return x
}

// sum is player 0's weighted sum.
func (w *walker) sum(x models.Vector) float64 {
	z := w.model.Dot(x)
	if !w.bias {
		z += w.model.Bias
	}
	return z
}

// record adds the afterstate at hand.
func (w *walker) record(e *episode, st step) {
	st.from = len(e.terms)
	e.terms = w.features(e.terms)
	st.to = len(e.terms)
	st.value = w.scale.value(w.sum(e.terms[st.from:st.to]))
	e.steps = append(e.steps, st)
}
