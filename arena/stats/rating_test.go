package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Between two the rating is the Elo of the score, and its interval that of the
// score by the delta method.
func TestRateTwo(t *testing.T) {
	c := Pentanomial{57, 265, 545, 354, 87}
	r, note, err := Rate(2, []Encounter{{A: 0, B: 1, Pairs: c.Pairs(), Score: c.Mean(), Deviation: c.Deviation()}})
	if err != nil || note != "" {
		t.Fatal(err, note)
	}
	if d := r[0].Value - r[1].Value; math.Abs(d-Elo(c.Mean())) > 1e-6 || math.Abs(r[0].Value+r[1].Value) > 1e-6 {
		t.Errorf("ratings %v and %v, want a difference of %v around 0", r[0].Value, r[1].Value, Elo(c.Mean()))
	}
	mean := c.Mean()
	half := T95(c.Pairs()-1) * c.Deviation() / math.Sqrt(c.Pairs()) / (mean * (1 - mean)) * 400 / math.Ln10 / 2
	if math.Abs(r[0].Error()-half) > 1e-6 {
		t.Errorf("half an interval of %v, want %v", r[0].Error(), half)
	}
}

// Scores that a set of ratings predicts give these ratings back.
func TestRateExact(t *testing.T) {
	want := []float64{120, 35, 0, -40, -115}
	var met []Encounter
	for i := range want {
		for k := i + 1; k < len(want); k++ {
			met = append(met, Encounter{A: i, B: k, Pairs: float64(20 * (i + k)), Score: score(want[i] - want[k]), Deviation: 0.3})
		}
	}
	got, note, err := Rate(len(want), met)
	if err != nil || note != "" {
		t.Fatal(err, note)
	}
	for i, r := range got {
		if math.Abs(r.Value-want[i]) > 1e-5 || !r.Bounded {
			t.Errorf("entrant %d: rating %v, want %v", i, r, want[i])
		}
	}
}

// One who won everything has a finite rating, with a note on how; entrants
// without a common opponent have none.
func TestRateExtremes(t *testing.T) {
	met := []Encounter{{A: 0, B: 1, Pairs: 50, Score: 1}, {A: 1, B: 2, Pairs: 50, Score: 0.5, Deviation: 0.25}, {A: 0, B: 2, Pairs: 50, Score: 1}}
	r, note, err := Rate(3, met)
	if err != nil || note == "" || !(r[0].Value > 300 && r[0].Value < 2000) {
		t.Errorf("%v, note %q, error %v", r, note, err)
	}
	if _, _, err := Rate(4, []Encounter{{A: 0, B: 1, Pairs: 9, Score: 0.5}, {A: 2, B: 3, Pairs: 9, Score: 0.5}}); err == nil || !strings.Contains(err.Error(), "entrants 1 and 3") {
		t.Errorf("two islands: error %v", err)
	}
	r, _, err = Rate(2, []Encounter{{A: 0, B: 1, Pairs: 2, Score: 0.5}})
	if err != nil || r[0].Bounded || !strings.Contains(r[0].Lacks, "too few pairs") {
		t.Errorf("two pairs: %v, %v", r, err)
	}
}

// Intervals of ratings hold the truth about as often as they say.
func TestRateCoverage(t *testing.T) {
	truth := []float64{60, 0, -60}
	base := [5]float64{0.05, 0.2, 0.5, 0.2, 0.05}
	rng := rand.New(rand.NewPCG(1, 2))
	in, of := 0, 0
	for range simulations() {
		var met []Encounter
		for i := range truth {
			for k := i + 1; k < 3; k++ {
				var c Pentanomial
				p := fitMean(base, score(truth[i]-truth[k]))
				for range 100 {
					c.Add(drawPair(rng, p))
				}
				met = append(met, Encounter{A: i, B: k, Pairs: 100, Score: c.Mean(), Deviation: c.Deviation()})
			}
		}
		r, _, err := Rate(3, met)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range r {
			of++
			if e.Low <= truth[i] && truth[i] <= e.High {
				in++
			}
		}
	}
	rate := float64(in) / float64(of)
	t.Logf("%.2f%% of %d", 100*rate, of)
	if rate < 0.92 || rate > 0.975 {
		t.Errorf("intervals of ratings hold the truth in %.2f%%", 100*rate)
	}
}
