package td

import (
	"math"
	"math/rand/v2"

	"plyfit/game"
	"plyfit/learn/online"
	"plyfit/models"
)

// step is an afterstate of an episode: the position that a player's move led to.
type step struct {
	from, to int32       // its terms among the episode's, where they are kept as a vector
	rest     float64     // what is not learned of its weighted sum, where the rest is table indices
	who      game.Player // whose value it is: the mover's, or 0 where one value tells all
	value    float64     // his, as the weights were when it was played
	explored bool        // the move that led here was drawn at random,
	best     float64     // though one of this value was at hand
}

// episode is one game in player 0's view, or, where players have values of their own, each mover's.
type episode struct {
	steps   []step
	terms   models.Vector // of all steps
	indices []int32       // of all steps, as many for each
	end     step          // whose the last move was, and whether it was explored
	ends    []float64     // the outcome's value, by player who has one of his own
	moves   int           // decisions
	outcome online.Outcome
}

// actor plays episodes by the weights as they are. It belongs to one goroutine.
type actor struct {
	cfg       *online.Task
	scale     online.Scale
	extractor extractor
	ahead     *aheadExtractor // the extractor, where moves need not be played to be judged
	game      *online.Game
	viewers   int // players who have values of their own; 1 where player 0's tells all
	state     game.State
	base      game.State
	sampler   chanceSampler // where nature's moves are the base state's alone
	moves     []game.Move
	ends      []float64        // of moves that were tried: the value of the end that each leads to, NaN for none
	values    []float64        // of moves
	slot      int              // of the chosen move
	recorded  func(e *episode) // told of each step as it is recorded; nil: no one
	chosen    step             // where that leads
}

// chanceSampler is implemented by a [game.Chancer] that can draw one of nature's moves without
// listing all of them. Self-play uses it for speed.
//
// Example: in 2048 at "0012/0000/0100/0000 chance 0" 26 tiles can appear. SampleChance(0.25) computes
// the fourth empty cell and the tile 2 ("22=1") from the number alone.
type chanceSampler interface {
	// SampleChance is the move that [game.Drawn] selects for u in [0, 1). Where u falls within
	// rounding error of the border between two moves, it may be the neighbour.
	SampleChance(u float64) game.Move
}

func newActor(c *online.Task, scale online.Scale, x extractor, viewers int) *actor {
	w := &actor{cfg: c, scale: scale, extractor: x, game: online.NewGame(c), viewers: viewers}
	w.ahead, _ = x.(*aheadExtractor)
	w.game.Luck, w.game.Rewinds = w, true
	return w
}

func (w *actor) play(number int, e *episode) {
	g := w.game
	g.StartEpisode(number)
	w.state, w.base, w.sampler = g.State, game.Base(g.State), nil
	if w.state == w.base {
		w.sampler, _ = w.state.(chanceSampler)
	}
	e.steps, e.terms, e.indices, e.end, e.ends = e.steps[:0], e.terms[:0], e.indices[:0], step{}, e.ends[:0]
	recorded := true
	for g.Next() {
		if w.ahead != nil {
			w.ahead.find(w.base)
		}
		if !recorded { // while the caches fetch
			w.record(e)
		}
		g.Play(w.decide(g.Random, w.state.Turn()))
		g.Decide() // what a slip makes of the move is its afterstate
		if recorded = g.Over(); !recorded {
			w.slipped()
		} else if !g.Truncated() {
			e.end = w.chosen
		}
	}
	if !recorded {
		w.record(e)
	}
	e.moves, e.outcome = g.Decisions, g.Outcome()
	for p := range w.viewers {
		value := 0.0
		if !e.outcome.Truncated {
			value = w.scale.Of(game.Base(g.State).Utility(game.Player(p)))
		}
		e.ends = append(e.ends, value)
	}
}

// Draw implements [play.Luck]: nature's move.
func (w *actor) Draw(s game.State) game.Move {
	if w.sampler != nil {
		return w.sampler.SampleChance(w.game.Random.Float64())
	}
	w.moves = s.Moves(w.moves[:0])
	return game.Drawn(s, w.moves, w.game.Random.Float64())
}

// decide is p's move; where it leads is then chosen.
func (w *actor) decide(rng *rand.Rand, p game.Player) game.Move {
	viewer, st := w.viewer(p), &w.chosen
	if w.ends = w.ends[:0]; w.ahead != nil {
		w.moves, w.values = w.ahead.all(w.values[:0])
	} else {
		w.try(viewer)
		w.values = w.extractor.sums(len(w.moves), w.values[:0])
	}
	values, at := w.values, 0
	for i := range values {
		if i < len(w.ends) && w.ends[i] == w.ends[i] {
			values[i] = w.ends[i]
		} else {
			values[i] = w.scale.Value(values[i])
		}
		if p == viewer && values[i] > values[at] || p != viewer && values[i] < values[at] {
			at = i
		}
	}
	st.who, st.best, st.explored = viewer, values[at], false
	if w.cfg.Epsilon > 0 && rng.Float64() < w.cfg.Epsilon {
		st.best = w.worth(at)
		at = rng.IntN(len(w.moves))
		st.explored = true
	}
	w.slot, st.value = at, values[at]
	return w.moves[at]
}

// try plays each move and takes it back. All positions come first, then all sums, then their
// maximum: the look-ups of several positions overlap in the processor where nothing waits between.
func (w *actor) try(viewer game.Player) {
	w.moves = w.base.Moves(w.moves[:0])
	for i, m := range w.moves {
		w.base.Play(m)
		end := math.NaN()
		if w.base.Turn() == game.Nobody {
			end = w.scale.Of(w.base.Utility(viewer))
		} else {
			w.extractor.extract(w.base, i, viewer)
		}
		w.base.Undo()
		w.ends = append(w.ends, end)
	}
}

// viewer is whose value p's moves are chosen by.
func (w *actor) viewer(p game.Player) game.Player {
	if w.viewers > 1 {
		return p
	}
	return 0
}

// worth is the value of the move numbered at, or the average over the moves that it may slip to.
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

// slipped finds what the position is worth that a slip may have led to.
func (w *actor) slipped() {
	if w.state != w.base {
		w.slot = 0
		w.extractor.extract(w.base, 0, w.chosen.who)
		w.values = w.extractor.sums(1, w.values[:0])
		w.chosen.value = w.scale.Value(w.values[0])
	}
}

func (w *actor) record(e *episode) {
	e.steps = append(e.steps, w.chosen)
	w.extractor.keep(w.slot, e)
	if w.recorded != nil {
		w.recorded(e)
	}
}
