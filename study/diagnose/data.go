package diagnose

import (
	"math"

	"plyfit/arena/stats"
	"plyfit/catalog"
)

// Quarters are evaluations of the same recipe, each fitted to one of a few disjoint
// quarters of the games that the evaluation learned from.
type Quarters struct {
	Evaluations []*catalog.Evaluation
	Games       int // that the evaluation learned from, all quarters together
}

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

// moreData says what the refits lose more, in the unit of the losses.
func (d *diagnosis) moreData() {
	refits := d.Quarters.Evaluations
	if len(refits) == 0 {
		return
	}
	m := &MoreData{Games: d.Quarters.Games}
	d.report.Data = m
	all := make([]float64, len(d.games)) // by game, the mean of the refits
	var of stats.Moments                 // by refit, the mean of the games
	n := float64(len(refits))
	for k := range refits {
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
	if l.Pairs == 0 {
		luck /= mean(d.decisions())
	}
	m.Quarter = wider(l.gain(regret, all, d.decisions()), luck)
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
