package elementary

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestExpMinus(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range 200000 {
		x := rng.ExpFloat64() * 20
		if i%2 == 0 {
			x = rng.Float64()
		}
		if got, want := ExpMinus(x), math.Exp(-x); x < 700 && math.Abs(got-want) > 5e-16*want {
			t.Fatalf("exp(-%v) is %v, want %v", x, got, want)
		}
	}
	if ExpMinus(0) != 1 || ExpMinus(math.Inf(1)) != 0 || ExpMinus(1e6) != 0 || !math.IsNaN(ExpMinus(math.NaN())) {
		t.Error("the ends are wrong")
	}
}
