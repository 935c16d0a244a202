package design

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/learn/internal/learntest"
	"plyfit/learn/loss"
	"plyfit/models"
)

// frozenModel has 7 features and one that is frozen, with the bias, at 1.
func frozenModel() *Matrix {
	m := learntest.Model(8)
	m.Weights[7] = 1
	return vectors.Must(New(m, []int32{7, models.Bias}, 100))
}

// drawn are n rows of frozenModel, the same every time.
func drawn(n int) (out datasets.Rows) {
	rng := rand.New(rand.NewPCG(3, uint64(n)))
	for i := range n {
		s := datasets.Sample{Y: rng.Float64(), Weight: 0.1 + rng.Float64(), Kind: game.Bound(rng.IntN(3)), Episode: uint64(i)}
		for range 3 {
			s.X = append(s.X, models.Term{Index: int32(rng.IntN(7)), Value: float32(rng.NormFloat64())})
		}
		s.X = slices.Insert(s.X, i%4, models.Term{Index: 7, Value: float32(rng.NormFloat64())})
		out = append(out, s)
	}
	return out
}

func opened(data datasets.Samples, d *Matrix, workers int, use func(s *datasets.Sample) bool) *Rows {
	return vectors.Must(OpenRows(context.Background(), data, d, &Split{}, workers, NewTally(d.Width()), loss.Squared{}, use))
}

func questions() map[string]Question {
	w := []float64{0.1, -0.2, 0.3, math.Copysign(0, -1), 0.5, 1e-300, 7}
	return map[string]Question{
		"least squares": {},
		"logistic":      {Loss: loss.Logistic{Scale: 0.7, Lo: -1, Hi: 1}, Weights: w, Design: true},
		"squared":       {Loss: loss.Squared{Link: models.Link{Kind: models.Logistic, Scale: 2}, Lo: 0, Hi: 3}, Weights: w},
	}
}

// TestPasses: the sums have the same bits with any number of goroutines.
func TestPasses(t *testing.T) {
	for _, rows := range []int{1, 1 << 14, 12<<14 + 17} {
		data := drawn(rows)
		for name, q := range questions() {
			want := vectors.Must(opened(data, frozenModel(), 1, nil).Sum(context.Background(), q))
			several, err := opened(data, frozenModel(), 5, nil).Sum(context.Background(), q)
			if err != nil || !reflect.DeepEqual(several, want) {
				t.Errorf("%s of %d rows by 5 goroutines: %v, %v, want %v", name, rows, several, err, want)
			}
		}
	}
}

// TestTotals: the sums are those of the rows.
func TestTotals(t *testing.T) {
	q, data := questions()["logistic"], drawn(40_000)
	got := vectors.Must(opened(data, frozenModel(), 2, nil).Sum(context.Background(), q))
	plain := vectors.Must(opened(data, frozenModel(), 2, nil).Sum(context.Background(), Question{}))
	want := &Sum{XX: make([]float64, 49), XY: make([]float64, 7), Design: make([]float64, 49), Support: make([]int64, 7)}
	label := make([]float64, 7)
	for _, s := range data {
		x, z, offset := make([]float64, 7), 0.0, 0.0
		for _, term := range s.X {
			if term.Index == 7 {
				offset = float64(term.Value)
				continue
			}
			x[term.Index] += float64(term.Value)
			z += q.Weights[term.Index] * float64(term.Value)
			want.Support[term.Index]++
		}
		l, grad, hess := q.Loss.Loss(z+offset, s.Y)
		if s.Kind == 1 && grad > 0 || s.Kind == 2 && grad < 0 {
			l, grad, hess = 0, 0, 0
		}
		want.Loss += s.Weight * l
		for i := range x {
			want.XY[i] += s.Weight * grad * x[i]
			label[i] += s.Weight * (s.Y - offset) * x[i]
			for j := range x {
				want.XX[i*7+j] += s.Weight * hess * x[i] * x[j]
				want.Design[i*7+j] += s.Weight * x[i] * x[j]
			}
		}
	}
	near := func(what string, got, want []float64) {
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-8 {
				t.Errorf("%s[%d] = %v, want %v", what, i, got[i], want[i])
			}
		}
	}
	near("loss", []float64{got.Loss}, []float64{want.Loss})
	near("XX", got.XX, want.XX)
	near("XY", got.XY, want.XY)
	near("design", got.Design, want.Design)
	near("XX of least squares", plain.XX, want.Design)
	near("XY of least squares", plain.XY, label)
	if !slices.Equal(got.Support, want.Support) || !slices.Equal(plain.Support, want.Support) {
		t.Errorf("support %v and %v, want %v", got.Support, plain.Support, want.Support)
	}
}

// TestTree: aligned subtrees add up to the same bits as their leaves.
func TestTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for leaves := 1; leaves < 40; leaves++ {
		values := make([]float64, leaves)
		for i := range values {
			values[i] = rng.NormFloat64() * math.Exp(20*rng.NormFloat64())
		}
		total := func(values []float64) *Sum {
			var tree sumTree
			for _, v := range values {
				tree.Add(&Sum{Loss: v})
			}
			return tree.Total()
		}
		want := total(values).Loss
		for _, size := range []int{1, 2, 4, 8} {
			var tree sumTree
			for part := range slices.Chunk(values, size) {
				tree.Add(total(part))
			}
			if got := tree.Total().Loss; got != want {
				t.Errorf("%d leaves in subtrees of %d: %v, want %v", leaves, size, got, want)
			}
		}
	}
}

// TestTaper: rows by share add up to what they add up to one by one, frozen weights,
// weights of rows and bounds included, to the same bits with any number of goroutines.
func TestTaper(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	const terms = 30
	for _, few := range []int{4, 25} {
		var data datasets.Rows
		for range 60_000 {
			s := datasets.Sample{Y: float64(rng.IntN(3)) / 2, Weight: float64(rng.IntN(3)), Kind: game.Bound(rng.IntN(3))}
			s.Phase = []float32{0, 0.25, 0.625, 1}[rng.IntN(4)] // products with whole numbers are exact
			for c := range terms {
				if v := rng.IntN(7) - 3; v != 0 && rng.IntN(terms) < few {
					s.X = append(s.X, models.Term{Index: int32(c), Value: float32(v)})
				}
			}
			data = append(data, s)
		}
		m := models.New("", "tapered", []models.Block{{Name: "x", Len: 2 * terms, Label: func(int) string { return "" }}})
		for i := range m.Weights {
			m.Weights[i] = rng.NormFloat64()
		}
		d := vectors.Must(New(m, []int32{3, 8, 9, models.Bias}, 100))
		q := Question{Loss: loss.Squared{Link: models.Link{Kind: models.Logistic, Scale: 0.3}, Hi: 1}, Weights: make([]float64, d.Width()), Design: true}
		for c := range q.Weights {
			q.Weights[c] = rng.NormFloat64() / 2
		}
		store := learntest.Stored(data, true)
		want := vectors.Must(opened(store, d, 1, nil).Sum(context.Background(), q))
		var first *Sum
		for _, workers := range []int{1, 4} {
			l := opened(store, d, workers, nil)
			vectors.Check(l.ByShare())
			if len(l.shares) != 4 {
				t.Fatalf("rows of shares %v", l.shares)
			}
			got := vectors.Must(l.Sum(context.Background(), q))
			if !slices.Equal(got.Support, want.Support) {
				t.Errorf("support %v, want %v", got.Support, want.Support)
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
