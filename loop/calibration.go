package loop

import (
	"fmt"
	"math"
	"sort"

	"plyfit/arena"
	"plyfit/datasets"
	"plyfit/models"
	"plyfit/report"
)

// bin is a tenth of the held-out rows, by what was predicted for them.
type bin struct {
	Predicted float64        `json:"predicted"` // mean
	Realised  arena.Estimate `json:"realised"`  // mean label, its interval clustered by episode
}

// calibrationOf compares predictions with labels on the held-out rows, in ten
// bins of equal size by prediction.
func calibrationOf(samples datasets.Samples, m *models.Linear, lo, hi float64, counts func(*datasets.Sample) bool, group func(uint64) (uint64, bool)) ([]bin, error) {
	type point struct {
		predicted, label float64
		episode          uint64
	}
	var points []point
	for s, err := range samples.All() {
		if err != nil {
			return nil, err
		}
		if !counts(s) {
			continue
		}
		id, _ := group(s.Episode)
		p := m.Link.Apply(m.Dot(s.X), lo, hi)
		points = append(points, point{math.Min(math.Max(p, lo), hi), s.Y, id})
	}
	sort.SliceStable(points, func(i, j int) bool { return points[i].predicted < points[j].predicted })
	var bins []bin
	const tenths = 10
	for k := range tenths {
		part := points[k*len(points)/tenths : (k+1)*len(points)/tenths]
		if len(part) == 0 {
			continue
		}
		var b bin
		var labels []float64
		var episodes []uint64
		for _, p := range part {
			b.Predicted += p.predicted / float64(len(part))
			labels, episodes = append(labels, p.label), append(episodes, p.episode)
		}
		b.Realised = clusteredMean(labels, episodes)
		bins = append(bins, b)
	}
	return bins, nil
}

// clusteredMean is a mean whose interval takes rows of one episode for one
// piece of evidence: variance G/(G-1) sum over episodes of (sum of residuals)²
// divided by N² (Liang and Zeger 1986).
func clusteredMean(y []float64, cluster []uint64) arena.Estimate {
	n := float64(len(y))
	mean := 0.0
	for _, v := range y {
		mean += v / n
	}
	sums := map[uint64]float64{}
	for i, v := range y {
		sums[cluster[i]] += v - mean
	}
	e := arena.Estimate{Value: mean, Known: true}
	if len(sums) < 5 {
		e.Lacks = "too few episodes"
		return e
	}
	square := 0.0
	for _, s := range sums {
		square += float64(s * s)
	}
	g := float64(len(sums))
	half := z95 * math.Sqrt(square*g/(g-1)) / n
	e.Low, e.High, e.Bounded = mean-half, mean+half, true
	return e
}

// calibration draws predicted against realised outcomes.
func (o *Outcome) calibration() (report.Figure, error) {
	base := o.Config.World.Base()
	bins, err := calibrationOf(o.Fitted.Samples, o.Fitted.Model, base.Min, base.Max, o.Fitted.counts, o.Fitted.data.sides.group)
	if err != nil {
		return report.Figure{}, err
	}
	s := report.Series{Name: "held-out rows in tenths"}
	for _, b := range bins {
		s.X, s.Y = append(s.X, b.Predicted), append(s.Y, b.Realised.Value)
		s.Low, s.High = append(s.Low, low(b.Realised)), append(s.High, high(b.Realised))
	}
	svg, err := report.Chart{Title: "Calibration", XLabel: "predicted outcome", YLabel: "realised outcome (mean)", Series: []report.Series{s}, Diagonal: true, LegendTop: true, LegendLeft: true}.SVG()
	if err != nil {
		return report.Figure{}, fmt.Errorf("calibration: %w", err)
	}
	return report.Figure{Name: "calibration", SVG: svg, Caption: "What the learned evaluation predicted for positions of held-out episodes, and what came of them, with 95% intervals clustered by episode. On the dotted line predictions are right on average."}, nil
}
