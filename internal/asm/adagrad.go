package asm

import "math"

// Term is a feature of a sparse row: [plyfit/models.Term] under another name, which
// this package may not know.
type Term struct {
	Index int32 // -1 for the bias
	Value float32
}

// Adaptive is a weight beside its sum of squared gradients, so that both come with
// one cache line. A sum of 0 is that of a weight whose feature has not occurred, a
// negative one that of a frozen weight. (The inverse root kept in place of the sum,
// and renewed by a series, was slower: the additions to a sum wait for each other
// where a feature stands in a row several times, roots do not.)
type Adaptive struct{ W, Sum float32 }

// DotTerms adds up the weights of as many terms as are divisible by four, in four
// sums, since one addition waits for the one before. The weight of feature i is
// w[i+1]; a feature without one is a panic.
func DotTerms(w []Adaptive, x []Term) (sums [4]float32) {
	if AVX2 && len(x) >= 4 {
		if sums, ok := dotTermsAVX2(&w[0], &x[0], len(w), len(x)&^3); ok {
			return sums
		}
	}
	return dotTermsGo(w, x)
}

func dotTermsGo(w []Adaptive, x []Term) [4]float32 {
	var p, q, r, s float32
	for ; len(x) >= 4; x = x[4:] {
		p += float32(w[x[0].Index+1].W * x[0].Value)
		q += float32(w[x[1].Index+1].W * x[1].Value)
		r += float32(w[x[2].Index+1].W * x[2].Value)
		s += float32(w[x[3].Index+1].W * x[3].Value)
	}
	return [4]float32{p, q, r, s}
}

// StepTerms makes AdaGrad's step of each term of x, up to the first whose weight
// has no sum of squares yet or is frozen, and returns how many it made. The loss
// falls along slope, rate is the length of steps.
func StepTerms(w []Adaptive, x []Term, slope, rate float32) int {
	made := 0
	if AVX2 && len(x) > 0 {
		// It ends at a feature that has no weight, too, which is for the twin.
		made = stepTermsAVX2(&w[0], &x[0], len(w), len(x), slope, rate)
	}
	return made + stepTermsGo(w, x[made:], slope, rate)
}

func stepTermsGo(w []Adaptive, x []Term, slope, rate float32) int {
	for k, t := range x {
		a := &w[t.Index+1]
		if a.Sum <= 0 {
			return k
		}
		a.Step(float32(slope*t.Value), rate)
	}
	return len(x)
}

// Step moves the weight against its gradient v, by rate v / sqrt(Sum).
func (a *Adaptive) Step(v, rate float32) {
	a.Sum += float32(v * v)
	a.W -= float32(rate * v * inverseRoot(a.Sum))
}

// inverseRoot is 1/sqrt(x) to 0.07%, which is enough for the length of a step and
// half the work of a root and a division: a first guess by halving the exponent and
// one step of Newton's method, constants by Kadlec (2010).
func inverseRoot(x float32) float32 {
	y := math.Float32frombits(0x5f1ffff9 - math.Float32bits(x)>>1)
	return 0.703952253 * y * (2.38924456 - float32(x*y*y))
}
