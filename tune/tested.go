package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn"
	"plyfit/learn/validate"
	"plyfit/models"
	"plyfit/report"
)

// Tested is how well weights, which stay as they are, predict tables.
type Tested struct {
	Weights string  `json:"weights"` // their file
	Scale   float64 `json:"scale"`
	// FittedTo are the tables that a file of weights names as what they were fitted to,
	// by file: the figures are then no test.
	FittedTo map[string][]string `json:"fitted_to,omitempty"`
	Repeats  int                 `json:"repeated_games"` // that go like an earlier one, row for row
	*validate.Examination
	// Phases are the Stages where a column tells the phase, which are then none.
	Phases []Phase `json:"phases,omitempty"`

	grouped bool
	idle    []string // columns that have no weight
}

// Phase are rows from one phase to another.
type Phase struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
	validate.Stratum[int]
}

// steps are those of the phase by which rows are told apart, from the middlegame on.
const steps = 1 << 20

// Test compares what weights, and against one by one others, say of the rows of tables
// with their labels. Scale is that of weights whose file has none; 0: that of the first, or
// where it has none, either, [CentipawnScale].
func Test(ctx context.Context, tables []*Table, scale float64, weights *Weights, against ...*Weights) (*Tested, error) {
	t := &Tested{Weights: weights.File, Scale: cmp.Or(weights.Scale, scale, CentipawnScale)}
	all := rowsOf{tables: tables}
	var err error
	repeats := new(learn.Repeats)
	if t.grouped = tables[0].groups != nil; t.grouped {
		if repeats, err = learn.FindRepeats(&all); err != nil {
			return nil, err
		}
	}
	t.Repeats = repeats.Episodes
	o := validate.Examining{Group: repeats.Group, Hi: 1}
	for _, w := range append([]*Weights{weights}, against...) {
		o.Names, o.Probabilities = append(o.Names, w.File), append(o.Probabilities, true)
		if err := all.add(w, cmp.Or(w.Scale, scale, t.Scale)); err != nil {
			return nil, err
		}
		t.fitted(w, tables)
	}
	t.idle = tables[0].without(weights)
	if t.Examination, err = validate.Examine(ctx, all.forecasts(), o); errors.Is(err, learn.ErrNoRows) {
		return nil, fmt.Errorf("%s: no row has a weight above 0: want some", tables[0].File)
	} else if err != nil {
		return nil, err
	}
	if !tables[0].Tapered() {
		return t, nil
	}
	for _, s := range t.Stages {
		at := func(step int32) float64 { return tables[0].Layout.PhaseMax * (1 - float64(float64(step)/steps)) }
		t.Phases = append(t.Phases, Phase{at(s.First), at(s.Last), s.Stratum})
	}
	t.Stages = nil
	return t, nil
}

// fitted notes which of the tables weights were fitted to.
func (t *Tested) fitted(w *Weights, tables []*Table) {
	for _, table := range tables {
		if w.Data != "" && w.Data == table.Digest && !slices.Contains(t.FittedTo[w.File], table.File) {
			if t.FittedTo == nil {
				t.FittedTo = map[string][]string{}
			}
			t.FittedTo[w.File] = append(t.FittedTo[w.File], table.File)
		}
	}
}

// without are the columns for which there are no weights.
func (t *Table) without(w *Weights) (idle []string) {
	has := map[string]bool{}
	for _, c := range w.Columns {
		has[c.Name] = true
	}
	for _, c := range t.Columns {
		if !has[c] {
			idle = append(idle, c)
		}
	}
	return idle
}

// rowsOf are the rows of tables, one after the other, and what weights say of them.
type rowsOf struct {
	tables []*Table
	models [][]*models.Linear // by weights and table
}

var _ datasets.Samples = (*rowsOf)(nil)

// add adds weights.
func (r *rowsOf) add(w *Weights, scale float64) error {
	var of []*models.Linear
	for _, t := range r.tables {
		m, err := t.model(w, t.File)
		if err != nil {
			return err
		}
		m.Link = models.Link{Kind: models.Logistic, Scale: scale}
		of = append(of, m)
	}
	r.models = append(r.models, of)
	return nil
}

// each visits the rows. Games of different tables have different numbers.
func (r *rowsOf) each(visit func(table, row int, s *datasets.Sample) bool) error {
	for k, t := range r.tables {
		row := 0
		for s, err := range t.All() {
			if err != nil {
				return err
			}
			if k > 0 {
				s.Episode = game.Mix(s.Episode + game.Mix(uint64(k)))
			}
			if !visit(k, row, s) {
				return nil
			}
			row++
		}
	}
	return nil
}

// All implements [datasets.Samples].
func (r *rowsOf) All() iter.Seq2[*datasets.Sample, error] {
	return func(yield func(*datasets.Sample, error) bool) {
		if err := r.each(func(_, _ int, s *datasets.Sample) bool { return yield(s, nil) }); err != nil {
			yield(nil, err)
		}
	}
}

func (r *rowsOf) forecasts() validate.Forecasts {
	return func(yield func(*validate.Forecast, error) bool) {
		f := validate.Forecast{Said: make([]float64, len(r.models))}
		err := r.each(func(table, row int, s *datasets.Sample) bool {
			f.Episode, f.Weight, f.Came = s.Episode, s.Weight, s.Y
			if phases := r.tables[table].phases; phases != nil {
				f.Ply = int32(math.Round(steps * (1 - float64(phases[row]))))
			}
			for k, of := range r.models {
				f.Said[k] = of[table].Link.Apply(of[table].Dot(s.X), 0, 1)
			}
			return yield(&f, nil)
		})
		if err != nil {
			yield(nil, err)
		}
	}
}

// Describe adds to a page how well the weights predict.
func (t *Tested) Describe(page *report.Page) {
	for _, name := range slices.Sorted(maps.Keys(t.FittedTo)) {
		page.Add(report.Text(fmt.Sprintf("NO TEST OF %s: these weights were fitted to this table (%s). Their figures tell what they remember, too.", name, strings.Join(t.FittedTo[name], ", "))))
	}
	text := fmt.Sprintf("%s on %d rows of %d games; the share of the point is 1/(1+exp(-%.6g*z)).", t.Weights, t.Rows, t.Episodes, t.Scale)
	if !t.grouped {
		text = fmt.Sprintf("%s on %d rows; the share of the point is 1/(1+exp(-%.6g*z)). No column says which rows are of one game: intervals are too narrow where rows share games.", t.Weights, t.Rows, t.Scale)
	}
	if t.Repeats > 0 {
		text += fmt.Sprintf(" Games that repeat others, row for row: %d; intervals count them once.", t.Repeats)
	}
	if len(t.idle) > 0 {
		text += fmt.Sprintf(" Columns without a weight count nothing: %s.", listed(t.idle))
	}
	page.Add(report.Text(text))
	validate.Describe(page, t.Examination)
	if len(t.Phases) > 0 {
		table := validate.StageTable("phase")
		for _, p := range t.Phases {
			table.Rows = append(table.Rows, validate.StageRow(fmt.Sprintf("%.4g to %.4g", p.From, p.To), &p.Stratum))
		}
		page.Add(table)
	}
}
