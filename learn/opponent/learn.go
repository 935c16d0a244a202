package opponent

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"plyfit/arena/stats"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/models"
	"plyfit/work"
)

// A Measure describes how well a player model predicts the moves in the held-out groups.
type Measure struct {
	Name  string         `json:"name"`
	Match stats.Estimate `json:"match"` // fraction of the moves that were the most likely ones according to the model; for uniform play, their mean probability
	// LogLikelihood is the mean log probability of the moves, in nats.
	LogLikelihood stats.Estimate `json:"log_likelihood"`
}

// Learned is the result of [Learn].
type Learned struct {
	Model    *models.Linear `json:"-"`
	Start    Fitted         `json:"start"` // fit with the starting weights
	Fitted   Fitted         `json:"fitted"`
	Penalty  float64        `json:"penalty"`
	Train    int            `json:"groups"`
	HeldOut  int            `json:"held_out_groups"`
	Moves    int            `json:"held_out_moves"`
	Measures []Measure      `json:"measures"` // for uniform play, for the start with its fitted temperature and fraction of random moves, and for the model
	Gain     stats.Estimate `json:"gain"`     // Match of the model minus Match of the start
}

// penalties lists the candidates for the penalty. The candidate with the highest likelihood on a
// fifth of the training groups is used.
var penalties = []float64{1, 0.1, 0.01}

// Learn fits a softmax over a linear evaluation to the moves played in the decisions, by maximum
// likelihood. It fits the temperature, the fraction of random moves and the weights, except those
// of tables. It starts from start's weights and penalises differences from them. One group in five
// is held out.
//
// The game must have two players, a constant sum, bounded utilities and no hidden information. If
// moves are followed by chance moves, start must be a model of afterstates. Learn returns an error
// if there are fewer than five groups. The result does not depend on the number of workers.
func Learn(ctx context.Context, g *game.Game, set features.Set, start *models.Linear, list []Decision, seed uint64, workers int) (*Learned, error) {
	if err := Check(g); err != nil {
		return nil, err
	}
	groups := map[int]int{}
	for _, d := range list {
		groups[d.Group] = 0
	}
	if len(groups) < 5 {
		return nil, fmt.Errorf("opponent: games or events with moves: %d; want at least 5, including one to hold out", len(groups))
	}
	d, err := extract(ctx, g, set, start, list, workers)
	if err != nil {
		return nil, err
	}
	order := slices.Sorted(maps.Keys(groups))
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for i, k := range order { // one fifth is held out, and another fifth is used to choose the penalty
		groups[k] = min(2, 5*i/len(order))
	}
	r := &Learned{HeldOut: (len(order) + 4) / 5}
	r.Train = len(order) - r.HeldOut
	training := func(k int) bool { return groups[k] > 0 }
	only := func(part int) func(k int) bool { return func(k int) bool { return groups[k] == part } }
	if r.Start, err = d.choices(start, training).Fit(); err != nil {
		return nil, err
	}
	least := math.Inf(1)
	for _, penalty := range penalties {
		m, x, err := d.fit(ctx, start, r.Start, only(2), penalty, workers)
		if err != nil {
			return nil, err
		}
		if v, _ := d.choices(m, only(1)).score(x, nil); -v < least {
			least, r.Penalty = -v, penalty
		}
	}
	if r.Model, _, err = d.fit(ctx, start, r.Start, training, r.Penalty, workers); err != nil {
		return nil, err
	}
	if r.Fitted, err = d.choices(r.Model, training).Fit(); err != nil {
		return nil, err
	}
	r.Model.Softmax = models.Softmax{Temperature: r.Fitted.Temperature.Value, Random: r.Fitted.Random.Value}
	r.test(d.choices(start, only(0)), d.choices(r.Model, only(0)))
	return r, nil
}

