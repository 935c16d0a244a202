package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"plyfit/datasets/table"
	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/internal/list"
	"plyfit/learn"
	"plyfit/models"
)

// CentipawnScale is the link scale at which one unit of z is worth one Elo point, so that a pawn of
// 100 is worth 100 Elo.
var CentipawnScale = elementary.Log(10) / 400

// Determined is a penalty too small to move weights that the rows determine. Without it, rounding
// errors would determine the other weights, such as those of linearly dependent columns. With it,
// those weights stay at their starting values.
const Determined = 1e-8

// mostWord is the largest integer that all supported output languages can store.
const mostWord = math.MaxInt32

// shares takes the place of the game when the columns of a table are fitted. Labels are fractions
// of a point, from 0 to 1.
var shares = &game.Game{Name: "a table of no game", Players: 1, Max: 1}

// RunColumns fits weights to the columns of another program's table, such as the terms of an
// engine's evaluation. It needs neither a game nor a feature set.
//
// If the table has a phase, each column c has two weights. For a row with phase p (1 middlegame, 0
// endgame), the weighted sum z is the sum over c of x_c * (p*mg_c + (1-p)*eg_c). The prediction is
// the expected score, 1/(1+exp(-scale*z)), from 0 for a loss to 1 for a win. This is logistic
// regression or, with the squared loss, Texel's tuning method (P. Österlund, 2014).
//
// RunColumns reads the options Start, Integers, Width, Final, Method (Newton, LBFGS or nil), Loss,
// Scale, Penalty, Prior, Frozen, Steps, HeldOut and Seed. If Scale is zero, [CentipawnScale] is
// used. The scale is fitted to Start if Scale.Prior is set, and together with the weights if
// Scale.Free is set. If Prior is nil and PriorName is empty, Start is the prior.
func RunColumns(ctx context.Context, t *table.Table, c Options) (*Result, error) {
	if c.Scale.Free {
		return atScale(ctx, t, c)
	}
	return runColumns(ctx, t, c)
}

func runColumns(ctx context.Context, t *table.Table, c Options) (*Result, error) {
	switch {
	case c.Method != nil && c.Method != Newton && c.Method != LBFGS:
		return nil, fmt.Errorf("method %q: want newton or lbfgs for a table without a game", c.Method)
	case c.Scale.Prior && c.Start == nil:
		return nil, errors.New("scale start: no starting weights; set them with --start")
	}
	if c.Prior == nil && c.PriorName == "" {
		c.Prior = c.Start
	}
	m := c.Start
	if m == nil {
		m, _ = ColumnModel(t, &models.Weights{})
	}
	if c.Method == nil {
		c.Method = LogisticRegression.solver(m.Len())
	}
	c.Scale = cmp.Or(c.Scale, Scale{Value: CentipawnScale})
	if err := c.complete(shares); err != nil {
		return nil, err
	}
	link := models.Link{Kind: c.Link, Scale: c.Scale.Value}
	c.Prior, c.Start, m = withLink(c.Prior, link), withLink(c.Start, link), withLink(m, link)
	repeats := new(learn.Repeats)
	var err error
	if t.Grouped() { // otherwise each row is a separate game
		if repeats, err = learn.FindRepeats(t); err != nil {
			return nil, err
		}
	}
	// Identical games are held out together and count as one game in standard errors.
	from, err := c.ofTable(t, repeats.Group)
	if err != nil {
		return nil, err
	}
	from.largeGroups = repeats.Groups
	f, err := c.fit(ctx, shares, m, from)
	if errors.Is(err, learn.ErrNoRows) {
		return nil, fmt.Errorf("%s: nothing to train on; add rows or games", t.File)
	}
	if err != nil {
		return nil, err
	}
	f.Columns, f.Repeats = t, repeats.Episodes
	notes := list.Map(t.Notes(), func(note string) string { return note + " (use --keep COLUMN to make a column a feature)" })
	f.Report.Notes = append(f.Report.Notes, notes...)
	f.extrapolated()
	return f, f.checkIntegers()
}

// leastShare is the minimum fraction of a column's rows that must lie in the third of the phase
// range nearest to the middlegame (or to the endgame). If the fraction is smaller, the weight for
// that end is marked as extrapolated.
const leastShare = 0.01

// extrapolated adds a note to each weight that applies to one end of the phase range but has hardly
// any rows there.
func (f *Result) extrapolated() {
	if !f.Columns.Tapered {
		return
	}
	ends, rows := f.Columns.Reach()
	for i := range f.Report.Weights {
		w := &f.Report.Weights[i]
		if w.Index < 0 || w.Note != "" || rows[w.Index/2] == 0 {
			continue
		}
		if near := float64(ends[w.Index]) / float64(rows[w.Index/2]); near < leastShare {
			w.Note = fmt.Sprintf("extrapolated: only %.2g%% of the rows are in this third of the phases", 100*near)
		}
	}
}

