package fit

import (
	"strings"
	"testing"

	"plyfit/learn/validate"
	"plyfit/models"
)

func TestCalibrationText(t *testing.T) {
	tenth := func(realised float64) validate.Stratum[int] {
		return validate.Stratum[int]{Predicted: 0.5, Realised: realised, Error: 0.05, Freedom: 1000}
	}
	right, low, high := tenth(0.5), tenth(0.2), tenth(0.9)
	for _, test := range []struct {
		groups []validate.Stratum[int]
		want   string
	}{
		{nil, ""},
		{[]validate.Stratum[int]{right, right}, "In none of the 2 groups"},
		{[]validate.Stratum[int]{low, low}, "In all 2 groups the outcome is lower than predicted, by up to 0.3: the evaluation promises too much."},
		{[]validate.Stratum[int]{low, right, right}, "In 1 of 3 groups the outcome is lower"},
		{[]validate.Stratum[int]{right, high}, "In 1 of 2 groups the outcome is higher than predicted, by up to 0.4: the evaluation promises too little."},
		{[]validate.Stratum[int]{low, high, high}, "In 2 of 3 groups the outcome is higher than predicted, in 1 lower, by up to 0.4"},
	} {
		if _, got := Calibrated("", test.groups); !strings.HasPrefix(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%v: got %q, want %q", test.groups, got, test.want)
		}
	}
}

// TestPictures: weights of squares stand on boards, all others in rows by their size.
func TestPictures(t *testing.T) {
	names := []string{"small", "pawn-e4@0", "large", "nothing", "pawn-a1@0", "king-h8"}
	m := &models.Linear{Blocks: []models.Block{{Name: "all", Len: len(names), Label: func(i int) string { return names[i] }}},
		Weights: []float64{0.25, 0.5, -3, 0, -0.125, 0}}
	f, ok, err := Coefficients(m, func(name string) (low, high float64, ok bool) { return -4, 1, name == "large" })
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	picture := string(f.SVG)
	if strings.Index(picture, ">large<") > strings.Index(picture, ">small<") || !strings.Contains(picture, ">small<") {
		t.Errorf("want large before small: %s", picture)
	}
	for _, absent := range []string{"nothing", "pawn", "king"} {
		if strings.Contains(picture, absent) {
			t.Errorf("%s among the weights", absent)
		}
	}
	f, ok, err = SquareWeights(m)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if picture = string(f.SVG); !strings.Contains(picture, ">pawn@0<") || !strings.Contains(picture, ">.5<") || !strings.Contains(picture, ">-.12<") {
		t.Errorf("want a board of pawns with .5 and -.12: %s", picture)
	}
	m.Weights = make([]float64, len(names))
	if _, ok, err := Coefficients(m, nil); ok || err != nil {
		t.Errorf("a picture of no weights: %v", err)
	}
	if _, ok, err := SquareWeights(m); ok || err != nil {
		t.Errorf("boards of no weights: %v", err)
	}
}