// fit returns the weights, the temperature and the fraction of random moves that maximise the log
// likelihood of the decisions in the selected groups, minus the penalty. The penalty is measured in
// log odds of moves at the start's temperature.
func (d *data) fit(ctx context.Context, start *models.Linear, from Fitted, in func(int) bool, penalty float64, workers int) (*models.Linear, point, error) {
	k := len(d.units)
	scale := from.Temperature.Value * (d.high - d.low) / start.Link.Slope(0, d.low, d.high)
	e := min(max(from.Random.Value, 1e-4), 0.99)
	x := make([]float64, k+2)
	x[k], x[k+1] = -elementary.Log(from.Temperature.Value), elementary.Log(e/(1-e))
	at := func(x []float64) (*models.Linear, point) {
		m := start.Clone()
		m.Errors, m.Provenance = nil, nil
		for j := range m.Weights {
			m.Weights[j] += float64(x[j] * d.units[j] * scale)
		}
		return m, point{x[k], x[k+1]}
	}
	const size = 512
	sums := make([][]float64, (len(d.nodes)+size-1)/size) // for each part of the decisions: the gradient, the number of decisions, and the likelihood
	none := func() (struct{}, error) { return struct{}{}, nil }
	value := func(x, grad []float64) (float64, error) {
		m, p := at(x)
		err := work.Each(ctx, workers, len(sums), none, func(_ context.Context, _ struct{}, i int) error {
			if sums[i] == nil {
				sums[i] = make([]float64, k+4)
			}
			clear(sums[i])
			d.gradient(m, p, d.nodes[i*size:min(len(d.nodes), (i+1)*size)], in, sums[i])
			return nil
		}, nil)
		total := make([]float64, k+4)
		for _, part := range sums {
			for j, v := range part {
				total[j] += v
			}
		}
		f, n := -total[k+3]/total[k+2], total[k+2]
		for j := range grad {
			grad[j] = -total[j] / n
			if j < k {
				grad[j] = float64(grad[j]*d.units[j]*scale) + float64(2*penalty*x[j])
				f += float64(penalty * x[j] * x[j])
			}
		}
		return f, err
	}
	err := minimise(x, 60, value)
	m, p := at(x)
	return m, p, err
}

// gradient adds the following to sums: the gradient of the nodes' log likelihood with respect to
// the weights and the point, the number of nodes, and their log likelihood.
func (d *data) gradient(m *models.Linear, x point, nodes []node, in func(int) bool, sums []float64) {
	var p, slopes []float64
	k := len(m.Weights)
	b, e := x.rates()
	add := func(x models.Vector, by float64) {
		for _, t := range x {
			if int(t.Index) < k {
				sums[t.Index] += float64(by * float64(t.Value))
			}
		}
	}
	for i := range nodes {
		n := &nodes[i]
		if !in(n.group) {
			continue
		}
		p, slopes = d.values(n, m, p, slopes)
		logQ, soft, g := weigh(p, n.chosen, b, e)
		sums[k], sums[k+1], sums[k+2], sums[k+3] = sums[k]+g[0], sums[k+1]+g[1], sums[k+2]+1, sums[k+3]+logQ
		p[n.chosen]--
		all := 0.0
		for i, q := range p {
			by := float64(-b * soft * q * slopes[i])
			all += by
			add(n.moves[i].differs, by)
		}
		add(n.first, all)
	}
}

// test evaluates uniform play, the start and the model on the held-out groups, with intervals
// clustered by group.
func (r *Learned) test(start, model *Choices) {
	rows, groups := make([][7]float64, len(start.list)), map[int][]int{}
	predict := func(c *Choices, i int, f *Fitted) (match, logQ float64) {
		d := c.list[i]
		values := slices.Clone(c.values[d.first : d.first+d.n])
		if slices.Index(values, 0) == d.chosen { // the largest value is 0
			match = 1
		}
		logQ, _, _ = weigh(values, d.chosen, 1/f.Temperature.Value, f.Random.Value)
		return match, logQ
	}
	for i, d := range start.list {
		first, firstLog := predict(start, i, &r.Start)
		second, secondLog := predict(model, i, &r.Fitted)
		rows[i] = [...]float64{1 / float64(d.n), -elementary.Log(float64(d.n)), first, firstLog, second, secondLog, second - first}
		groups[d.game] = append(groups[d.game], i)
	}
	r.Moves = len(rows)
	mean := func(column int) stats.Estimate { // mean over decisions, whose interval is computed from the influence of each group
		sum, n := 0.0, float64(len(rows))
		for i := range rows {
			sum += rows[i][column]
		}
		var influence []float64
		for _, k := range slices.Sorted(maps.Keys(groups)) {
			own := 0.0
			for _, i := range groups[k] {
				own += rows[i][column] - sum/n
			}
			influence = append(influence, sum/n+float64(own*float64(len(groups))/n))
		}
		return stats.MeanOf(influence)
	}
	for i, name := range []string{"uniform", "start", "model"} {
		r.Measures = append(r.Measures, Measure{name, mean(2 * i), mean(2*i + 1)})
	}
	r.Gain = mean(6)
}
