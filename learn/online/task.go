package online

import (
	"fmt"
	"math"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

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

// CheckOpposed is Check for a learner that knows one value for all players: others want
// another world.
func (t *Task) CheckOpposed() error {
	if err := t.Check(); err != nil {
		return err
	}
	switch base := t.Game.Base(); {
	case features.Opposed(base):
		return nil
	case base.Hidden:
		return fmt.Errorf("%s: want a game of perfect information, in which one player's value tells the other's, or td", base.Spec)
	default:
		return fmt.Errorf("%s: want a game of one player, or of two whose utilities add up to a constant, or td", base.Spec)
	}
}

// Check finds what a task cannot be. It panics where game, set or model are missing
// or do not belong together.
func (t *Task) Check() error {
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
	}
	if err := t.checkWorld(); err != nil {
		return err
	}
	for _, f := range t.Frozen {
		if f != models.Bias && (f < 0 || int(f) >= len(t.Model.Weights)) {
			return fmt.Errorf("frozen feature %d: want one of the %d outside of tables", f, len(t.Model.Weights))
		}
	}
	return nil
}

// checkWorld finds a world that nobody learns in, or whose utilities the model's link
// cannot hold.
func (t *Task) checkWorld() error {
	base := t.Game.Base()
	if t.Game != base {
		if _, hostile := game.As[*game.Adversary](t.Game.New()); hostile {
			return fmt.Errorf("%s: want a world without an adversary in nature's place", t.Game.Spec)
		}
	}
	if t.Model.Link.Kind != models.Identity && math.IsInf(base.Max-base.Min, 0) {
		return fmt.Errorf("link %s: want identity, since the utilities of %s have no bounds", t.Model.Link.Kind, base.Spec)
	}
	return nil
}
