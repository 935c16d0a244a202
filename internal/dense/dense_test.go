package dense

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"plyfit/internal/vectors"
)

func draw(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// TestBits checks sums bit by bit, because they must be the same in every build.
func TestBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	a, b := draw(rng, 77), draw(rng, 77)
	if got, want := Dot(a, b), -0x1.4966a5212cdf5p+02; got != want {
		t.Errorf("Dot: %x, want %x", got, want)
	}
	AddScaled(a, 0.7, b)
	if got, want := Norm(a), 0x1.4861ac62f765p+03; got != want {
		t.Errorf("Norm: %x, want %x", got, want)
	}
}

// TestSolvers compares the results with those of gonum, which adds in a different order.
func TestSolvers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{1, 2, 5, 17, 40} {
		a, b := draw(rng, n*n), draw(rng, n)
		m := mat.NewDense(n, n, append([]float64(nil), a...))
		var want mat.VecDense
		vectors.Check(want.SolveVec(m, mat.NewVecDense(n, append([]float64(nil), b...))))
		f := Factor(a, n)
		var lu mat.LU
		lu.Factorize(m)
		if got, want := f.Cond(), lu.Cond(); math.Abs(math.Log(got/want)) > 1 {
			t.Errorf("%d rows: condition %v, gonum says %v", n, got, want)
		}
		inv := f.Inverse()
		x := append([]float64(nil), b...)
		if !f.Solve(x) {
			t.Fatalf("%d rows: not solved", n)
		}
		for i := range x {
			if d := math.Abs(x[i] - want.AtVec(i)); d > 1e-9*(1+math.Abs(want.AtVec(i))) {
				t.Errorf("%d rows, unknown %d: %v, gonum says %v", n, i, x[i], want.AtVec(i))
			}
			if y := Dot(inv[i*n:(i+1)*n], b); math.Abs(y-x[i]) > 1e-9*(1+math.Abs(x[i])) {
				t.Errorf("%d rows, unknown %d: %v by the inverse, %v solved", n, i, y, x[i])
			}
		}
	}
	if f := Factor([]float64{1, 2, 2, 4}, 2); f.Solve([]float64{1, 1}) || !math.IsInf(f.Cond(), 1) {
		t.Errorf("a singular matrix was solved, or has condition %v", f.Cond())
	}
}
