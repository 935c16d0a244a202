package numeric

import (
	"math"
	"math/rand/v2"
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
				for i := range cols { // with repetition
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

func TestGramDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{3, 8, 33} {
		a, b := NewGram(n), NewGram(n)
		x, y := denseRows(rng, 1000, n)
		a.AddDense(x, y)
		cols := make([]int32, n)
		for i := range cols {
			cols[i] = int32(i)
		}
		for r := range y {
			b.Add(cols, x[r*n:(r+1)*n], 1, y[r])
		}
		axx, axy := a.Sum()
		bxx, bxy := b.Sum()
		for i := range axx {
			if math.Abs(axx[i]-bxx[i]) > 1e-9 {
				t.Fatalf("n %d entry %d: %v and %v", n, i, axx[i], bxx[i])
			}
		}
		for i := range axy {
			if math.Abs(axy[i]-bxy[i]) > 1e-9 {
				t.Fatalf("n %d right-hand side %d: %v and %v", n, i, axy[i], bxy[i])
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

// A million rows of 32 features, from memory, on one core: the Gram matrix and
// its Cholesky solution.
func BenchmarkGramCholesky(b *testing.B) {
	x, y := denseRows(rand.New(rand.NewPCG(7, 8)), 1_000_000, 32)
	for b.Loop() {
		g := NewGram(32)
		g.AddDense(x, y)
		xx, xy := g.Sum()
		f := Cholesky(xx, 32, 0)
		w := f.Solve(xy)
		if math.IsNaN(w[0]) {
			b.Fatal("no solution")
		}
	}
}
