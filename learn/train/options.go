package train

import (
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/settings"
	"plyfit/learn/online"
	"plyfit/models"
)

// Options say what is learned while playing, and how; [Defaults] are the game's own choices.
type Options struct {
	features.Training
	From    *Start // what the model is that Init names; nil: Init is zero or random
	Seed    uint64
	Workers int // never changes a result

	online.Conduct // of its curve, Player, Seed and Workers follow, and Against where it is not given
}

// Start is a model of Set to begin with.
type Start struct {
	Set   features.Set
	Model *models.Linear
}

// Defaults are the settings with what is zero in them filled in: by the game's own choices for the
// method and the feature set, or else the method's. The folder of the run is left to the caller.
func Defaults(w *catalog.World, t features.Training) (Options, error) {
	o := Options{Training: t}
	m, err := methodNamed(t.Method)
	if err != nil {
		return o, err
	}
	s, err := w.Set(t.Set)
	if err != nil {
		return o, err
	}
	frozen, err := w.FrozenIn(s.Name())
	if err != nil {
		return o, err
	}
	recipe, own := w.Recipe(), m.Own
	if t.Random {
		own.Init = Random
	}
	if w.Chancy() {
		own.Epsilon = 0
	} else {
		o.Curve.Openings = max(6, recipe.Openings)
	}
	own.Method, own.Openings, own.Freeze = m.Name, recipe.Openings, frozen
	settings.Keep(&own, m.Name)
	settings.Under(&o.Training, own)
	settings.Fill(&o, m.Name)
	if t.Average == 0 && len(features.New(s, w.Game).Table) > 0 {
		o.Average = 0
	}
	return o, nil
}
