package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"plyfit/datasets"
	"plyfit/datasets/table"
	"plyfit/game"
	"plyfit/internal/report"
	"plyfit/learn"
	"plyfit/learn/validate"
	"plyfit/models"
)

// TestedColumns is the result of testing the predictions of fixed column weights on tables.
type TestedColumns struct {
	Weights  string   `json:"weights"` // path of the weight file
	Scale    float64  `json:"scale"`
	FittedTo fittedTo `json:"fitted_to,omitempty"`
	Repeats  int      `json:"repeated_games"` // number of games that repeat an earlier game row by row
	*validate.Examination
	// Phases replaces Stages if a column contains the phase. Stages is empty in that case.
	Phases []Phase `json:"phases,omitempty"`

	grouped bool
	idle    []string // columns without a weight
	notes   []string // notes about the tables
}

// A Phase is a range of phases and its rows.
type Phase struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
	validate.Stratum
}

// steps is the resolution of the phase in the rows' keys. Keys increase from the middlegame to the
// endgame.
const steps = 1 << 20

// TestColumns compares the predictions of weights with the labels of tables. It does the same for
// every other given set of weights. The parameter scale is used for weights whose file contains no
// scale. If it is 0, the scale of the first weights is used, or else [CentipawnScale].
func TestColumns(ctx context.Context, tables []*table.Table, scale float64, weights *models.Weights, against ...*models.Weights) (*TestedColumns, error) {
	first := tables[0]
	t := &TestedColumns{Weights: weights.File, Scale: cmp.Or(weights.Scale, scale, CentipawnScale), grouped: first.Grouped()}
	var all rowsOf
	for _, of := range tables {
		all, t.notes = append(all, tableRows{Table: of}), append(t.notes, of.Notes()...)
	}
	o := validate.Examining{Hi: 1}
	for _, w := range append([]*models.Weights{weights}, against...) {
		o.Names, o.Probabilities = append(o.Names, w.File), append(o.Probabilities, true)
		for i, of := range tables {
			m, err := ColumnModel(of, w)
			if err != nil {
				return nil, err
			}
			m.Link = models.Link{Kind: models.Logistic, Scale: cmp.Or(w.Scale, scale, t.Scale)}
			all[i].models = append(all[i].models, m)
			t.FittedTo.note(w.File, of.File, w.Data != "" && w.Data == of.Digest)
		}
	}
	for _, c := range first.Columns {
		if !slices.ContainsFunc(weights.Columns, func(w models.Weight) bool { return w.Name == c }) {
			t.idle = append(t.idle, c)
		}
	}
	repeats := new(learn.Repeats)
	var err error
	if t.grouped {
		if repeats, err = learn.FindRepeats(all); err != nil {
			return nil, err
		}
	}
	t.Repeats, o.Group = repeats.Episodes, repeats.Group
	if t.Examination, err = validate.Examine(ctx, all.forecasts(), o); errors.Is(err, learn.ErrNoRows) {
		return nil, fmt.Errorf("%s: no row has a weight above 0", first.File)
	} else if err != nil {
		return nil, err
	}
	if !first.Tapered {
		return t, nil
	}
	for _, s := range t.Stages {
		at := func(step int32) float64 { return first.Layout.PhaseMax * (1 - float64(float64(step)/steps)) }
		t.Phases = append(t.Phases, Phase{at(s.First), at(s.Last), s.Stratum})
	}
	t.Stages = nil
	return t, nil
}

// tableRows is a table together with the models evaluated on its rows.
type tableRows struct {
	*table.Table
	models []*models.Linear
}

type rowsOf []tableRows

func (r rowsOf) each(visit func(t *tableRows, s *datasets.Sample) bool) {
	for k := range r {
		for s := range r[k].All() { // a table in memory returns no errors
			if k > 0 {
				s.Episode = game.Mix(s.Episode + game.Mix(uint64(k)))
			}
			if !visit(&r[k], s) {
				return
			}
		}
	}
}

func (r rowsOf) All() iter.Seq2[*datasets.Sample, error] {
	return func(yield func(*datasets.Sample, error) bool) {
		r.each(func(_ *tableRows, s *datasets.Sample) bool { return yield(s, nil) })
	}
}

func (r rowsOf) forecasts() validate.Forecasts {
	return func(yield func(*validate.Forecast, error) bool) {
		f := validate.Forecast{Predicted: make([]float64, len(r[0].models))}
		r.each(func(t *tableRows, s *datasets.Sample) bool {
			f.Episode, f.Weight, f.Realised = s.Episode, s.Weight, s.Y
			if t.Tapered {
				f.Ply = int32(math.Round(steps * (1 - float64(s.Phase))))
			}
			for k, m := range t.models {
				f.Predicted[k] = m.Link.Apply(m.Dot(s.X), 0, 1)
			}
			return yield(&f, nil)
		})
	}
}

// Describe adds the results of the test to a page.
func (t *TestedColumns) Describe(page *report.Page) {
	t.FittedTo.describe(page, "these weights were fitted to these tables", "The results on these tables are too optimistic.")
	page.Add(report.Text(say("tested columns", struct {
		*TestedColumns
		Grouped bool
		Idle    []string
	}{t, t.grouped, t.idle})))
	if len(t.notes) > 0 {
		page.Add(report.List(slices.Compact(t.notes)))
	}
	validate.Describe(page, t.Examination)
	if len(t.Phases) > 0 {
		stages := validate.StageTable("phase")
		for _, p := range t.Phases {
			stages.Rows = append(stages.Rows, validate.StageRow(fmt.Sprintf("%.4g to %.4g", p.From, p.To), &p.Stratum))
		}
		page.Add(stages)
	}
}
