package online

import (
	"math"
	"math/rand/v2"

	"plyfit/game"
	"plyfit/models"
)

// step is an afterstate of an episode: the position that a player's move led to.
type step struct {
	from, to int     // its terms among the episode's, where they are kept as a vector
	rest     float64 // what is not learned of its weighted sum, where the rest is table indices
	value    float64 // player 0's, as the weights were when it was played
	explored bool    // the move that led here was drawn at random,
	best     float64 // though one of this value was at hand
}

// episode is one game as it was played, player 0's view throughout.
type episode struct {
	steps     []step
	terms     models.Vector // of all steps
	indices   []int32       // of all steps, as many for each
	end       step          // the outcome in value, and whether the last move was explored
	utility   float64       // of player 0 in the game's units
	moves     int           // decisions
	truncated bool
	goal      bool
}

// extractor reads positions for an actor. It belongs to one goroutine.
type extractor interface {
	// extract puts the features of a base state into a slot.
	extract(s game.State, slot int)
	// sums appends player 0's weighted sums of the first n slots; of those that
	// nothing was put into they mean nothing.
	sums(n int, z []float64) []float64
	// keep appends the slot's features to the episode, as the last step's.
	keep(slot int, e *episode)
	// sum is the weighted sum of step k by the weights of now.
	sum(e *episode, k int) float64
	// update moves the sum of step k by about alpha times change.
	update(w *Weights, e *episode, k int, change float64)
}

// actor plays episodes by the weights as they are. It belongs to one goroutine
// and keeps its buffers.
type actor struct {
	task      *Task
	scale     scale
	extractor extractor
	state     game.State
	base      game.State
	sampler   game.ChanceSampler // where nature's moves are the base state's alone
	moves     []game.Move
	ends      []float64 // of moves: the value of the end that each leads to, NaN for none
	values    []float64 // of moves
	slot      int       // of the chosen move
}

// play plays one episode into e.
func (w *actor) play(number int, e *episode) {
	t := w.task
	rng := t.Random(number)
	e.steps, e.terms, e.indices, e.moves, e.goal = e.steps[:0], e.terms[:0], e.indices[:0], 0, false
	s, ply := t.Opening(rng, w.moves)
	w.state, w.base, w.sampler = s, game.Base(s), nil
	if s == w.base {
		w.sampler, _ = s.(game.ChanceSampler)
	}
	pending := step{} // the decision whose afterstate is not there yet
	decided := false
	for limit := t.Game.MaxPlies; ply < limit; ply++ {
		turn := s.Turn()
		if decided && !(turn == game.Chance && w.slips()) {
			decided = false
			if turn == game.Nobody {
				decided = true
				break
			}
			w.record(e, pending)
		}
		if turn == game.Nobody {
			break
		}
		if turn == game.Chance {
			s.Play(w.draw(rng))
			continue
		}
		var m game.Move
		m, pending = w.decide(rng, turn)
		decided = true
		e.moves++
		s.Play(m)
	}
	e.truncated = s.Turn() != game.Nobody
	e.end = step{}
	if !e.truncated {
		e.utility = w.base.Utility(0)
		if decided { // else nature made the last move
			e.end = pending
		}
		e.end.value = w.scale.of(e.utility)
		e.goal = t.Goal != nil && t.Goal(w.base)
	}
}

// draw is nature's move.
func (w *actor) draw(rng *rand.Rand) game.Move {
	if w.sampler != nil {
		return w.sampler.SampleChance(rng.Float64())
	}
	w.moves = w.state.Moves(w.moves[:0])
	return game.Drawn(w.state, w.moves, rng.Float64())
}

// slips reports whether a move was chosen and not yet decided.
func (w *actor) slips() bool {
	slip, ok := w.state.(*game.Slip)
	if !ok {
		return false
	}
	_, pending := slip.Intended()
	return pending
}

// decide chooses a move: the best, or one at random.
func (w *actor) decide(rng *rand.Rand, p game.Player) (game.Move, step) {
	w.moves = w.base.Moves(w.moves[:0])
	// All positions first, then all sums, then their maximum: the look-ups of
	// several positions overlap in the processor where nothing waits between.
	w.ends = w.ends[:0]
	for i, m := range w.moves {
		w.base.Play(m)
		end := math.NaN()
		if w.base.Turn() == game.Nobody {
			end = w.scale.of(w.base.Utility(0))
		} else {
			w.extractor.extract(w.base, i)
		}
		w.base.Undo()
		w.ends = append(w.ends, end)
	}
	w.values = w.extractor.sums(len(w.moves), w.values[:0])
	values, at := w.values, 0
	for i, end := range w.ends {
		if end == end {
			values[i] = end
		} else {
			values[i] = w.scale.value(values[i])
		}
		if p == 0 && values[i] > values[at] || p > 0 && values[i] < values[at] {
			at = i
		}
	}
	st := step{best: values[at]}
	if w.task.Epsilon > 0 && rng.Float64() < w.task.Epsilon {
		st.best = w.worth(at)
		at = rng.IntN(len(w.moves))
		st.explored = true
	}
	w.slot, st.value = at, values[at]
	return w.moves[at], st
}

// worth is what the move numbered at promises: its value, or where it may slip the
// average over the moves that it may come to.
func (w *actor) worth(at int) float64 {
	slip, ok := w.state.(*game.Slip)
	if !ok {
		return w.values[at]
	}
	slip.Play(w.moves[at])
	sum := 0.0
	for i, m := range w.moves {
		sum += float64(slip.Prob(m) * w.values[i])
	}
	slip.Undo()
	return sum
}

// record adds the afterstate at hand.
func (w *actor) record(e *episode, st step) {
	if w.state != w.base { // a slip may have led elsewhere
		w.slot = 0
		w.extractor.extract(w.base, 0)
		w.values = w.extractor.sums(1, w.values[:0])
		st.value = w.scale.value(w.values[0])
	}
	e.steps = append(e.steps, st)
	w.extractor.keep(w.slot, e)
}
