package experiments

import (
	"testing"

	"plyfit/catalog"
	"plyfit/study"
)

// A slope of strength on error is judged curve by curve: matches without any noise
// decide nothing where training seeds scatter, and few of them give no verdict at all,
// however many models each has.
func TestSlopesCountTrainingSeeds(t *testing.T) {
	w, err := catalog.All().World("connect4:dice=on")
	if err != nil {
		t.Fatal(err)
	}
	random := study.NewRand(2)
	points := func(n int, scatter float64) (list []curvePoint, y map[float64]float64) {
		y = map[float64]float64{}
		for i := range 4 * n {
			x := float64(i) / float64(4*n)
			list = append(list, curvePoint{error: x, learned: true, curve: i % n})
			y[x] = -0.3*x + scatter*random.NormFloat64()
		}
		return list, y
	}
	slope := func(n, depth int, scatter float64) *study.Results {
		list, y := points(n, scatter)
		f := &study.Results{}
		trainSlope(f, w, curveGame{depth: depth}, list, func(p curvePoint) float64 { return y[p.error] })
		return f
	}
	for _, c := range []struct {
		n, depth int
		scatter  float64
		want     study.Support
	}{{10, 2, 0.01, study.Supported}, {10, 2, 2, study.NotDecided}, {7, 2, 0.01, ""}, {10, 1, 0.01, ""}} {
		f := slope(c.n, c.depth, c.scatter)
		switch {
		case c.want == "" && (len(f.Findings) > 0 || len(f.Notes) != 1):
			t.Errorf("%+v: %v, want a note and no verdict", c, f.Findings)
		case c.want != "" && (len(f.Findings) != 1 || f.Findings[0].Support != c.want):
			t.Errorf("%+v: %v", c, f.Findings)
		}
	}
}
