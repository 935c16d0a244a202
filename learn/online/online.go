// Package online learns while it plays: temporal differences over afterstates,
// and what else changes the weights between one game and the next.
//
// The journey: a [Task] names the world, the feature set and the model that
// learning begins with; a [Learner] plays episodes of it against itself and
// moves the weights ([Weights]: step sizes, averages); [Run] drives the learner
// from checkpoint to checkpoint, measures its learning curve against a fixed
// opponent, and leaves a folder with the log, the curve and a report. A run that
// was killed at any moment goes on from its last checkpoint and ends with the
// very weights of a run that nobody disturbed.
package online

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// Learner is one way of learning while playing. It belongs to one goroutine,
// whatever number of workers it has play.
type Learner interface {
	// Advance plays and learns from episodes [from, to), the first of them
	// number 0. What comes out depends on the seed alone: not on the number of
	// workers, nor on how the episodes are cut into calls, as long as the calls
	// follow on each other and begin at multiples of [Config].Chunk. After an
	// error (ctx's among them) the learner is of no more use: a checkpoint from
	// before goes on.
	Advance(ctx context.Context, from, to int) error
	// Model is the model as it is to be shipped now: with averaged weights,
	// where the learner averages. It may share memory with the learner, and is
	// valid until the next call of Advance or Restore.
	Model() *models.Linear
	// Snapshot writes all that is needed to go on besides what made the learner:
	// weights, averages, step sizes, counters.
	Snapshot(w io.Writer) error
	// Restore reads what Snapshot wrote, into a learner made in the same way.
	Restore(r io.Reader) error
	// Tally is how the episodes went so far.
	Tally() Tally
}

// Tally adds up over the episodes of a learner since the first. The tally of a
// stretch is the difference of two ([Tally.Since]).
type Tally struct {
	Episodes  int     `json:"episodes"`
	Moves     int64   `json:"moves"` // decisions of players
	Truncated int     `json:"truncated"`
	Sum       float64 `json:"sum"`     // of player 0's outcomes, in the game's units, truncated episodes left out
	Squares   float64 `json:"squares"` // of the same
	Goals     int     `json:"goals"`   // episodes whose end met the task's Goal
	Samples   int64   `json:"samples"` // positions learned from
	Errors    float64 `json:"errors"`  // sum of squared errors over them, in the game's units, before learning
}

// Since is the tally of the episodes after those of earlier.
func (t Tally) Since(earlier Tally) Tally {
	return Tally{
		t.Episodes - earlier.Episodes, t.Moves - earlier.Moves, t.Truncated - earlier.Truncated,
		t.Sum - earlier.Sum, t.Squares - earlier.Squares, t.Goals - earlier.Goals,
		t.Samples - earlier.Samples, t.Errors - earlier.Errors,
	}
}

// Task is what is learned, whatever the method.
type Task struct {
	Game  *game.Game     // the world played in
	Set   features.Set   // of the base game
	Model *models.Linear // where learning begins: a model of Set. The learner takes it over
	Seed  uint64         // everything random follows from it

	// Frozen lists features (or models.Bias) that keep the weight they have in
	// Model: a score that is part of the value.
	Frozen []int32

	// Openings is the most decisions drawn uniformly at the beginning of an
	// episode; each episode draws how many, 0 to Openings. Nothing is learned
	// from them. Epsilon is the probability, from 0 to 1, of a random move in
	// place of the best afterwards.
	Openings int
	Epsilon  float64

	Workers int // episodes played at the same time, where the method can; 0: one. Never changes a result

	// Goal reports whether a finished episode came to what the game is about,
	// beyond its outcome (a tile of 2048); nil: nothing is counted.
	Goal func(end game.State) bool
}

func (t *Task) check() error {
	if t.Game == nil || t.Set == nil || t.Model == nil {
		panic("online: a task without a game, a set or a model")
	}
	base := t.Game.Base()
	if t.Model.Features != t.Set.Name() || t.Model.Game != base.Name {
		panic(fmt.Sprintf("online: model of %s and %s for %s and %s", t.Model.Game, t.Model.Features, base.Name, t.Set.Name()))
	}
	switch {
	case t.Openings < 0:
		return fmt.Errorf("openings=%d: want at least 0", t.Openings)
	case !(t.Epsilon >= 0 && t.Epsilon <= 1):
		return fmt.Errorf("epsilon=%v: want a probability", t.Epsilon)
	case base.Players > 2 || base.Players == 2 && base.Sum == game.General:
		return fmt.Errorf("%s: want a game of one player, or of two whose utilities add up to a constant", base.Spec)
	case t.Game != base:
		if _, hostile := game.As[*game.Adversary](t.Game.New()); hostile {
			return fmt.Errorf("%s: want a world without an adversary in nature's place", t.Game.Spec)
		}
	case t.Model.Link.Kind != models.Identity && math.IsInf(base.Max-base.Min, 0):
		return fmt.Errorf("link %s: want identity, since the utilities of %s have no bounds", t.Model.Link.Kind, base.Spec)
	}
	for _, f := range t.Frozen {
		if f != models.Bias && (f < 0 || int(f) >= len(t.Model.Weights)) {
			return fmt.Errorf("frozen feature %d: want one of the %d outside of tables", f, len(t.Model.Weights))
		}
	}
	return nil
}

// Random is the source of an episode's random numbers: the same in every
// process, whatever came before. Its formula is another than [game.Seed]'s, and
// older: the commands of shipped models give their bytes again by it.
func (t *Task) Random(episode int) *rand.Rand { return rand.New(t.source(episode)) }

func (t *Task) source(episode int) *rand.PCG {
	seed := game.Mix(game.Mix(t.Seed) + uint64(episode))
	return rand.NewPCG(seed, game.Mix(seed))
}

// openingTries is how often an opening that ends the game is drawn again before
// the episode begins at the start.
const openingTries = 50

// Opening is the position that an episode begins with, after its random opening,
// and the plies it took. buffer holds moves; it may be nil.
func (t *Task) Opening(rng *rand.Rand, buffer []game.Move) (s game.State, plies int) {
	if t.Openings == 0 {
		return t.Game.New(), 0
	}
	limit := t.Game.MaxPlies
	for try := 0; ; try++ {
		s, plies = t.Game.New(), 0
		decisions := 0
		if try < openingTries {
			decisions = rng.IntN(t.Openings + 1)
		}
		for decisions > 0 && s.Turn() != game.Nobody && plies < limit {
			buffer = s.Moves(buffer[:0])
			if s.Turn() == game.Chance {
				s.Play(game.Drawn(s, buffer, rng.Float64()))
			} else {
				decisions--
				s.Play(buffer[rng.IntN(len(buffer))])
			}
			plies++
		}
		if s.Turn() != game.Nobody && plies < limit || try >= openingTries {
			return s, plies
		}
	}
}
