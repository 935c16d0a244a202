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

// Task is what is learned, and by which settings.
type Task struct {
	// Training is complete: what its method reads is set.
	features.Training

	Game  *game.Game     // the world played in
	Set   features.Set   // of the base game
	Model *models.Linear // where learning begins: a model of Set. The learner takes it over
	Seed  uint64         // everything random follows from it

	// Frozen lists features (or models.Bias) that keep the weight they have in
	// Model: a score that is part of the value.
	Frozen []int32

	Workers int // episodes played at the same time, where the method can; 0: one. Never changes a result

	// Planner makes who plays, by the methods that search.
	Planner Planner

	// Goal reports whether a finished episode came to what the game is about,
	// beyond its outcome (a tile of 2048); nil: nothing is counted.
	Goal func(end game.State) bool
}

// FrozenPlaces tells which weights keep their values, the bias being the last.
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

// AverageFrom is the episode from which on the weights are averaged, one sample an
// episode by temporal differences, one a round by the others; negative: never.
func (t *Task) AverageFrom() int {
	if t.Average == 0 {
		return -1
	}
	return t.Episodes - int(t.Average*float64(t.Episodes))
}

// StepSize is Alpha after so many episodes, as Decay has it.
func (t *Task) StepSize(episodes float64) float64 {
	if t.Decay > 0 {
		return t.Alpha / (1 + episodes/t.Decay)
	}
	return t.Alpha
}

// CheckOpposed is Check for a learner that knows one value for all players.
func (t *Task) CheckOpposed(method string) error {
	if err := t.Check(method); err != nil {
		return err
	}
	switch base := t.Game.Base(); {
	case features.OneValue(base):
		return nil
	case base.Hidden:
		return fmt.Errorf("%s: want a game of perfect information, in which one player's value tells the other's, or td", base.Spec)
	default:
		return fmt.Errorf("%s: want a game of one player, or of two whose utilities add up to a constant, or td", base.Spec)
	}
}

// Check finds what a task of a method cannot be. It panics where game, set or model are
// missing or do not belong together.
func (t *Task) Check(method string) error {
	if t.Game == nil || t.Set == nil || t.Model == nil {
		panic("online: a task without a game, a set or a model")
	}
	base := t.Game.Base()
	if t.Model.Features != t.Set.Name() || t.Model.Game != base.Name {
		panic(fmt.Sprintf("online: model of %s and %s for %s and %s", t.Model.Game, t.Model.Features, base.Name, t.Set.Name()))
	}
	if err := settings.Check(&t.Training, method); err != nil {
		return err
	}
	if t.Wins > 0 && t.Model.Link.Kind == models.Identity {
		return fmt.Errorf("label %s: want a model with a link, logistic or tanh", t.Wins)
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

// checkWorld finds a world that no one learns in, or whose utilities the model's link cannot hold.
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

// Scale is what values are learned in: the game's own units where the model has
// no link, else -1 to 1 between the game's bounds.
type Scale struct {
	Linked bool // the model has a link

	link   models.Link
	lo, hi float64
	wins   float64
}

// NewScale is the scale of a task's utilities under its model's link.
func NewScale(t *Task) Scale {
	g, link := t.Game.Base(), t.Model.Link
	s := Scale{link: link, lo: g.Min, hi: g.Max, wins: float64(t.Wins)}
	s.link.Scale, s.Linked = link.TanhScale()
	return s
}

// Of is the value of a utility.
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

// Value is that of a weighted sum, Slope its derivative there.
func (s *Scale) Value(z float64) float64 {
	if !s.Linked {
		return z
	}
	return elementary.Tanh(s.link.Scale * z)
}

// Slope is the derivative of Value where it is v.
func (s *Scale) Slope(v float64) float64 {
	if !s.Linked {
		return 1
	}
	return s.link.Scale * (1 - float64(v*v))
}

// Unit is a difference of values of 1 in the game's units.
func (s *Scale) Unit() float64 {
	if !s.Linked {
		return 1
	}
	return (s.hi - s.lo) / 2
}
