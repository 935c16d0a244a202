package fit

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/report"
	"plyfit/learn"
	"plyfit/learn/validate"
	"plyfit/models"
	"plyfit/search"
)

// Tested is how well a model, which stays as it is, predicts data sets.
type Tested struct {
	Model string `json:"model"`
	Game  string `json:"game"`
	Label string `json:"label"`
	// FittedTo has data sets, too, that are relabelled from what a model was fitted to.
	FittedTo fittedTo `json:"fitted_to,omitempty"`
	// Known are the games left out as equal to games the model was fitted to ([Testing].FittedTo),
	// or meeting them.
	Known int `json:"known_games,omitempty"`
	// Replays and Joined are as in [Result].
	Replays int  `json:"replays"`
	Joined  bool `json:"joined"`
	// Lacking is why the game's hand-written evaluation is not compared.
	Lacking string `json:"lacking,omitempty"`
	*validate.Examination

	leaves map[string]models.Leaves // of the models
}

// fittedTo are, by tested model, the data named as its training data in its provenance: figures on
// these are no test.
type fittedTo map[string][]string

func (f *fittedTo) note(name, data string, was bool) {
	if was && !slices.Contains((*f)[name], data) {
		if *f == nil {
			*f = fittedTo{}
		}
		(*f)[name] = append((*f)[name], data)
	}
}

func (f fittedTo) describe(page *report.Page, they, but string) {
	for _, name := range slices.Sorted(maps.Keys(f)) {
		page.Add(report.Text(fmt.Sprintf("NO TEST OF %s: %s (%s). %s", name, they, strings.Join(f[name], ", "), but)))
	}
}

// Named is a model with the name that results have for it.
type Named struct {
	Name  string
	Set   features.Set
	Model *models.Linear
}

// Testing says how a model is tested. The zero value of every field is a default.
type Testing struct {
	Label   Label
	Against []Named // other models to compare with
	// FittedTo is the model's training data: games equal to one of its games, or meeting one
	// beyond the opening, are left out. nil: only the model's provenance is checked.
	FittedTo *datasets.Set
}

// Test compares the predictions of a model, of others one by one and of the game's hand-written
// one, if any, with the results in data sets of w.
//
// Every model is evaluated in the view of the first one, at the positions it was made for: one of
// afterstates after the recorded move, another before it. Positions that a model lacks are left
// out for all. Games count as in a fit: replays are left out, and intervals are clustered by games
// that meet.
func Test(ctx context.Context, w *catalog.World, sets []*datasets.Set, model Named, o Testing) (*Tested, error) {
	if err := o.Label.check(); err != nil {
		return nil, err
	}
	all := slices.Clone(sets)
	if o.FittedTo != nil {
		if p := model.Model.Provenance; p != nil && p.Data != "" && p.Data != o.FittedTo.Digest {
			return nil, fmt.Errorf("%s: model %s was fitted to another data set: want the one with the digest %s", o.FittedTo.Dir, model.Name, p.Data)
		}
		all = append(all, o.FittedTo)
	}
	for _, data := range all {
		if data.Game != w.Spec {
			return nil, fmt.Errorf("%s: records of %s: want %s, as in %s", data.Dir, data.Game, w.Spec, sets[0].Dir)
		}
	}
	t := &Tested{Model: model.Name, Game: w.Spec, Label: o.Label.String(), leaves: map[string]models.Leaves{}}
	f, err := newForecaster(w, o.Label, append([]Named{model}, o.Against...))
	if err != nil {
		return nil, err
	}
	groups, err := newGroups(w.Game, model.Set, materialOf(all...))
	if err != nil {
		return nil, err
	}
	data := materialOf(sets...)
	t.Joined, t.Lacking = groups.joined, f.lacking
	if f.records, err = o.Label.records(w, data, groups); err != nil {
		return nil, err
	}
	f.records = t.without(groups, data.episodes, f.records)
	x := validate.Examining{Group: groups.group, ToCome: f.points}
	if base := w.Base(); !math.IsInf(base.Max-base.Min, 0) {
		x.Lo, x.Hi = base.Min, base.Max
	}
	for _, s := range f.speakers {
		x.Names = append(x.Names, s.Name)
		x.Probabilities = append(x.Probabilities, s.Model.Link.Bounded() && !f.points)
		t.leaves[s.Name] = s.Model.Leaves
		for _, data := range sets {
			p := s.Model.Provenance
			t.FittedTo.note(s.Name, data.Dir, p != nil && p.Data != "" && (p.Data == data.Digest || p.Data == data.Source))
		}
	}
	t.Examination, err = validate.Examine(ctx, f.all(), x)
	if errors.Is(err, learn.ErrNoRows) {
		return nil, fmt.Errorf("%s: no position has the label %s at which %s is asked: want others", data.name, o.Label, model.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", data.name, err)
	}
	return t, nil
}

// without are records without games grouped with an episode from end on, the model's training
// data. It counts them and replays.
func (t *Tested) without(g *groups, end int, records func() iter.Seq2[*datasets.Record, error]) func() iter.Seq2[*datasets.Record, error] {
	groups, lines := map[uint32]bool{}, map[uint64]bool{}
	for e, id := range g.of[end:] {
		groups[id], lines[g.alike[end+e]] = true, true
	}
	// Where nature has a hand the same line twice is two games, and no group.
	known := func(e uint64) bool { return groups[g.of[e]] || lines[g.alike[e]] }
	for e := range end {
		if known(uint64(e)) {
			t.Known++
		} else if g.replay[e] {
			t.Replays++
		}
	}
	if t.Known == 0 {
		return records
	}
	return filtered(records, func(r *datasets.Record) bool { return !known(r.Episode) })
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

// at are a record's positions at which the models are evaluated, by their leaves; nil if a model
// has none.
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

// viewers are the players in whose view the models are evaluated: the first model's, or all if the
// values of others do not follow from it.
func (f *forecaster) viewers(at map[models.Leaves]game.State) []game.Player {
	first := f.speakers[0]
	if features.OneValue(f.base) {
		return []game.Player{first.Set.View(at[first.Model.Leaves])}
	}
	all := make([]game.Player, f.base.Players)
	for p := range all {
		all[p] = game.Player(p)
	}
	return all
}

// Elsewhere returns the leaves of the models that are asked at other positions than the first.
func (t *Tested) Elsewhere() map[string]models.Leaves {
	others := maps.Clone(t.leaves)
	maps.DeleteFunc(others, func(_ string, leaves models.Leaves) bool { return leaves == t.leaves[t.Model] })
	return others
}

// Describe adds to a page how well the model predicts.
func (t *Tested) Describe(page *report.Page) {
	t.FittedTo.describe(page, "it was fitted to this data", "Its figures tell what it remembers, too.")
	page.Add(report.Text(say("tested", t)))
	validate.Describe(page, t.Examination)
}
