// Package bases fits evaluations that a study damages: independent ones, each to
// games of its own, so that what is found does not hang on one file; and others of
// the same game from less of those games, or from labels of another kind, whose
// errors are those that learned evaluations have.
//
// [Fit] says what is fitted: [Fit.Learn] plays its games and fits; [All] does so for
// many, cell by cell in a session. [Fit.Subject] makes the base evaluation of it,
// [Damage] the error that another model is beside it. [Training] is for evaluations
// that were learned while playing, with the errors of scale that those have.
package bases

import (
	"context"
	"fmt"
	"iter"
	"math"
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
	// Share, above 0, fits to that share of the games, drawn with replacement from
	// all of them by the draw's number (Efron and Tibshirani 1993): an error of
	// estimation.
	Share float64 `json:"share,omitempty"`
	Draw  uint64  `json:"draw,omitempty"`
	// Out are features that the model is to do without: those whose names begin with
	// one of these.
	Out []string `json:"out,omitempty"`
}

// Model is what came of a fit: a cell's result.
type Model struct {
	Weights []float64 `json:"weights"`
	Bias    float64   `json:"bias"`
	// Slope is the reliability: the slope of outcomes on what the model predicted, by
	// least squares over the positions of held-out games, a quarter as many as were
	// played to fit. 1 is a calibrated model; below 1 it is too sure of itself.
	// Of a trained model it is 0.
	Slope float64 `json:"slope"`
	// Link and Leaves are those of a trained model.
	Link   models.LinkKind `json:"link,omitempty"`
	Scale  float64         `json:"scale,omitempty"`
	Leaves models.Leaves   `json:"leaves,omitempty"`
}

const (
	penalty    = 1e-5 // draws weights to 0 where games are few
	heldOutOne = 4    // held-out games: one for so many
)

// All are the models of fits, by cells of the session.
func All(ctx context.Context, s *study.Session, title string, w *catalog.World, fits []Fit) ([]Model, error) {
	cost := func(f Fit) float64 {
		if f.Share > 0 {
			return f.Share * float64(f.Games)
		}
		return float64(f.Games + f.Games/heldOutOne)
	}
	return study.Cells(ctx, s, title, fits, cost, func(ctx context.Context, f Fit) (Model, error) { return f.Learn(ctx, w) })
}

// Learn plays the games and fits a model of the game's default features by logistic
// regression.
func (f Fit) Learn(ctx context.Context, w *catalog.World) (out Model, err error) {
	p, err := f.newPlayer(w)
	if err != nil {
		return out, err
	}
	var data rows
	if f.Share > 0 {
		random := study.NewRand(f.Seed, 0xb007, f.Draw)
		for i := range uint64(math.Ceil(f.Share * float64(f.Games))) {
			if err := p.play(ctx, random.Uint64N(uint64(f.Games)), i, f.Label, &data); err != nil {
				return out, err
			}
		}
	} else {
		for i := range uint64(f.Games) {
			if err := p.play(ctx, i, i, f.Label, &data); err != nil {
				return out, err
			}
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
	out.Weights, out.Bias = m.Weights, m.Bias
	if f.Share > 0 || f.Label != Outcome || f.Out != nil {
		return out, nil
	}
	var held rows
	for i := range uint64(f.Games / heldOutOne) {
		if err := p.play(ctx, uint64(f.Games)+i, i, Outcome, &held); err != nil {
			return out, err
		}
	}
	out.Slope = slope(m, held)
	return out, nil
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

// slope is that of labels on predictions.
func slope(m *models.Linear, data rows) float64 {
	var n, sx, sy, sxx, sxy float64
	for _, r := range data {
		x := m.Link.Apply(m.Dot(r.X), -1, 1)
		n, sx, sy = n+1, sx+x, sy+r.Y
		sxx, sxy = sxx+float64(x*x), sxy+float64(x*r.Y)
	}
	spread := sxx - float64(sx*sx)/n
	if !(spread > 0) {
		return 0 // the model says the same of all
	}
	return (sxy - float64(sx*sy)/n) / spread
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

// Subject is the base evaluation of a fit.
func (f Fit) Subject(ctx context.Context, w *catalog.World, m Model) (*damage.Subject, error) {
	return m.subject(ctx, w, fmt.Sprintf("fitted, seed %d", f.Seed), f.Seed)
}

// subject is the base evaluation that the model is.
func (m Model) subject(ctx context.Context, w *catalog.World, name string, seed uint64) (*damage.Subject, error) {
	u, err := m.Contestant(w, name, seed)
	if err != nil {
		return nil, err
	}
	return damage.NewSubject(ctx, u.Evaluation, seed)
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

// Damage is another model in the base evaluation's place.
func Damage(w *catalog.World, name string, m Model) (damage.Damage, error) {
	_, model, err := m.linear(w)
	if err != nil {
		return damage.Damage{}, err
	}
	digest, err := model.File().Digest()
	if err != nil {
		return damage.Damage{}, err
	}
	return damage.Damage{Kind: damage.Other, By: 1, Model: digest[:12], Linear: model, Name: name}, nil
}
