package train

import (
	"time"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/settings"
	"plyfit/learn/online"
	"plyfit/models"
	"plyfit/search"
)

// Options say what is learned while playing, and how; [Defaults] are the game's own choices.
type Options struct {
	features.Training
	From    *Start // what the model is that Init names; nil: Init is zero or random
	Seed    uint64
	Workers int // never changes a result

	Dir             string        `flag:"run" help:"the run's folder; default: MODEL.train beside the model"` // checkpoint, log and report
	CheckpointEvery time.Duration `flag:"checkpoint-every" default:"1m0s" help:"least time between checkpoints"`
	Curve           Curve

	Command string // what repeats the run, for the model and the report
	// Middle is given the model as it is after half of the episodes; see [online.Options].
	Middle func(m *models.Linear) error

	Progress func(episodes int)   // told now and then; nil: none
	Measured func(p online.Point) // told of each point as it is measured; nil: none
}

// Start is a model of Set to begin with.
type Start struct {
	Set   features.Set
	Model *models.Linear
}

// Curve is how the learning curve is measured.
type Curve struct {
	Every    int           `flag:"curve-every" in:"of at least 0" help:"games between points of the learning curve; 0: a tenth of the games"`
	Pairs    int           `flag:"curve-pairs" default:"100" in:"of at least 0" help:"pairs of games at each point, 0 for none"`
	Openings int           `flag:"curve-openings" in:"of at least 0" help:"random decisions at the beginning of a pair; default: none where there is chance, else 6 or the game's --openings if that is more"`
	Planner  string        `flag:"planner" help:"who plays by the learned evaluation for the curve; default: one decision ahead"`
	Measure  arena.Measure `flag:"measure" among:"wins utility" help:"of the learning curve; default: as a match chooses it"`
	// Against is the opponent; nil: the planner with the hand-written evaluation, else random moves.
	Against *search.Factory
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
