package evolution

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plyfit/internal/vectors"
)

// minimise uses the evolution strategy to minimise f for the given number of generations.
func minimise(t *testing.T, d *distribution, population, generations int, f func(x []float64) float64) {
	t.Helper()
	type draw struct {
		z []float64
		f float64
	}
	rng := rand.New(rand.NewPCG(3, 4))
	n := len(d.mean)
	for range generations {
		var draws []draw
		for range population {
			z, x := make([]float64, n), make([]float64, n)
			d.draw(rng, z, x)
			draws = append(draws, draw{z, f(x)})
		}
		slices.SortStableFunc(draws, func(a, b draw) int { return cmp.Compare(a.f, b.f) })
		var best [][]float64
		for _, draw := range draws {
			best = append(best, draw.z)
		}
		vectors.Check(d.update(best))
	}
}

// ellipsoid returns the function sum over i of a^i (x_i - (i mod 10))^2, with the number a for
// which the last weight is condition. If turned is set, x is first reflected by I - 2vv', where v
// is the unit vector along the diagonal, so that the axes of the function are not those of x.
func ellipsoid(condition float64, turned bool) func(x []float64) float64 {
	return func(x []float64) float64 {
		n, sum, mean := len(x), 0.0, 0.0
		for _, v := range x {
			mean += v / float64(n)
		}
		for i, v := range x {
			if turned {
				v -= 2 * mean
			}
			v -= float64(i % 10)
			sum += math.Pow(condition, float64(i)/float64(n-1)) * v * v
		}
		return sum
	}
}

// TestOptimum checks that the mean comes close to the optimum of quadratic functions, well or ill
// conditioned. If the axes of the function are not those of the weights, C has to be learned.
func TestOptimum(t *testing.T) {
	for _, c := range []struct {
		name           string
		n, generations int
		f              func(x []float64) float64
		most           float64
	}{
		{"sphere", 10, 200, ellipsoid(1, false), 1e-10},
		{"ellipsoid", 10, 600, ellipsoid(1e6, false), 1e-10},
		{"turned ellipsoid", 10, 600, ellipsoid(1e6, true), 1e-10},
		{"diagonal", widest + 1, 400, ellipsoid(10, false), 0.1},
	} {
		t.Run(c.name, func(t *testing.T) {
			size := population(c.n)
			d := newDistribution(make([]float64, c.n), 1, size)
			if d.diagonal != (c.n > widest) {
				t.Errorf("diagonal is %v with %d numbers", d.diagonal, c.n)
			}
			before := c.f(d.mean)
			minimise(t, d, size, c.generations, c.f)
			if got := c.f(d.mean); !(got <= c.most*before) {
				t.Errorf("%g after %d generations, of %g: want at most %g of it", got, c.generations, before, c.most)
			}
		})
	}
}

// TestNoOptimum checks that sigma, at first 1, stays from 0.05 to 20 if the fitness is random.
func TestNoOptimum(t *testing.T) {
	noise := rand.New(rand.NewPCG(5, 6))
	d := newDistribution(make([]float64, 10), 1, 10)
	minimise(t, d, 10, 300, func([]float64) float64 { return noise.Float64() })
	if d.sigma < 0.05 || d.sigma > 20 {
		t.Errorf("sigma %v after 300 generations of noise: want one of its size at first, 1", d.sigma)
	}
}

// TestConstants compares the learning rates for 10 weights and the default population, without
// negative weights, with table 1 in Hansen's tutorial.
func TestConstants(t *testing.T) {
	d := newDistribution(make([]float64, 10), 1, population(10))
	for _, c := range []struct {
		name      string
		got, want float64
	}{ // computed by hand from the formulas, with lambda 10 and mu 5
		{"population", float64(population(10)), 10},
		{"mu", float64(len(d.weights)), 5},
		{"muEff", d.muEff, 3.1672992},
		{"cc", d.cc, 0.2949904},
		{"cs", d.cs, 0.2844286},
		{"c1", d.c1, 0.0152838},
		{"cmu", d.cmu, 0.0201543},
		{"ds", d.ds, 1.2844286},
		{"chi", d.chi, 3.0847266},
	} {
		if math.Abs(c.got-c.want) > 1e-5*c.want {
			t.Errorf("%s is %.7f, want %.7f", c.name, c.got, c.want)
		}
	}
}
