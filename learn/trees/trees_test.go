package trees

import (
	"context"
	"math/rand/v2"
	"testing"

	"plyfit/datasets"
	"plyfit/internal/vectors"
	"plyfit/learn"
	"plyfit/learn/internal/learntest"
)

// TestWhatLinearityCosts checks that trees are less accurate if the labels are a sum of the
// features, and more accurate if they are a product of signs, which a sum cannot learn at all.
func TestWhatLinearityCosts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	sum := learntest.Simulated(rng, 120, 5, []float64{1, -1, 2}, 0, 1)
	product := learntest.Simulated(rng, 120, 5, []float64{0, 0, 0}, 0, 0.3)
	for i, s := range product {
		if s.X[1].Value*s.X[2].Value > 0 {
			product[i].Y += 3
		}
	}
	f := Forest{Trees: 8, Repeats: 2, Rows: 500, Depth: 5}
	a := vectors.Must(f.Compare(context.Background(), learntest.Model(3), sum, learn.Options{}))
	if a.Cost > -a.Error || a.Linear > 1.3 || a.Trees > a.Constant || a.Rows > 500 || a.Rows < 100 {
		t.Errorf("sum: %+v", a)
	}
	b := vectors.Must(f.Compare(context.Background(), learntest.Model(3), product, learn.Options{}))
	if b.Cost < 2*b.Error || b.Linear < 0.9*b.Constant {
		t.Errorf("product: %+v", b)
	}
	again, err := f.Compare(context.Background(), learntest.Model(3), product, learn.Options{})
	if err != nil || again != b {
		t.Errorf("not the same twice: %+v and %+v, %v", b, again, err)
	}
	flat := datasets.Rows{}
	for i := range 100 {
		flat = append(flat, datasets.Sample{X: learntest.Vector(float64(i % 7)), Y: 5, Weight: 1, Episode: uint64(i)})
	}
	c, err := f.Compare(context.Background(), learntest.Model(1), flat, learn.Options{})
	if err != nil || c.Linear > 1e-20 || c.Trees > 1e-20 {
		t.Errorf("labels all equal: %+v, %v", c, err)
	}
}
