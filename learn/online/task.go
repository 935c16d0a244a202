package online

import (
	"fmt"
	"math"

	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/internal/settings"
	"plyfit/models"
)

// A Task specifies what is learned and the settings of the method.
type Task struct {
	// Training must be complete, that is, all settings that the method uses must be set.
	features.Training

	Game  *game.Game     // the world to play in
	Set   features.Set   // a feature set of the base game
	Model *models.Linear // initial model of Set, which the learner takes over
	Seed  uint64         // source of all random numbers

	// Frozen lists features (or models.Bias) that keep the weight they have in Model, for example a
	// score that is part of the value.
	Frozen []int32

	Workers int // number of episodes played in parallel, if the method supports this; 0 means 1; does not change the result

	// Planner creates the agents of methods that search.
	Planner Planner

	// Goal reports whether a finished episode reached a goal other than its outcome, such as a
	// particular tile in 2048. If Goal is nil, goals are not counted.
	Goal func(end game.State) bool
}

// FrozenPlaces reports for each weight whether it is frozen. The bias comes last.
func (t *Task) FrozenPlaces() []bool {
	keep := make([]bool, t.Model.Len()+1)
	for _, i := range t.Frozen {
		if i == models.Bias {
			i = int32(t.Model.Len())
		}
		keep[i] = true
	}
	return keep
}

// AverageFrom returns the episode from which weights are averaged, or a negative number if they are
// not averaged. Temporal-difference learning takes one sample per episode, and other methods take
// one per round.
func (t *Task) AverageFrom() int {
	if t.Average == 0 {
		return -1
	}
	return t.Episodes - int(t.Average*float64(t.Episodes))
}

// StepSize returns Alpha after the given number of episodes, reduced according to Decay.
func (t *Task) StepSize(episodes float64) float64 {
	if t.Decay > 0 {
		return t.Alpha / (1 + episodes/t.Decay)
	}
	return t.Alpha
}

// CheckOpposed is a version of [Task.Check] for learners that use a single value for all players.
func (t *Task) CheckOpposed(method string) error {
	if err := t.Check(method); err != nil {
		return err
	}
	switch base := t.Game.Base(); {
	case features.OneValue(base):
		return nil
	case base.Hidden:
		return fmt.Errorf("%s: want method td, or a game of perfect information in which one player's value determines the other's", base.Spec)
	default:
		return fmt.Errorf("%s: want a single-player game, a two-player constant-sum game, or method td", base.Spec)
	}
}

// Check returns an error if the task is not valid for the method. It panics if the game, the
// feature set or the model is missing or they do not belong together.
func (t *Task) Check(method string) error {
	if t.Game == nil || t.Set == nil || t.Model == nil {
		panic("online: the task has no game, no set or no model")
	}
	base := t.Game.Base()
	if t.Model.Features != t.Set.Name() || t.Model.Game != base.Name {
		panic(fmt.Sprintf("online: the model is for game %s and features %s, not for game %s and features %s", t.Model.Game, t.Model.Features, base.Name, t.Set.Name()))
	}
	if err := settings.Check(&t.Training, method); err != nil {
		return err
	}
	if t.Wins > 0 && t.Model.Link.Kind == models.Identity {
		return fmt.Errorf("label %s: want a model with link logistic or tanh", t.Wins)
	}
	if err := t.checkWorld(); err != nil {
		return err
	}
	for _, f := range t.Frozen {
		if f != models.Bias && (f < 0 || int(f) >= len(t.Model.Weights)) {
			return fmt.Errorf("frozen feature %d: want one of the %d features outside tables", f, len(t.Model.Weights))
		}
	}
	return nil
}

// checkWorld returns an error if learning in the task's world is not supported, or if the model's
// link cannot represent the world's utilities.
func (t *Task) checkWorld() error {
	base := t.Game.Base()
	if t.Game != base {
		if _, hostile := game.As[*game.Adversary](t.Game.New()); hostile {
			return fmt.Errorf("%s: want a world without an adversary", t.Game.Spec)
		}
	}
	if t.Model.Link.Kind != models.Identity && math.IsInf(base.Max-base.Min, 0) {
		return fmt.Errorf("link %s: want identity, because the utilities of %s have no bounds", t.Model.Link.Kind, base.Spec)
	}
	return nil
}

// Scale converts utilities to the values that are learned. Without a link, these are in the game's
// own units. With a link, they range from -1 to 1 between the game's bounds.
type Scale struct {
	Linked bool // the model has a link

	link   models.Link
	lo, hi float64
	wins   float64
}

// NewScale returns the scale of a task's utilities for its model's link.
func NewScale(t *Task) Scale {
	g, link := t.Game.Base(), t.Model.Link
	s := Scale{link: link, lo: g.Min, hi: g.Max, wins: float64(t.Wins)}
	s.link.Scale, s.Linked = link.TanhScale()
	return s
}

// Of returns the value that corresponds to a utility.
func (s *Scale) Of(utility float64) float64 {
	if s.wins > 0 {
		won := float64((s.lo + s.hi) / 2)
		switch mid := won; {
		case utility > mid:
			won = s.hi
		case utility < mid:
			won = s.lo
		}
		utility += float64(s.wins * (won - utility))
	}
	if !s.Linked {
		return utility
	}
	return (float64(2*utility) - s.lo - s.hi) / (s.hi - s.lo)
}

// Value returns the value that corresponds to the weighted sum z.
func (s *Scale) Value(z float64) float64 {
	if !s.Linked {
		return z
	}
	return elementary.Tanh(s.link.Scale * z)
}

// Slope returns the derivative of Value at a point where Value is v.
func (s *Scale) Slope(v float64) float64 {
	if !s.Linked {
		return 1
	}
	return s.link.Scale * (1 - float64(v*v))
}

// Unit returns the difference in the game's units that corresponds to a difference of 1 between
// values.
func (s *Scale) Unit() float64 {
	if !s.Linked {
		return 1
	}
	return (s.hi - s.lo) / 2
}
