package bases

import (
	"context"
	"fmt"
	"os"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/study"
	"plyfit/train"
)

// Training is what an evaluation is learned by while it plays itself, in the world
// that it names: a cell's key. Step sizes and the rest are the method's
// defaults.
type Training struct {
	Game   string `json:"game"`   // spec
	Method string `json:"method"` // one of [train.Names]
	Games  int    `json:"games"`
	Seed   uint64 `json:"seed"`
	Agent  string `json:"agent,omitempty"` // whose searches are learned from; "": the method's own
}

// TrainAll are the models of trainings, by cells of the session.
func TrainAll(ctx context.Context, s *study.Session, title string, w *catalog.World, list []Training) ([]Model, error) {
	return study.Cells(ctx, s, title, list, func(t Training) float64 { return float64(t.Games) }, func(ctx context.Context, t Training) (Model, error) { return t.Learn(ctx, w) })
}

// Learn plays the games and learns a model of the game's default features.
func (t Training) Learn(ctx context.Context, w *catalog.World) (out Model, err error) {
	o, err := train.Defaults(w, features.Training{Method: t.Method, Episodes: t.Games, Agent: t.Agent})
	if err != nil {
		return out, err
	}
	// A cell is kept whole or not at all, so its checkpoints are of no use.
	if o.Dir, err = os.MkdirTemp("", "training"); err != nil {
		return out, err
	}
	defer os.RemoveAll(o.Dir)
	o.Seed, o.Workers = t.Seed, 1
	o.Curve.Every, o.Curve.Pairs = t.Games, 0
	r, err := train.Run(ctx, w, o)
	if err != nil {
		return out, fmt.Errorf("%s, seed %d: %w", t.Game, t.Seed, err)
	}
	m := r.Model
	if len(m.Table) > 0 {
		return out, fmt.Errorf("%s: want a feature set without tables", m.Features)
	}
	return Model{Weights: m.Weights, Bias: m.Bias, Link: m.Link.Kind, Scale: m.Link.Scale, Leaves: m.Leaves}, nil
}
