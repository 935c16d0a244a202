package fit

import (
	"maps"
	"math"
	"slices"
	"sort"

	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/learn/validate"
	"plyfit/models"
)

// Bin is a tenth of the held-out rows, by what was predicted for them.
type Bin struct {
	Predicted float64        `json:"predicted"` // mean
	Realised  stats.Estimate `json:"realised"`  // mean label, its interval clustered by episode
}

// calibrationOf compares predictions with labels on the held-out rows, in ten
// bins of equal size by prediction.
func calibrationOf(samples datasets.Samples, m *models.Linear, lo, hi float64, counts func(*datasets.Sample) bool, group func(uint64) (uint64, bool)) ([]Bin, error) {
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
	var bins []Bin
	const tenths = 10
	for k := range tenths {
		part := points[k*len(points)/tenths : (k+1)*len(points)/tenths]
		if len(part) == 0 {
			continue
		}
		var b Bin
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
// divided by N² (Liang and Zeger 1986), read by Student's t with one degree of freedom
// less than there are episodes of equal size.
func clusteredMean(y []float64, cluster []uint64) stats.Estimate {
	n := float64(len(y))
	mean := 0.0
	for _, v := range y {
		mean += v / n
	}
	sums, rows := map[uint64]float64{}, map[uint64]float64{}
	for i, v := range y {
		sums[cluster[i]] += v - mean
		rows[cluster[i]]++
	}
	e := stats.Estimate{Value: mean, Known: true}
	if len(sums) < 5 {
		e.Lacks = "too few episodes"
		return e
	}
	square := 0.0
	for _, id := range slices.Sorted(maps.Keys(sums)) { // in one order, for one last digit
		square += float64(sums[id] * sums[id])
	}
	g := float64(len(sums))
	squares := 0.0
	for _, k := range rows {
		squares += float64(k * k)
	}
	s := validate.Stratum[int]{Error: math.Sqrt(square*g/(g-1)) / n, Freedom: n*n/squares - 1}
	half := s.Half()
	e.Low, e.High, e.Bounded = mean-half, mean+half, true
	return e
}

// Calibration compares predictions with labels on the held-out rows that the
// held-out figures are of, in ten bins of equal size by prediction.
func (f *Result) Calibration(w *catalog.World) ([]Bin, error) {
	base := w.Base()
	return calibrationOf(f.Samples, f.Model, base.Min, base.Max, f.counts, f.data.sides.group)
}
