package numeric

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"plyfit/learn/internal/learntest"
)

func TestQRAgainstGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for _, n := range []int{1, 5, 33} {
		x, y := denseRows(rng, 1000, n)
		q := NewQR(n)
		each(x, y, func(cols []int32, vals []float64, y float64) { q.Add(cols, vals, y, 1) })
		got := q.Solve()
		var want mat.VecDense
		if err := want.SolveVec(mat.NewDense(1000, n, x), mat.NewVecDense(1000, y)); err != nil {
			t.Fatal(err)
		}
		for j := range n {
			if !learntest.Near(got[j], want.AtVec(j), 1e-12) {
				t.Errorf("n %d: weight %d is %v, want %v", n, j, got[j], want.AtVec(j))
			}
		}
	}
}

// A million rows of 32 features, from memory, on one core.
func BenchmarkQR(b *testing.B) {
	x, y := denseRows(rand.New(rand.NewPCG(7, 8)), 1_000_000, 32)
	for b.Loop() {
		q := NewQR(32)
		each(x, y, func(cols []int32, vals []float64, y float64) { q.Add(cols, vals, y, 1) })
		if w := q.Solve(); math.IsNaN(w[0]) {
			b.Fatal("no solution")
		}
	}
}
