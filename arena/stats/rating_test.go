package stats

import (
	"math"
	"strings"
	"testing"
)

// Between two the rating is the Elo of the score.
func TestRateTwo(t *testing.T) {
	c := Pentanomial{57, 265, 545, 354, 87}
	r, note, err := Rate(2, []Encounter{{A: 0, B: 1, Pairs: c.Pairs(), Score: c.Mean()}})
	if err != nil || note != "" {
		t.Fatal(err, note)
	}
	if d := r[0] - r[1]; math.Abs(d-Elo(c.Mean())) > 1e-6 || math.Abs(r[0]+r[1]) > 1e-6 {
		t.Errorf("ratings %v and %v, want a difference of %v around 0", r[0], r[1], Elo(c.Mean()))
	}
}

// Scores that a set of ratings predicts give these ratings back.
func TestRateExact(t *testing.T) {
	want := []float64{120, 35, 0, -40, -115}
	var met []Encounter
	for i := range want {
		for k := i + 1; k < len(want); k++ {
			met = append(met, Encounter{A: i, B: k, Pairs: float64(20 * (i + k)), Score: score(want[i] - want[k])})
		}
	}
	got, note, err := Rate(len(want), met)
	if err != nil || note != "" {
		t.Fatal(err, note)
	}
	for i, r := range got {
		if math.Abs(r-want[i]) > 1e-5 {
			t.Errorf("entrant %d: rating %v, want %v", i, r, want[i])
		}
	}
}

// One who won everything has a finite rating, with a note on how; entrants
// without a common opponent have none.
func TestRateExtremes(t *testing.T) {
	met := []Encounter{{A: 0, B: 1, Pairs: 50, Score: 1}, {A: 1, B: 2, Pairs: 50, Score: 0.5}, {A: 0, B: 2, Pairs: 50, Score: 1}}
	r, note, err := Rate(3, met)
	if err != nil || note == "" || !(r[0] > 300 && r[0] < 2000) {
		t.Errorf("%v, note %q, error %v", r, note, err)
	}
	if _, _, err := Rate(4, []Encounter{{A: 0, B: 1, Pairs: 9, Score: 0.5}, {A: 2, B: 3, Pairs: 9, Score: 0.5}}); err == nil || !strings.Contains(err.Error(), "entrants 1 and 3") {
		t.Errorf("two islands: error %v", err)
	}
}
