package loop

import (
	"context"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/features"
	"plyfit/game"
	"plyfit/learn"
	"plyfit/models"
	"plyfit/selfplay"
)

// Methods of fitting.
const (
	Ridge    = "ridge"    // least squares on the label
	Logistic = "logistic" // the probability of winning, draws as halves
	LSTD     = "lstd"     // least-squares temporal differences over the episodes
)

// FitConfig says how weights are fitted to a data set. The zero value of every
// field is a default that suits the game.
type FitConfig struct {
	Set     string             // feature set; "": the game's default
	Method  string             // "": Logistic where utilities span at most 2, else Ridge
	Label   string             // of Ridge and Logistic: outcome (the default), search, or mix:SHARE (of the outcome, the rest of search)
	Lambda  float64            // of LSTD, 0 to 1
	Penalty float64            // draws weights to the prior; see learn.Options.Penalty
	Prior   *models.Linear     // what weights are drawn to; nil: zero
	Frozen  map[string]float64 // terms that keep this weight
	Leaves  models.Leaves      // which positions the model is to judge; "": decisions
	Seed    uint64             // chooses the held-out episodes
	Workers int                // never changes the result
}

// HeldOut is one episode in this many.
const HeldOut = 5

// Complete fills in the defaults for a game and says what is wrong with the
// rest.
func (c *FitConfig) Complete(w *catalog.World) error {
	base := w.Base()
	if c.Method == "" {
		c.Method = Ridge
		if base.Max-base.Min <= 2 {
			c.Method = Logistic
		}
	}
	if c.Label == "" {
		c.Label = "outcome"
	}
	if c.Leaves == "" {
		c.Leaves = models.Decision
	}
	switch c.Method {
	case Ridge:
	case Logistic:
		if math.IsInf(base.Max-base.Min, 0) {
			return fmt.Errorf("method %s: want %s or %s in %s, whose utilities have no bounds", Logistic, Ridge, LSTD, w.Name)
		}
	case LSTD:
		if c.Label != "outcome" {
			return fmt.Errorf("label %s: %s learns from outcomes", c.Label, LSTD)
		}
		if base.Players > 1 && (base.Players > 2 || base.Sum != game.Zero) {
			return fmt.Errorf("method %s: want a game of one, or a zero-sum game of two", LSTD)
		}
	default:
		return fmt.Errorf("method %q: want %s, %s or %s", c.Method, Ridge, Logistic, LSTD)
	}
	if !(c.Lambda >= 0 && c.Lambda <= 1) {
		return fmt.Errorf("lambda=%v: want a number from 0 to 1", c.Lambda)
	}
	if !(c.Penalty >= 0) || math.IsInf(c.Penalty, 0) {
		return fmt.Errorf("penalty=%v: want a number of at least 0", c.Penalty)
	}
	_, err := c.label(w)
	return err
}

// label reads the label's name.
func (c *FitConfig) label(w *catalog.World) (features.Label, error) {
	search := features.SearchValue(w.Game)
	if share, ok := strings.CutPrefix(c.Label, "mix:"); ok {
		x, err := strconv.ParseFloat(share, 64)
		if err != nil || !(x >= 0 && x <= 1) {
			return nil, fmt.Errorf("label %s: want mix:SHARE with a share of the outcome from 0 to 1", c.Label)
		}
		return features.Mixture(features.Outcome, search, x), nil
	}
	switch c.Label {
	case "outcome":
		return features.Outcome, nil
	case "search":
		return search, nil
	}
	return nil, fmt.Errorf("label %q: want outcome, search or mix:SHARE", c.Label)
}

// Fitted is what a fit gave.
type Fitted struct {
	Model  *models.Linear
	Set    features.Set
	Report learn.Report
	// Samples are the rows that were fitted, for looking at them again.
	Samples datasets.Samples
}

// Fit fits a model of w to a data set. It is the same for any number of
// workers.
func Fit(ctx context.Context, w *catalog.World, data *datasets.Set, c FitConfig) (*Fitted, error) {
	if err := c.Complete(w); err != nil {
		return nil, err
	}
	sampler, set, err := Rows(w, data, c)
	if err != nil {
		return nil, err
	}
	return c.fit(ctx, w, set, source{data.Dir, data.Digest, sampler, &selfplay.Steps{Sampler: *sampler}})
}

// source is what weights are fitted to.
type source struct {
	name    string // for messages
	digest  string
	samples datasets.Samples
	steps   *selfplay.Steps // for LSTD; nil: it has none
}

