package sums

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/learntest"
	"plyfit/learn/loss"
	"plyfit/models"
)

// TestTaper: rows by share add up to what they add up to one by one, frozen weights,
// weights of rows and bounds included, to the same bits with any number of goroutines.
func TestTaper(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	const terms = 30
	for _, few := range []int{4, 25} {
		data := learntest.Tapered{Of: []float32{0, 0.25, 0.625, 1}} // products with whole numbers are exact
		for range 60_000 {
			s := datasets.Sample{Y: float64(rng.IntN(3)) / 2, Weight: float64(rng.IntN(3)), Kind: game.Bound(rng.IntN(3))}
			for c := range terms {
				if v := rng.IntN(7) - 3; v != 0 && rng.IntN(terms) < few {
					s.X = append(s.X, models.Term{Index: int32(c), Value: float32(v)})
				}
			}
			data.List, data.At = append(data.List, s), append(data.At, data.Of[rng.IntN(4)])
		}
		m := models.New("", "tapered", []models.Block{{Name: "x", Len: 2 * terms, Label: func(int) string { return "" }}})
		for i := range m.Weights {
			m.Weights[i] = rng.NormFloat64()
		}
		d, err := design.New(m, []int32{3, 8, 9, models.Bias}, 100)
		if err != nil {
			t.Fatal(err)
		}
		q := Question{Loss: loss.Squared{Link: models.Link{Kind: models.Logistic, Scale: 0.3}, Hi: 1}, Weights: make([]float64, d.Width()), Design: true}
		for c := range q.Weights {
			q.Weights[c] = rng.NormFloat64() / 2
		}
		odd := func(s *datasets.Sample) bool { return s.Weight > 0 }
		support := make([]int64, d.Width())
		want, err := (&Passes{Columns: d.Width()}).Sum(q, func(add func(cols []int32, vals []float64, r Row)) error {
			for s := range data.All() {
				if !odd(s) {
					continue
				}
				cols, vals, offset := d.Row(s.X)
				for k, c := range cols {
					support[c] += int64(design.Which(vals[k] != 0))
				}
				add(cols, vals, Row{Y: s.Y, Weight: s.Weight, Offset: offset, Kind: s.Kind})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var first *Sum
		for _, workers := range []int{1, 4} {
			l := Lay(data, d, workers, odd)
			if _, ok := l.(*Taper); !ok {
				t.Fatalf("rows are summed as %T", l)
			}
			if got := l.Support(); !reflect.DeepEqual(got, support) {
				t.Errorf("support %v, want %v", got, support)
			}
			got, err := l.Sum(context.Background(), q)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = got
			}
			if !reflect.DeepEqual(got, first) {
				t.Errorf("%d goroutines sum to other bits", workers)
			}
			for name, pair := range map[string][2][]float64{
				"loss": {{got.Loss}, {want.Loss}}, "XX": {got.XX, want.XX}, "XY": {got.XY, want.XY}, "design": {got.Design, want.Design},
			} {
				size := 0.0
				for _, v := range pair[1] {
					size = max(size, math.Abs(v))
				}
				for i, v := range pair[1] {
					if !(math.Abs(pair[0][i]-v) <= 1e-12*size) {
						t.Fatalf("%s[%d] = %v, want %v", name, i, pair[0][i], v)
					}
				}
			}
			half := l.Part(func(i int) bool { return i%2 == 0 })
			rest := l.Part(func(i int) bool { return i%2 == 1 })
			if half.Len()+rest.Len() != l.Len() || half.Len()-rest.Len() > 1 {
				t.Errorf("parts of %d and %d rows of %d", half.Len(), rest.Len(), l.Len())
			}
		}
	}
}
