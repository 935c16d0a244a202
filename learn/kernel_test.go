package learn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plyfit/datasets"
	"plyfit/models"
)

// The kernels of whichever processor this is against those in Go: to the bit.
func TestSparseKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	w := tableOf(narrow)
	for j := range w {
		w[j] = rng.NormFloat64()
	}
	table := (*[narrow]float64)(w)
	for range 50 {
		start, short := []int32{0}, []uint16(nil)
		n := rng.IntN(20)
		for range n {
			for range rng.IntN(30) {
				// Zipf-like, so that columns repeat within a row.
				short = append(short, uint16(math.Pow(narrow, rng.Float64())-1))
			}
			start = append(start, int32(len(short)))
		}
		a, b := make([]float64, n), make([]float64, n)
		dotShorts(a, table, start, short)
		dotShortsGeneric(b, table, start, short)
		if !slices.Equal(a, b) {
			t.Fatalf("sums %v, want %v", a, b)
		}
		da, db := slices.Clone(w), slices.Clone(w)
		addShorts((*[narrow]float64)(da), a, start, short)
		addShortsGeneric((*[narrow]float64)(db), a, start, short)
		if !slices.Equal(da, db) {
			t.Fatal("gradients differ")
		}
	}
}

func TestTermKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	for range 200 {
		w := make([]adaptiveWeight, 40)
		for j := range w {
			w[j] = adaptiveWeight{rng.Float32() - 0.5, float32(rng.ExpFloat64())}
			switch rng.IntN(30) {
			case 0:
				w[j].g = 0 // not seen yet
			case 1:
				w[j].g = frozenSum
			}
		}
		x := make(models.Vector, rng.IntN(20))
		for k := range x {
			x[k] = models.Term{Index: int32(rng.IntN(40)) - 1, Value: float32(rng.IntN(3))}
		}
		if got, want := dotFours(w, x), dotFoursGeneric(w, x); got != want {
			t.Fatalf("sums %v, want %v", got, want)
		}
		a, b := slices.Clone(w), slices.Clone(w)
		slope, rate := float32(-0.3), float32(0.07)
		made := stepTerms(a, x, slope, rate)
		for k, term := range x {
			e := &b[term.Index+1]
			if e.g <= 0 {
				if made != k && made != 0 {
					t.Fatalf("%d steps, want %d", made, k)
				}
				break
			}
			if k == made {
				break // without a kernel there are none
			}
			v := slope * term.Value
			e.g += float32(v * v)
			e.w -= float32(rate * v * inverseRoot(e.g))
		}
		if !slices.Equal(a, b) {
			t.Fatalf("weights %v, want %v", a, b)
		}
	}
	// A feature that has no weight is an ordinary panic, never a stray write.
	for _, index := range []int32{-2, 40, math.MaxInt32, math.MinInt32} {
		x := models.Vector{{Index: 0, Value: 1}, {Index: 1, Value: 1}, {Index: 2, Value: 1}, {Index: index, Value: 1}}
		for name, f := range map[string]func(a *adaptive){
			"dot":    func(a *adaptive) { a.dot(x) },
			"update": func(a *adaptive) { a.update(&datasets.Sample{X: x[3:], Y: 1, Weight: 1}) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s of feature %d is no panic", name, index)
					}
				}()
				f(&adaptive{w: make([]adaptiveWeight, 40), loss: Logistic{}, rate: 0.07})
			}()
		}
	}
}

func TestJudgeFours(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	odd := []float64{0, math.Copysign(0, -1), 699.999, -700, 1e9, math.Inf(1), math.Inf(-1), 1e-300, -745.2}
	for round := range 200 {
		n := rng.IntN(chunkRows + 1)
		z, q := make([]float64, n), make([]float64, n)
		for i := range z {
			z[i], q[i] = rng.NormFloat64()*math.Exp(3*rng.NormFloat64()), float64(rng.IntN(3))/2
			if round%2 == 0 && rng.IntN(10) == 0 {
				z[i] = odd[rng.IntN(len(odd))]
			}
		}
		scale := 1.0
		if round%3 == 0 {
			scale = 1.7
		}
		var s1, s2 [4]float64
		p1, p2 := [4]float64{1, 1, 1, 1}, [4]float64{1, 1, 1, 1}
		a, b := slices.Clone(z), slices.Clone(z)
		n1, n2 := judgeFours(&s1, &p1, scale, a, q), judgeFoursGeneric(&s2, &p2, scale, b, q)
		same := func(x, y float64) bool { return x == y || x != x && y != y }
		if n1 != n2 || p1 != p2 || !slices.EqualFunc(s1[:], s2[:], same) || !slices.EqualFunc(a, b, same) {
			t.Fatalf("%v %v %v, want %v %v %v", n1, s1, p1, n2, s2, p2)
		}
		// And what it is, by the loss itself.
		sum, want := judgeShares(scale, slices.Clone(z), q), 0.0
		for i := range z {
			l, g, _ := Logistic{Scale: scale}.Loss(z[i], q[i])
			want += l
			if i < n1 && !near(a[i], g, 1e-14) && g == g {
				t.Fatalf("gradient at %v, %v: %v, want %v", z[i], q[i], a[i], g)
			}
		}
		if !near(sum, want, 1e-12) && want-want == 0 {
			t.Fatalf("loss %v, want %v", sum, want)
		}
	}
	bad := []float64{1, math.NaN(), 1, 1}
	if s := judgeShares(1, bad, make([]float64, 4)); s == s {
		t.Errorf("the loss of no number is %v", s)
	}
}

func TestNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 6))
	n, seen := newNumbers(), map[uint64]bool{}
	from := uint64(0)
	for i := range 20000 {
		x := from + uint64(i)
		switch rng.IntN(5) {
		case 0:
			x = rng.Uint64N(30000)
		case 1:
			from += rng.Uint64N(4)
		}
		if fresh := n.add(x); fresh == seen[x] {
			t.Fatalf("number %d of row %d: new is %v", x, i, fresh)
		}
		seen[x] = true
	}
	if n.add(math.MaxUint64); n.add(math.MaxUint64) || !n.add(math.MaxUint64-1) || n.len() != len(seen)+2 {
		t.Errorf("%d numbers, want %d", n.len(), len(seen)+2)
	}
}
