package td

import (
	"math"
	"math/rand/v2"

	"plyfit/game"
	"plyfit/learn/online"
	"plyfit/models"
)

// A step is an afterstate of an episode: the position after a player's move.
type step struct {
	from, to int32       // range of the step's terms in the episode, if the step is stored as a vector
	rest     float64     // part of the weighted sum that is not learned, if the step is stored as table indices
	who      game.Player // the player that the value refers to: the mover, or player 0 if one value determines all
	value    float64     // value to that player, with the weights at the time of play
	explored bool        // the move that led here was drawn at random
	best     float64     // value of the best move, if explored
}

// An episode is one game from player 0's point of view. If players have separate values, each step
// is from its mover's point of view.
type episode struct {
	steps   []step
	terms   models.Vector // terms of all steps
	indices []int32       // indices of all steps; each step has the same number of indices
	end     step          // its fields who and explored describe the last move
	ends    []float64     // value of the outcome to each player who has a separate value
	moves   int           // number of decisions
	outcome online.Outcome
}

// An actor plays episodes with the current weights. It must not be used by several goroutines at
// the same time.
type actor struct {
	cfg       *online.Task
	scale     online.Scale
	extractor extractor
	ahead     *aheadExtractor // the extractor, if it can evaluate moves without playing them; otherwise nil
	game      *online.Game
	viewers   int     // number of players with separate values; 1 if player 0's value determines all
	epsilon   float64 // probability of a random move in this episode
	state     game.State
	base      game.State
	sampler   chanceSampler // not nil if nature's moves are those of the base state
	moves     []game.Move
	ends      []float64        // for each move tried, the value if the game ends with it, otherwise NaN
	values    []float64        // values of the moves
	slot      int              // slot of the chosen move
	recorded  func(e *episode) // called after each recorded step; may be nil
	chosen    step             // step of the chosen move
}

// chanceSampler is implemented by a [game.Chancer] that can draw one of nature's moves without
// listing all of them. This makes self-play faster.
//
// Example: in 2048 at "0012/0000/0100/0000 chance 0", 26 different tiles can appear.
// SampleChance(0.25) computes the fourth empty cell and the tile 2 ("22=1") from the number alone.
type chanceSampler interface {
	// SampleChance returns the move that [game.Drawn] selects for u in [0, 1). If u differs from
	// the border between two moves only by rounding errors, it may return the other move.
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
	w.epsilon = w.cfg.Epsilon
	if fade := float64(w.cfg.EpsilonFade); fade > 0 {
		w.epsilon *= max(0, 1-float64(number)/fade)
	}
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
		if !recorded { // the data are loaded into the caches in the meantime
			w.record(e)
		}
		g.Play(w.decide(g.Random, w.state.Turn()))
		g.Decide() // if the move slips, the afterstate is the position after the actual move
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

// Draw implements [play.Luck]. It draws nature's move.
func (w *actor) Draw(s game.State) game.Move {
	if w.sampler != nil {
		return w.sampler.SampleChance(w.game.Random.Float64())
	}
	w.moves = s.Moves(w.moves[:0])
	return game.Drawn(s, w.moves, w.game.Random.Float64())
}

// decide returns player p's move and stores the resulting step in w.chosen.
func (w *actor) decide(rng *rand.Rand, p game.Player) game.Move {
	viewer, st := game.Player(0), &w.chosen
	if w.viewers > 1 {
		viewer = p // the player whose value determines the move
	}
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
	if w.epsilon > 0 && rng.Float64() < w.epsilon {
		st.best = w.worth(at)
		at = rng.IntN(len(w.moves))
		st.explored = true
	}
	w.slot, st.value = at, values[at]
	return w.moves[at]
}

// try plays and undoes each move. It first extracts all positions. The sums and their maximum are
// computed later, so that the lookups for different positions can overlap in the processor.
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

// worth returns the value of the move with the given index. If the move may slip, it returns the
// average value of the moves that may actually be played.
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

// slipped evaluates the actual position after a move that may have slipped.
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
