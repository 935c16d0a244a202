package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"plyfit/datasets"
	"plyfit/internal/elementary"
	"plyfit/learn"
	"plyfit/learn/loss"
	"plyfit/models"
)

// Options says how weights are fitted. The zero value of every field is a default.
type Options struct {
	Start  *Weights // what the engine has now: measured beside the fit, and kept by frozen columns; nil: zeros
	Prior  *Weights // what Penalty draws to; nil: Start
	Frozen []string // columns that keep the weight that Start has for them

	Method   string  // newton, or lbfgs, which many columns need; "": newton up to 1,500 weights
	Squared  bool    // minimise the squared error of the share (Texel's method) in place of the cross-entropy
	Scale    float64 // of z in 1/(1+exp(-scale*z)); 0: ln(10)/400, so that weights are centipawns on the scale of Elo
	FitScale bool    // fit the scale to Start in place of that, once
	Penalty  float64 // as learn.Options.Penalty is
	Steps    int     // at most; 0: the method's own
	Integers bool    // round the weights that are not frozen, and tell what that costs
	HeldOut  int     // one game in so many is held out; 0: 5
	Seed     uint64  // chooses the held-out games
}

// CentipawnScale is the scale on which a hundredth of a pawn is a point of Elo.
var CentipawnScale = elementary.Log(10) / 400

// manyWeights is where Newton's method, which needs weights squared, stops being the
// default.
const manyWeights = 1500

// Complete fills in the defaults, and tells what cannot be.
func (o *Options) Complete() error {
	switch o.Method {
	case "", "newton", "lbfgs":
	default:
		return fmt.Errorf("method %q: want newton or lbfgs for a table of no game", o.Method)
	}
	if o.HeldOut == 0 {
		o.HeldOut = 5
	}
	if o.HeldOut < 2 {
		return fmt.Errorf("held-out %d: want at least 2, one game in so many", o.HeldOut)
	}
	if !(o.Penalty >= 0) || math.IsInf(o.Penalty, 0) {
		return fmt.Errorf("penalty %v: want a number of at least 0", o.Penalty)
	}
	if o.FitScale && o.Start == nil {
		return errors.New("scale start: want starting weights, whose scale it is")
	}
	if o.Scale == 0 {
		o.Scale = CentipawnScale
	}
	if !(o.Scale > 0) || math.IsInf(o.Scale, 0) {
		return fmt.Errorf("scale %v: want a number above 0", o.Scale)
	}
	if o.Prior == nil {
		o.Prior = o.Start
	}
	return nil
}

// Loss is a mean loss on the rows that were fitted and on those held out.
type Loss struct {
	Training float64 `json:"training"`
	HeldOut  float64 `json:"held_out"`
}

// Result is what a fit gave.
type Result struct {
	Table   *Table
	Options Options // complete, Scale as it was fitted
	Weights *Weights
	Report  learn.Report // of the weights before they were rounded
	// Rounded is the loss of the whole numbers; nil: the weights are not rounded.
	Rounded *Loss
}

// Run fits the weights of a table.
func Run(ctx context.Context, t *Table, o Options) (*Result, error) {
	if err := o.Complete(); err != nil {
		return nil, err
	}
	f := &Result{Table: t, Options: o}
	start, err := t.model(o.Start, t.File)
	if err != nil {
		return nil, err
	}
	prior, err := t.model(o.Prior, t.File)
	if err != nil {
		return nil, err
	}
	// Games that repeat are held out together, and count once.
	held := t.repeats.Together(learn.SplitEvery(uint64(o.HeldOut), o.Seed))
	if o.FitScale {
		train := func(group uint64) bool { return !held(group) }
		if f.Options.Scale, err = learn.FitScale(ctx, start, t, models.Logistic, 0, 1, train); err != nil {
			return nil, fmt.Errorf("%s: scale of the starting weights: %w", t.File, err)
		}
	}
	link := models.Link{Kind: models.Logistic, Scale: f.Options.Scale}
	start.Link, prior.Link = link, link
	criterion := f.Options.loss()
	options := learn.Options{HeldOut: held, Group: t.repeats.Group, Groups: t.repeats.Groups, Seen: t.seen(held), KeepSeen: true, Penalty: o.Penalty, Prior: prior}
	if options.Frozen, err = t.frozen(o.Frozen); err != nil {
		return nil, err
	}
	if o.Start != nil {
		options.Baselines = []learn.Baseline{{Name: "starting weights", Model: start}}
	}
	m := start.Clone()
	if f.Report, err = learner(o, m.Len(), options, criterion).Learn(ctx, m, t); err != nil {
		if errors.Is(err, learn.ErrNoRows) {
			return nil, fmt.Errorf("%s: nothing to train on: want more rows, or more games", t.File)
		}
		return nil, fmt.Errorf("%s: %w", t.File, err)
	}
	if o.Integers {
		for i, w := range m.Weights {
			m.Weights[i] = math.RoundToEven(w)
		}
		for _, i := range options.Frozen { // as they were given
			m.Weights[i] = start.Weights[i]
		}
		if f.Rounded, err = measure(ctx, t, m, criterion, held); err != nil {
			return nil, err
		}
	}
	f.Weights = t.weightsOf(m)
	return f, nil
}

