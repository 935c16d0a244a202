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

// Tested is the result of testing a fixed model's predictions on data sets.
type Tested struct {
	Model string `json:"model"`
	Game  string `json:"game"`
	Label string `json:"label"`
	// FittedTo also lists data sets that were created by relabelling a model's training data.
	FittedTo fittedTo `json:"fitted_to,omitempty"`
	// Known is the number of games that were left out because they are identical to a game in the
	// model's training data ([Testing].FittedTo) or share a position with one.
	Known int `json:"known_games,omitempty"`
	// Replays and Joined have the same meaning as in [Result].
	Replays int  `json:"replays"`
	Joined  bool `json:"joined"`
	// Lacking states why there is no comparison with the game's hand-written evaluation, or "".
	Lacking string `json:"lacking,omitempty"`
	*validate.Examination

	leaves map[string]models.Leaves // by name of the model
}

// fittedTo maps the name of each tested model to the data sets that are its training data according
// to its provenance. Results on these data sets are not a test.
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

// Named is a model together with its name in results.
type Named struct {
	Name  string
	Set   features.Set
	Model *models.Linear
}

// Testing configures a test. The zero value of every field selects its default.
type Testing struct {
	Label   Label
	Against []Named // other models to compare with
	// FittedTo is the model's training data. Games that are identical to a training game, or share
	// a position beyond the opening with one, are left out. If FittedTo is nil, only the model's
	// provenance is checked.
	FittedTo *datasets.Set
}

