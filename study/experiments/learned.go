package experiments

import (
	"context"
	"fmt"
	"slices"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/learn/online"
	"plyfit/learn/online/td"
	"plyfit/models"
)

// learningCurve is one of temporal differences: a cell's key.
type learningCurve struct {
	Game        string  `json:"game"`
	Checkpoints []int   `json:"marks"` // games after which the weights are kept
	Alpha       float64 `json:"alpha,omitempty"`
	Lambda      float64 `json:"lambda,omitempty"`
	Seed        uint64  `json:"seed"`
}

// checkpoint is the weights after so many games.
type checkpoint struct {
	Games   int       `json:"games"`
	Weights []float64 `json:"weights"`
	Bias    float64   `json:"bias"`
}

// blank is a model of zeros of the set, over afterstates.
func blank(w *catalog.World, set features.Set) *models.Linear {
	base := w.Base()
	m := models.New(base.Name, set.Name(), set.Blocks())
	m.Leaves = models.Afterstate
	if base.Players == 2 {
		m.Link = models.Link{Kind: models.Tanh, Scale: 1}
	}
	return m
}

// learn plays and learns up to the last checkpoint.
func (k learningCurve) learn(ctx context.Context, w *catalog.World, set features.Set) ([]checkpoint, error) {
	m := blank(w, set)
	if len(m.Table) > 0 {
		return nil, fmt.Errorf("%s: want a feature set without tables", set.Name())
	}
	frozen, err := w.FrozenIn(set.Name())
	if err != nil {
		return nil, err
	}
	var fixed []int32
	for i := range m.Weights {
		if weight, ok := frozen[m.Name(int32(i))]; ok {
			m.Weights[i] = weight
			fixed = append(fixed, int32(i))
		}
	}
	l, err := td.New(online.Task{
		Training: features.Training{Alpha: k.Alpha, Lambda: k.Lambda, Batch: 1},
		Game:     w.Game, Set: set, Model: m, Seed: k.Seed, Frozen: fixed,
	})
	if err != nil {
		return nil, err
	}
	var out []checkpoint
	done := 0
	for _, n := range k.Checkpoints {
		if err := l.Advance(ctx, done, n); err != nil {
			return nil, err
		}
		done = n
		now := l.Model()
		out = append(out, checkpoint{n, slices.Clone(now.Weights), now.Bias})
	}
	return out, nil
}
