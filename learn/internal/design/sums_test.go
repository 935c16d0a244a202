package design

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/learn/internal/learntest"
	"plyfit/learn/loss"
	"plyfit/models"
)

// frozenModel returns a matrix with 7 columns. The bias is frozen at 0, and one more feature at 1.
func frozenModel() *Matrix {
	m := learntest.Model(8)
	m.Weights[7] = 1
	return vectors.Must(New(m, []int32{7, models.Bias}, 100))
}

// drawn returns n rows for frozenModel, the same rows in every call.
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

// TestTotals compares the sums with sums computed directly from the rows.
func TestTotals(t *testing.T) {
	w := []float64{0.1, -0.2, 0.3, math.Copysign(0, -1), 0.5, 1e-300, 7}
	q, data := Question{Loss: loss.Logistic{Scale: 0.7, Lo: -1, Hi: 1}, Weights: w, Design: true}, drawn(40_000)
	rows := vectors.Must(OpenRows(context.Background(), data, frozenModel(), &Split{}, 2, NewTally(7), loss.Squared{}, nil))
	got, plain := vectors.Must(rows.Sum(context.Background(), q)), vectors.Must(rows.Sum(context.Background(), Question{}))
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

// TestTree checks that adding aligned subtrees gives bit-identical results to adding their leaves.
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
