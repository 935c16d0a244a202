package numeric

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestGramAgainstSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 3, 4, 7, 8, 9, 31, 32, 33, 70} {
		for _, k := range []int{1, 2, n/3 + 1, n} {
			g := NewGram(n)
			want := make([]float64, n*n)
			wantY := make([]float64, n)
			for range 300 {
				cols, vals := make([]int32, k), make([]float64, k)
				row := make([]float64, n)
				for i := range cols { // columns may repeat
					cols[i], vals[i] = int32(rng.IntN(n)), rng.NormFloat64()
					row[cols[i]] += vals[i]
				}
				w, y := rng.Float64(), rng.NormFloat64()
				g.Add(cols, vals, w, w*y)
				for i := range n {
					wantY[i] += w * y * row[i]
					for j := range n {
						want[i*n+j] += w * row[i] * row[j]
					}
				}
			}
			xx, xy := g.Sum()
			for i := range want {
				if math.Abs(xx[i]-want[i]) > 1e-10 {
					t.Fatalf("n %d, k %d: entry %d is %v, want %v", n, k, i, xx[i], want[i])
				}
			}
			for i := range wantY {
				if math.Abs(xy[i]-wantY[i]) > 1e-10 {
					t.Fatalf("n %d, k %d: right-hand side %d is %v, want %v", n, k, i, xy[i], wantY[i])
				}
			}
		}
	}
}

func denseRows(rng *rand.Rand, rows, n int) (x, y []float64) {
	x, y = make([]float64, rows*n), make([]float64, rows)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	for i := range y {
		y[i] = rng.NormFloat64()
	}
	return x, y
}

// each calls add for every row of x and its label. The matrix x has len(x)/len(y) columns.
func each(x, y []float64, add func(cols []int32, vals []float64, y float64)) {
	n := len(x) / len(y)
	cols := make([]int32, n)
	for i := range cols {
		cols[i] = int32(i)
	}
	for r, v := range y {
		add(cols, x[r*n:(r+1)*n], v)
	}
}

// BenchmarkGramCholesky computes the Gram matrix and its Cholesky solution for a million rows of 32
// features in memory, on one core.
func BenchmarkGramCholesky(b *testing.B) {
	x, y := denseRows(rand.New(rand.NewPCG(7, 8)), 1_000_000, 32)
	for b.Loop() {
		g := NewGram(32)
		each(x, y, func(cols []int32, vals []float64, y float64) { g.Add(cols, vals, 1, y) })
		xx, xy := g.Sum()
		f := Cholesky(xx, 32, 0)
		w := f.Solve(xy)
		if math.IsNaN(w[0]) {
			b.Fatal("no solution")
		}
	}
}

// TestDescentOnCurvedValleys minimises functions for which unit steps are far too long or too
// short. One of them is not convex.
func TestDescentOnCurvedValleys(t *testing.T) {
	rosenbrock := func(x, g []float64) (float64, error) {
		a, b := 1-x[0], x[1]-x[0]*x[0]
		g[0], g[1] = -2*a-400*x[0]*b, 200*b
		return a*a + 100*b*b, nil
	}
	quartic := func(x, g []float64) (float64, error) {
		f := 0.0
		for j, v := range x {
			u := v - float64(j)
			f += math.Pow(10, float64(j)) * u * u * u * u
			g[j] = 4 * math.Pow(10, float64(j)) * u * u * u
		}
		return f, nil
	}
	for name, c := range map[string]struct {
		f           func(x, g []float64) (float64, error)
		start, want []float64
		tol         float64
	}{
		"rosenbrock": {rosenbrock, []float64{-1.2, 1}, []float64{1, 1}, 1e-6},
		"quartic":    {quartic, []float64{3, -5, 40}, []float64{0, 1, 2}, 5e-3},
	} {
		x := slices.Clone(c.start)
		if err := (&QuasiNewton{Value: c.f, Step: func() {}, Iterations: 500, Pairs: 8}).Minimise(x); err != nil && err != ErrFloor {
			t.Fatal(err)
		}
		for j := range x {
			if math.Abs(x[j]-c.want[j]) > c.tol {
				t.Errorf("%s: %v, want %v", name, x, c.want)
				break
			}
		}
	}
}