// checkIntegers returns an error if a weight to be rounded does not fit into 32 bits. It adds a
// note if any weights do not fit into 16 bits.
func (f *Result) checkIntegers() error {
	if !f.Options.Integers {
		return nil
	}
	var large []string
	for i, w := range f.Model.Weights {
		if math.Abs(w) > math.MaxInt16 {
			large = append(large, f.Model.Name(int32(i)))
		}
		if !(math.Abs(w) <= mostWord) {
			return fmt.Errorf("%s: the weight of %s is %.4g, which does not fit in 32 bits; use starting weights and --prior-width, a penalty, or fewer redundant columns", f.Columns.File, f.Model.Name(int32(i)), w)
		}
	}
	if large != nil {
		f.Report.Notes = append(f.Report.Notes, "weights too large for 16 bits, which some engines use for packed weights: "+table.Listed(large))
	}
	return nil
}

// ColumnModel returns a model of t's columns with the weights w, which are matched by name. Columns
// without a weight get 0. The model has one feature for each column, or two if t is tapered.
// ColumnModel returns an error if w has a weight for a column that t lacks.
func ColumnModel(t *table.Table, w *models.Weights) (*models.Linear, error) {
	var blocks []models.Block
	for _, c := range t.Columns {
		b := models.Block{Name: c, Len: 1}
		if t.Tapered {
			b.Len, b.Label = 2, func(i int) string { return [...]string{"mg ", "eg "}[i] + c }
		}
		blocks = append(blocks, b)
	}
	m := models.New("", "columns", blocks)
	for _, c := range w.Columns {
		i := slices.Index(t.Columns, c.Name)
		switch {
		case i < 0:
			return nil, fmt.Errorf("%s: weight of %q: %s has no such column; the columns are %s", w.File, c.Name, t.File, table.Listed(t.Columns))
		case t.Tapered:
			m.Weights[2*i], m.Weights[2*i+1] = c.Middlegame, c.Endgame
		case c.Middlegame != c.Endgame:
			return nil, fmt.Errorf("%s: weight of %q: want one number, because no phase is declared", w.File, c.Name)
		default:
			m.Weights[i] = c.Middlegame
		}
	}
	return m, nil
}

// FrozenColumns returns the value of [Options].Frozen that keeps the named columns at their weights
// in start, which must be a [ColumnModel] of t. If start is nil, their weights are 0.
func FrozenColumns(t *table.Table, start *models.Linear, names []string) (map[string]float64, error) {
	width := 1
	if t.Tapered {
		width = 2
	}
	frozen := map[string]float64{}
	if start == nil {
		start, _ = ColumnModel(t, &models.Weights{})
	}
	for _, name := range names {
		c := slices.Index(t.Columns, name)
		if c < 0 {
			return nil, fmt.Errorf("frozen column %q: %s has no such column; the columns are %s", name, t.File, table.Listed(t.Columns))
		}
		for i := c * width; i < (c+1)*width; i++ {
			frozen[start.Name(int32(i))] = start.Weights[i]
		}
	}
	return frozen, nil
}

// Weights returns the fitted weights, in column order.
func (f *Result) Weights() *models.Weights {
	t, m := f.Columns, f.Model
	w := &models.Weights{
		Tapered: t.Tapered, Scale: m.Link.Scale, Phase: t.Layout.Phase, PhaseMax: t.Layout.PhaseMax, Data: t.Digest, HeldOut: f.Report.HeldOutLoss,
		Rows: t.Len(), Squared: f.Options.Loss == SquaredError, Integers: f.Options.Integers,
	}
	if f.Rounded != nil {
		w.HeldOut = f.Rounded.HeldOut
	}
	w.Columns = columnsOf(t, m)
	return w
}

// ColumnWeights returns the weights of m, a [ColumnModel] of t that has not been fitted, in column
// order.
func ColumnWeights(t *table.Table, m *models.Linear) *models.Weights {
	return &models.Weights{
		Tapered: t.Tapered, Scale: cmp.Or(m.Link.Scale, CentipawnScale), Phase: t.Layout.Phase, PhaseMax: t.Layout.PhaseMax,
		Integers: !slices.ContainsFunc(m.Weights, func(w float64) bool { return w != math.Trunc(w) }), Columns: columnsOf(t, m),
	}
}

func columnsOf(t *table.Table, m *models.Linear) (list []models.Weight) {
	for i, name := range t.Columns {
		if t.Tapered {
			list = append(list, models.Weight{Name: name, Middlegame: m.Weights[2*i], Endgame: m.Weights[2*i+1]})
			continue
		}
		list = append(list, models.Weight{Name: name, Middlegame: m.Weights[i], Endgame: m.Weights[i]})
	}
	return list
}
