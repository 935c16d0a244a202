package diagnose

import (
	"context"
	"fmt"
	"math"

	"plyfit/catalog"
	"plyfit/stats"
)

// Refit makes evaluations of the same recipe, each fitted to one of four disjoint quarters
// of the games that the evaluation learned from. games is how many those are in all.
type Refit func(ctx context.Context) (quarters []*catalog.Evaluation, games int, err error)

// MoreData is what four times the games that the evaluation learned from would gain.
type MoreData struct {
	Games   int            `json:"games"`   // that it learned from
	Quarter stats.Estimate `json:"quarter"` // what a fit to a quarter of them loses more under expectimax
	Gain    stats.Estimate `json:"gain"`    // of four times as many
}

// Of what a quarter of the games lost, four times the games gain a half where weights
// cost in proportion to their errors, a quarter where it is to the squares of those.
// On boards that are solved it was a third to a half from few games on.
const (
	gainsLeast = 0.25
	gainsMost  = 0.5
)

// refit makes the evaluations that learned from less.
func (d *diagnosis) refit(ctx context.Context) (err error) {
	if d.Refit == nil {
		return nil
	}
	data := &MoreData{}
	if d.refits, data.Games, err = d.Refit(ctx); err != nil {
		return fmt.Errorf("diagnose: fits to less data: %w", err)
	}
	d.report.Data = data
	return nil
}

// moreData says what the refits lose more, in the unit of the losses.
func (d *diagnosis) moreData() {
	m := d.report.Data
	if m == nil {
		return
	}
	all := make([]float64, len(d.games)) // by game, the mean of the refits
	var of stats.Moments                 // by refit, the mean of the games
	n := float64(len(d.refits))
	for k := range d.refits {
		own := make([]float64, len(d.games))
		for i, s := range d.samples {
			c := &d.found[i]
			own[s.game] += float64(s.weight*(c.values[expectimaxRaw]-c.parts[k])) * d.unit / float64(d.players)
		}
		of.Add(mean(own))
		for i, x := range own {
			all[i] += x / n
		}
	}
	regret := d.column(expectimaxRaw, arms)
	// Another quarter of the games would have given other weights.
	luck := float64(stats.T95(n-1)*of.Deviation()) / math.Sqrt(n)
	l := &d.report.Expectimax
	if l.Pairs > 0 {
		m.Quarter = product(l.Loss, wider(ratio(all, regret), luck/mean(regret)))
	} else {
		m.Quarter = wider(ratio(all, d.decisions()), luck/mean(d.decisions()))
	}
	if !m.Quarter.Bounded {
		m.Gain = stats.Estimate{Lacks: m.Quarter.Lacks}
		return
	}
	q := m.Quarter
	m.Gain = stats.Estimate{
		Value: float64(math.Sqrt(gainsLeast*gainsMost) * q.Value), Known: true, Bounded: true,
		Low: math.Min(gainsLeast*q.Low, gainsMost*q.Low), High: math.Max(gainsLeast*q.High, gainsMost*q.High),
	}
}

// wider is an estimate with another error of its own, half an interval wide.
func wider(e stats.Estimate, by float64) stats.Estimate {
	if !e.Bounded || math.IsNaN(by) || math.IsInf(by, 0) {
		return e
	}
	low, high := e.Value-e.Low, e.High-e.Value
	e.Low, e.High = e.Value-math.Sqrt(float64(low*low)+float64(by*by)), e.Value+math.Sqrt(float64(high*high)+float64(by*by))
	return e
}
