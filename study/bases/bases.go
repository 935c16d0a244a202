// Package bases fits evaluations that a study damages: independent ones, each to
// games of its own, so that what is found does not hang on one file; and others of
// the same game from less of those games, or from labels of another kind, whose
// errors are those that learned evaluations have.
//
// [Fit] says what is fitted: [Fit.Learn] plays its games and fits; [All] does so for
// many, cell by cell in a session. [Training] is for evaluations that were learned while
// playing, with the errors of scale that those have. [Model.Contestant] is what plays.
package bases

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/features"
	"plyfit/learn"
	"plyfit/learn/loss"
	"plyfit/models"
	"plyfit/study"
	"plyfit/study/damage"
)

// Fit is what a model is fitted to: a cell's key. Models of one game, world, number
// of games and seed are of the same games.
type Fit struct {
	Game  string      `json:"game"` // spec without +
	World study.World `json:"world"`
	Games int         `json:"games"`
	Seed  uint64      `json:"seed"`
	Label Label       `json:"label,omitempty"`
	// Out are features that the model is to do without: those whose names begin with
	// one of these.
	Out []string `json:"out,omitempty"`
}

// Model is what came of a fit: a cell's result.
type Model struct {
	Weights []float64 `json:"weights"`
	Bias    float64   `json:"bias"`
	// Link and Leaves are those of a trained model.
	Link   models.LinkKind `json:"link,omitempty"`
	Scale  float64         `json:"scale,omitempty"`
	Leaves models.Leaves   `json:"leaves,omitempty"`
}

// penalty draws weights to 0 where games are few.
const penalty = 1e-5

// All are the models of fits, by cells of the session.
func All(ctx context.Context, s *study.Session, title string, w *catalog.World, fits []Fit) ([]Model, error) {
	return study.Cells(ctx, s, title, fits, func(f Fit) float64 { return float64(f.Games) }, func(ctx context.Context, f Fit) (Model, error) { return f.Learn(ctx, w) })
}

// Learn plays the games and fits a model of the game's default features by logistic
// regression.
func (f Fit) Learn(ctx context.Context, w *catalog.World) (out Model, err error) {
	p, err := f.newPlayer(w)
	if err != nil {
		return out, err
	}
	var data rows
	for i := range uint64(f.Games) {
		if err := p.play(ctx, i, &data); err != nil {
			return out, err
		}
	}
	if f.Label == Ranks {
		data.rank()
	}
	m := blank(w, p.set)
	frozen, err := leftOut(m, f.Out)
	if err != nil {
		return out, fmt.Errorf("%s: %w", f.Game, err)
	}
	l := learn.Newton{Options: learn.Options{Penalty: penalty, NoErrors: true, Frozen: frozen}, Loss: loss.Logistic{Lo: -1, Hi: 1}}
	if _, err := l.Learn(ctx, m, data); err != nil {
		return out, fmt.Errorf("%s, seed %d: %w", f.Game, f.Seed, err)
	}
	return Model{Weights: m.Weights, Bias: m.Bias}, nil
}

// blank is a model without weights, whose link makes shares of a win.
func blank(w *catalog.World, set features.Set) *models.Linear {
	m := models.New(w.Base().Name, set.Name(), set.Blocks())
	m.Link = models.Link{Kind: models.Logistic, Scale: 1}
	return m
}

// leftOut are the places of the features whose names begin with one of the
// prefixes.
func leftOut(m *models.Linear, prefixes []string) (places []int32, err error) {
	for _, prefix := range prefixes {
		found := len(places)
		for i := range m.Weights {
			if strings.HasPrefix(m.Name(int32(i)), prefix) && !slices.Contains(places, int32(i)) {
				places = append(places, int32(i))
			}
		}
		if len(places) == found {
			return nil, fmt.Errorf("group %q: %s has no more features whose names begin so", prefix, m.Features)
		}
	}
	if len(places) == len(m.Weights) {
		return nil, fmt.Errorf("group %q: all features of %s: want one to be left at least", prefixes, m.Features)
	}
	return places, nil
}

// CheckGroup says what is wrong with a group of features to be left out of the
// game's default set.
func CheckGroup(w *catalog.World, prefixes []string) error {
	set, err := w.Set("")
	if err != nil {
		return err
	}
	_, err = leftOut(blank(w, set), prefixes)
	return err
}

// rows are positions as player 0 has them.
type rows []datasets.Sample

// All implements [datasets.Samples].
func (l rows) All() iter.Seq2[*datasets.Sample, error] {
	return func(yield func(*datasets.Sample, error) bool) {
		for i := range l {
			if !yield(&l[i], nil) {
				return
			}
		}
	}
}

// linear is the model with its weights.
func (m Model) linear(w *catalog.World) (features.Set, *models.Linear, error) {
	set, err := w.Set("")
	if err != nil {
		return nil, nil, err
	}
	out := blank(w, set)
	copy(out.Weights, m.Weights)
	out.Bias = m.Bias
	if m.Link != "" {
		out.Link, out.Leaves = models.Link{Kind: m.Link, Scale: m.Scale}, m.Leaves
	}
	return set, out, nil
}

// Contestant is the evaluation that the model is, to play and to be calibrated.
func (m Model) Contestant(w *catalog.World, name string, seed uint64) (*damage.Subject, error) {
	set, model, err := m.linear(w)
	if err != nil {
		return nil, err
	}
	e, err := damage.EvaluationOf(w, name, set, model)
	if err != nil {
		return nil, err
	}
	return damage.NewContestant(e, seed), nil
}