// Test compares the predictions of a model with the results in data sets of w. It also evaluates
// each of the models in o.Against, and the game's hand-written model if there is one.
//
// Every model is evaluated from the same player's point of view as the first model. A model of
// afterstates is evaluated after the recorded move, and any other model before it. If a position
// lacks one of these states, it is left out for all models. Games are counted as in a fit: replays
// are left out, and intervals are clustered by games that share positions.
func Test(ctx context.Context, w *catalog.World, sets []*datasets.Set, model Named, o Testing) (*Tested, error) {
	if err := o.Label.check(); err != nil {
		return nil, err
	}
	all := slices.Clone(sets)
	if o.FittedTo != nil {
		if p := model.Model.Provenance; p != nil && p.Data != "" && p.Data != o.FittedTo.Digest {
			return nil, fmt.Errorf("%s: not the training data of model %s; want the data set with digest %s", o.FittedTo.Dir, model.Name, p.Data)
		}
		all = append(all, o.FittedTo)
	}
	for _, data := range all {
		if data.Game != w.Spec {
			return nil, fmt.Errorf("%s: the data set is for %s; want a data set for %s, as in %s", data.Dir, data.Game, w.Spec, sets[0].Dir)
		}
	}
	t := &Tested{Model: model.Name, Game: w.Spec, Label: o.Label.String(), leaves: map[string]models.Leaves{}}
	f, err := newForecaster(w, o.Label, append([]Named{model}, o.Against...))
	if err != nil {
		return nil, err
	}
	groups, err := newGroups(w.Game, model.Set, newRecordSource(all...))
	if err != nil {
		return nil, err
	}
	data := newRecordSource(sets...)
	t.Joined, t.Lacking = groups.joined, f.lacking
	if f.records, err = o.Label.records(w, data, groups); err != nil {
		return nil, err
	}
	f.records = t.without(groups, data.episodes, f.records)
	x := validate.Examining{Group: groups.group, ToCome: f.points}
	if base := w.Base(); !math.IsInf(base.Max-base.Min, 0) {
		x.Lo, x.Hi = base.Min, base.Max
	}
	for _, s := range f.predictors {
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
		return nil, fmt.Errorf("%s: no position has both a label %s and an evaluation by %s; use other data or another label", data.name, o.Label, model.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", data.name, err)
	}
	return t, nil
}

// without returns all records except those of games grouped with an episode of the model's training
// data. The parameter end is the number of the first training episode. The method also counts the
// games that were left out and the replays.
func (t *Tested) without(g *groups, end int, records func() iter.Seq2[*datasets.Record, error]) func() iter.Seq2[*datasets.Record, error] {
	groups, lines := map[uint32]bool{}, map[uint64]bool{}
	for e, id := range g.of[end:] {
		groups[id], lines[g.alike[end+e]] = true, true
	}
	// In games with chance moves, identical games do not form a group, so the hashes are compared
	// as well.
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

// A predictor is a model to be tested, together with its evaluator.
type predictor struct {
	Named
	eval *features.Evaluator
}

// A forecaster evaluates models at recorded positions.
type forecaster struct {
	predictors []predictor
	label      features.Label
	records    func() iter.Seq2[*datasets.Record, error]
	positions  *features.Positions
	base       *game.Game
	points     bool // whether the score so far is part of the utility
	known      search.Evaluator
	lacking    string // reason why there is no hand-written model
}

// newForecaster returns a forecaster for the named models and the hand-written model.
func newForecaster(w *catalog.World, label Label, named []Named) (*forecaster, error) {
	base := w.Base()
	f := &forecaster{label: label.of(w), positions: features.NewPositions(w.Game), base: base, known: search.Zero(base)}
	_, f.points = game.As[game.Scorer](base.New())
	listed := map[string]bool{} // by digest of the evaluation
	for _, n := range named {
		e, err := w.EvaluationOf(n.Name, n.Set, n.Model)
		if err != nil {
			return nil, err
		}
		listed[e.Digest] = true
		f.add(w, n)
	}
	if w.Entry.Ships("handwritten") {
		switch e, err := w.Evaluation("handwritten"); {
		case err != nil: // for example, a variant that the model does not support
			f.lacking = err.Error()
		case !listed[e.Digest]:
			f.add(w, Named{"handwritten", e.Set, e.Model})
		}
	}
	return f, nil
}

func (f *forecaster) add(w *catalog.World, n Named) {
	f.predictors = append(f.predictors, predictor{n, features.NewEvaluator(w.Game, n.Set, n.Model)})
}

// all returns the models' forecasts for the records.
func (f *forecaster) all() validate.Forecasts {
	return func(yield func(*validate.Forecast, error) bool) {
		out := validate.Forecast{Weight: 1, Predicted: make([]float64, len(f.predictors))}
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
				if out.Realised, ok = f.label(r, p); !ok {
					continue
				}
				if f.points {
					out.Known = f.known.Evaluate(at[f.predictors[0].Model.Leaves], p)
				}
				for k, s := range f.predictors {
					out.Predicted[k] = s.eval.Evaluate(at[s.Model.Leaves], p)
				}
				if !yield(&out, nil) {
					return
				}
			}
		}
	}
}

// at returns, by kind of leaf, the states of a record in which the models are evaluated. It returns
// nil if one of the states does not exist.
func (f *forecaster) at(r *datasets.Record) (map[models.Leaves]game.State, error) {
	at := map[models.Leaves]game.State{}
	for _, s := range f.predictors {
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

// viewers returns the players from whose points of view the models are evaluated. The first model's
// feature set determines them. If one player's value does not determine the values of the others,
// all players are returned.
func (f *forecaster) viewers(at map[models.Leaves]game.State) []game.Player {
	first := f.predictors[0]
	if features.OneValue(f.base) {
		return []game.Player{first.Set.View(at[first.Model.Leaves])}
	}
	all := make([]game.Player, f.base.Players)
	for p := range all {
		all[p] = game.Player(p)
	}
	return all
}

// Elsewhere returns the leaf kinds of those models that are evaluated at positions other than the
// first model's.
func (t *Tested) Elsewhere() map[string]models.Leaves {
	others := maps.Clone(t.leaves)
	maps.DeleteFunc(others, func(_ string, leaves models.Leaves) bool { return leaves == t.leaves[t.Model] })
	return others
}

// Describe adds the results of the test to a page.
func (t *Tested) Describe(page *report.Page) {
	t.FittedTo.describe(page, "the model was fitted to these data sets", "The results on these data are too optimistic.")
	page.Add(report.Text(say("tested", t)))
	validate.Describe(page, t.Examination)
}
