package fit

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/features"
	"plyfit/game"
	"plyfit/learn"
	"plyfit/learn/validate"
	"plyfit/models"
	"plyfit/report"
	"plyfit/search"
)

// Tested is how well a model, which stays as it is, predicts data sets.
type Tested struct {
	Model string `json:"model"`
	Game  string `json:"game"`
	Label string `json:"label"`
	// FittedTo are the data sets, as they were named, that the provenance of a tested
	// model names as what it was fitted to, by model: the figures are then no test.
	FittedTo map[string][]string `json:"fitted_to,omitempty"`
	// Replays and Joined are as in [Result].
	Replays int  `json:"replays"`
	Joined  bool `json:"joined"`
	// Lacking says why the hand-written evaluation is not compared with, though the game
	// has one.
	Lacking string `json:"lacking,omitempty"`
	*validate.Examination

	leaves map[string]models.Leaves // of the models
}

// Named is a model with the name that results have for it.
type Named struct {
	Name  string
	Set   features.Set
	Model *models.Linear
}

// Test compares what a model, and one by one others, say of the positions of data sets
// of w with what came, by label. The hand-written model, where the game has one, is
// compared with as well.
//
// Every model is asked in the view of the first one, at the positions that it was made
// for: one of afterstates after the recorded move, another before it. Positions of which
// one of them has none are left out for all. Games count as in a fit: replays are left
// out, and intervals are clustered by games that meet.
func Test(ctx context.Context, w *catalog.World, sets []*datasets.Set, label Label, model Named, against ...Named) (*Tested, error) {
	if err := label.check(); err != nil {
		return nil, err
	}
	for _, data := range sets {
		if data.Game != w.Spec {
			return nil, fmt.Errorf("%s: records of %s: want %s, as in %s", data.Dir, data.Game, w.Spec, sets[0].Dir)
		}
	}
	t := &Tested{Model: model.Name, Game: w.Spec, Label: label.String(), leaves: map[string]models.Leaves{}}
	f, err := newForecaster(w, label, append([]Named{model}, against...))
	if err != nil {
		return nil, err
	}
	data := materialOf(sets...)
	groups, err := newGroups(w.Game, data)
	if err != nil {
		return nil, err
	}
	t.Replays, t.Joined, t.Lacking = groups.replays, groups.joined, f.lacking
	if f.records, err = label.records(w, data, groups); err != nil {
		return nil, err
	}
	o := validate.Examining{Group: groups.group, ToCome: f.points}
	if base := w.Base(); !math.IsInf(base.Max-base.Min, 0) {
		o.Lo, o.Hi = base.Min, base.Max
	}
	for _, s := range f.speakers {
		o.Names = append(o.Names, s.Name)
		o.Probabilities = append(o.Probabilities, s.Model.Link.Bounded() && !f.points)
		t.leaves[s.Name] = s.Model.Leaves
		t.fitted(s, sets)
	}
	t.Examination, err = validate.Examine(ctx, f.all(), o)
	if errors.Is(err, learn.ErrNoRows) {
		return nil, fmt.Errorf("%s: no position has the label %s at which %s is asked: want others", data.name, label, model.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", data.name, err)
	}
	return t, nil
}

// fitted notes which of the data sets a model was fitted to.
func (t *Tested) fitted(s speaker, sets []*datasets.Set) {
	for _, data := range sets {
		if p := s.Model.Provenance; p != nil && p.Data != "" && p.Data == data.Digest && !slices.Contains(t.FittedTo[s.Name], data.Dir) {
			if t.FittedTo == nil {
				t.FittedTo = map[string][]string{}
			}
			t.FittedTo[s.Name] = append(t.FittedTo[s.Name], data.Dir)
		}
	}
}

// speaker is a model that says something of positions.
type speaker struct {
	Named
	eval *features.Evaluator
}

// forecaster asks models at recorded positions.
type forecaster struct {
	speakers  []speaker
	label     features.Label
	records   func() iter.Seq2[*datasets.Record, error]
	positions *features.Positions
	base      *game.Game
	points    bool // the score that is collected is known
	known     search.Evaluator
	lacking   string // why there is no hand-written model
}

// newForecaster asks these models and the hand-written one.
func newForecaster(w *catalog.World, label Label, named []Named) (*forecaster, error) {
	base := w.Base()
	f := &forecaster{label: label.of(w), positions: features.NewPositions(w.Game), base: base, known: search.Zero(base)}
	_, f.points = game.As[game.Scorer](base.New())
	said := map[string]bool{} // by digest
	for _, n := range named {
		e, err := w.EvaluationOf(n.Name, n.Set, n.Model)
		if err != nil {
			return nil, err
		}
		said[e.Digest] = true
		f.add(w, n)
	}
	if w.Entry.Ships("handwritten") {
		switch e, err := w.Evaluation("handwritten"); {
		case err != nil: // of a variant that it is not for
			f.lacking = err.Error()
		case !said[e.Digest]:
			f.add(w, Named{"handwritten", e.Set, e.Model})
		}
	}
	return f, nil
}

func (f *forecaster) add(w *catalog.World, n Named) {
	f.speakers = append(f.speakers, speaker{n, features.NewEvaluator(w.Game, n.Set, n.Model)})
}

// all are what the models say of the records.
func (f *forecaster) all() validate.Forecasts {
	return func(yield func(*validate.Forecast, error) bool) {
		out := validate.Forecast{Weight: 1, Said: make([]float64, len(f.speakers))}
		for r, err := range f.records() {
			if err != nil {
				yield(nil, err)
				return
			}
			at, err := f.at(r)
			if err != nil {
				yield(nil, fmt.Errorf("episode %d, ply %d: %w", r.Episode, r.Ply, err))
				return
			}
			if at == nil {
				continue
			}
			out.Episode, out.Ply = r.Episode, r.Ply
			for _, p := range f.viewers(at) {
				var ok bool
				if out.Came, ok = f.label(r, p); !ok {
					continue
				}
				if f.points {
					out.Known = f.known.Evaluate(at[f.speakers[0].Model.Leaves], p)
				}
				for k, s := range f.speakers {
					out.Said[k] = s.eval.Evaluate(at[s.Model.Leaves], p)
				}
				if !yield(&out, nil) {
					return
				}
			}
		}
	}
}

// at are the positions of a record at which the models are asked, by their leaves; nil
// where one of them has none.
func (f *forecaster) at(r *datasets.Record) (map[models.Leaves]game.State, error) {
	at := map[models.Leaves]game.State{}
	for _, s := range f.speakers {
		if at[s.Model.Leaves] != nil {
			continue
		}
		state, err := f.positions.At(r, s.Model.Leaves)
		if err != nil || state == nil || state.Turn() == game.Nobody {
			return nil, err
		}
		at[s.Model.Leaves] = state
	}
	return at, nil
}

// viewers are the players in whose view the models are asked: the one whose view the
// first model takes, or where the values of others do not follow from his, all.
func (f *forecaster) viewers(at map[models.Leaves]game.State) []game.Player {
	first := f.speakers[0]
	if features.Opposed(f.base) {
		return []game.Player{first.Set.View(at[first.Model.Leaves])}
	}
	all := make([]game.Player, f.base.Players)
	for p := range all {
		all[p] = game.Player(p)
	}
	return all
}

// Describe adds to a page how well the model predicts.
func (t *Tested) Describe(page *report.Page) {
	for _, name := range sortedKeys(t.FittedTo) {
		page.Add(report.Text(fmt.Sprintf("NO TEST OF %s: it was fitted to this data (%s). Its figures tell what it remembers, too.", name, strings.Join(t.FittedTo[name], ", "))))
	}
	text := fmt.Sprintf("%s on %d rows of %d games of %s, label %s.", t.Model, t.Rows, t.Episodes, t.Game, t.Label)
	if t.Replays > 0 {
		text += fmt.Sprintf(" Left out as repeats of others, from their first position to their last: %d.", t.Replays)
	}
	if t.Groups < t.Episodes {
		text += fmt.Sprintf(" Intervals count them as %d: games that are alike, or that meet beyond the opening, are one.", t.Groups)
	}
	own := t.leaves[t.Model]
	for _, name := range sortedKeys(t.leaves) {
		if leaves := t.leaves[name]; leaves != own {
			when := "before"
			if leaves == models.Afterstate {
				when = "after"
			}
			text += fmt.Sprintf(" %s is asked %s the recorded move, for which it was made.", name, when)
		}
	}
	if t.Lacking != "" {
		text += " Not compared with the hand-written evaluation: " + t.Lacking + "."
	}
	page.Add(report.Text(text))
	validate.Describe(page, t.Examination)
}