// loss is what is minimised.
func (o *Options) loss() loss.Function {
	link := models.Link{Kind: models.Logistic, Scale: o.Scale}
	if o.Squared {
		return loss.Squared{Link: link, Lo: 0, Hi: 1}
	}
	return loss.ForLink(link, 0, 1)
}

func learner(o Options, weights int, options learn.Options, criterion loss.Function) learn.Learner {
	if o.Method == "lbfgs" || o.Method == "" && weights > manyWeights {
		return learn.LBFGS{Options: options, Loss: criterion, Steps: o.Steps}
	}
	return learn.Newton{Options: options, Loss: criterion, Steps: o.Steps}
}

// seen reports whether a row like this stands in training. Rows that are alike in a few
// columns need not be of the same position, and count all the same.
func (t *Table) seen(held func(episode uint64) bool) func(place uint64) bool {
	var trained []uint64
	for row, place := range t.places {
		if !held(t.game(row)) {
			trained = append(trained, place)
		}
	}
	slices.Sort(trained)
	return func(place uint64) bool {
		_, found := slices.BinarySearch(trained, place)
		return found
	}
}

// blocks are the features of the table: a column each, or two where weights are
// tapered.
func (t *Table) blocks() []models.Block {
	var out []models.Block
	for _, c := range t.Columns {
		if !t.Tapered() {
			out = append(out, models.Block{Name: c, Len: 1})
			continue
		}
		out = append(out, models.Block{Name: c, Len: 2, Label: func(i int) string { return [...]string{"mg ", "eg "}[i] + c }})
	}
	return out
}

// model is a model of the table's columns with weights by name, zeros where w (which
// may be nil) has none. Weights of columns that the table lacks are an error.
func (t *Table) model(w *Weights, file string) (*models.Linear, error) {
	m := models.New("", "columns", t.blocks())
	if w == nil {
		return m, nil
	}
	for _, c := range w.Columns {
		i := slices.Index(t.Columns, c.Name)
		if i < 0 {
			return nil, fmt.Errorf("%s: weight of %q: %s has no such column: its columns are %s", w.File, c.Name, file, listed(t.Columns))
		}
		if !t.Tapered() {
			if c.Middlegame != c.Endgame {
				return nil, fmt.Errorf("%s: weight of %q: want one number, since no phase is declared", w.File, c.Name)
			}
			m.Weights[i] = c.Middlegame
			continue
		}
		m.Weights[2*i], m.Weights[2*i+1] = c.Middlegame, c.Endgame
	}
	return m, nil
}

// frozen are the features of columns by name.
func (t *Table) frozen(names []string) ([]int32, error) {
	var out []int32
	for _, name := range names {
		i := int32(slices.Index(t.Columns, name))
		switch {
		case i < 0:
			return nil, fmt.Errorf("frozen column %q: %s has none of that name: its columns are %s", name, t.File, listed(t.Columns))
		case t.Tapered():
			out = append(out, 2*i, 2*i+1)
		default:
			out = append(out, i)
		}
	}
	return out, nil
}

// measure is the mean loss of m.
func measure(ctx context.Context, t *Table, m *models.Linear, criterion loss.Function, held func(uint64) bool) (*Loss, error) {
	var sum, weight [2]float64
	n := 0
	for s, err := range datasets.Samples(t).All() {
		if err != nil {
			return nil, err
		}
		if n++; n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		k := 0
		if held(s.Episode) {
			k = 1
		}
		l, _, _ := criterion.Loss(m.Dot(s.X), s.Y)
		sum[k] += float64(s.Weight * l)
		weight[k] += s.Weight
	}
	out := &Loss{}
	if weight[0] > 0 {
		out.Training = sum[0] / weight[0]
	}
	if weight[1] > 0 {
		out.HeldOut = sum[1] / weight[1]
	}
	return out, nil
}