// fit fits a model of set, c being complete.
func (c *FitConfig) fit(ctx context.Context, w *catalog.World, set features.Set, data source) (*Fitted, error) {
	m := models.New(w.Name, set.Name(), set.Blocks())
	m.Leaves = c.Leaves
	if c.Method == Logistic {
		m.Link = models.Link{Kind: models.Logistic, Scale: 1}
	}
	options := learn.Options{HeldOut: learn.SplitEvery(HeldOut, c.Seed), Penalty: c.Penalty, Prior: c.Prior}
	var err error
	if options.Frozen, err = freeze(m, c.Frozen); err != nil {
		return nil, err
	}
	if w.Entry.Ships("handwritten") {
		theirs, hand, err := w.Model("handwritten")
		if err == nil && theirs.Name() == set.Name() {
			if scaled, ok := onLink(hand, m.Link, w.Base()); ok {
				options.Baselines = append(options.Baselines, learn.Baseline{Name: "hand-written", Model: scaled})
			}
		}
	}
	f := &Fitted{Model: m, Set: set, Samples: data.samples}
	base := w.Base()
	switch c.Method {
	case Ridge:
		f.Report, err = learn.Ridge{Options: options}.Learn(ctx, m, data.samples)
	case Logistic:
		f.Report, err = learn.Newton{Options: options, Loss: learn.LossFor(m.Link, base.Min, base.Max)}.Learn(ctx, m, data.samples)
	case LSTD:
		f.Report, err = learn.LSTD{Options: options, Lambda: c.Lambda}.Learn(ctx, m, data.steps)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", data.name, err)
	}
	m.Provenance = c.provenance(w.Spec, data.digest, &f.Report)
	return f, nil
}

// provenance is the recipe of a fit: no path, date or machine in it.
func (c *FitConfig) provenance(game, digest string, r *learn.Report) *models.Provenance {
	label, loss := c.Label, "squared"
	switch c.Method {
	case Logistic:
		loss = "logistic"
	case LSTD:
		label = fmt.Sprintf("td:%v", c.Lambda)
	}
	command := fmt.Sprintf("plyfit fit DATA -o MODEL --method %s --label %s --penalty %v --seed %d", c.Method, c.Label, c.Penalty, c.Seed)
	if c.Label == tableLabel {
		command = fmt.Sprintf("plyfit fit TABLE -o MODEL --game %s --method %s --penalty %v --seed %d", game, c.Method, c.Penalty, c.Seed)
	}
	if c.Set != "" {
		command += " --features " + c.Set
	}
	if c.Method == LSTD {
		command += fmt.Sprintf(" --lambda %v", c.Lambda)
	}
	if c.Leaves == models.Afterstate {
		command += " --leaves " + string(c.Leaves)
	}
	for _, name := range sortedKeys(c.Frozen) {
		command += fmt.Sprintf(" --freeze %q", fmt.Sprintf("%s=%v", name, c.Frozen[name]))
	}
	p := &models.Provenance{
		Command: command, Data: digest, Episodes: r.Episodes + r.HeldOutEpisodes, Rows: r.Rows + r.HeldOutRows,
		Label: label, Method: c.Method, Loss: loss, Regularisation: map[string]float64{"penalty": c.Penalty}, Seed: c.Seed,
		HeldOut: map[string]float64{"loss": r.HeldOutLoss, "constant": r.Constant.HeldOutLoss, "r2": r.HeldOutR2},
		Notes:   r.Notes,
	}
	for _, b := range r.Baselines {
		p.HeldOut[b.Name] = b.HeldOutLoss
	}
	if c.Prior != nil {
		if d, err := c.Prior.File().Digest(); err == nil {
			p.Prior = d
		}
	}
	return p
}

func sortedKeys(m map[string]float64) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// freeze gives the named terms their weight in m and returns their indices.
func freeze(m *models.Linear, frozen map[string]float64) ([]int32, error) {
	var out []int32
	for _, name := range sortedKeys(frozen) {
		found := false
		for i := range m.Weights {
			if m.Name(int32(i)) == name {
				m.Weights[i], found = frozen[name], true
				out = append(out, int32(i))
			}
		}
		if !found {
			return nil, fmt.Errorf("frozen term %q: %s has none of that name", name, m.Features)
		}
	}
	return out, nil
}

// onLink is m with its weights on the scale of another link, so that both give
// the same utility; ok is false where no scale does that. tanh(x) is
// 2/(1+exp(-2x)) - 1, so logistic and tanh differ by a factor.
func onLink(m *models.Linear, link models.Link, base *game.Game) (*models.Linear, bool) {
	steep := func(l models.Link) float64 {
		scale := l.Scale
		if scale == 0 {
			scale = 1
		}
		switch l.Kind {
		case models.Tanh:
			return 2 * scale
		case models.Logistic:
			return scale
		}
		return 0
	}
	from, to := steep(m.Link), steep(link)
	if (from == 0) != (to == 0) {
		return nil, false
	}
	out := m.Clone()
	out.Link = link
	if from != 0 {
		out.Bias *= from / to
		for i := range out.Weights {
			out.Weights[i] *= from / to
		}
		for i := range out.Table {
			out.Table[i] *= float32(from / to)
		}
	}
	return out, true
}
