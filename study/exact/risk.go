package exact

import (
	"fmt"
	"math"
	"slices"

	"plyfit/internal/elementary"
	"plyfit/study/damage"
)

// recursiveRisk is a risk preference that can be worked out from the leaves upwards: what a
// planner makes of a value that is so many points away is a function of what he
// makes of it here. So it is with points and with exponentials of points; not so
// with the logarithm of the total or a power of the gain.
type recursiveRisk struct {
	damage.Risk
	rate    float64   // the exponent of a point; 0: points count as they are
	factors []float64 // exp(rate * gain), by gain
}

// mostTableGain is the largest gain of a move that is looked up.
const mostTableGain = 4096

func newRecursiveRisk(g damage.Risk) *recursiveRisk {
	t := &recursiveRisk{Risk: g}
	switch g.Kind {
	case damage.Seeking:
		t.rate = 1 / g.Scale
	case damage.Averse:
		t.rate = -1 / g.Scale
	case "", damage.NoisyScore:
		return t
	default:
		panic("study: no recursion for: " + g.String())
	}
	t.factors = make([]float64, mostTableGain/2+1) // gains are even
	for i := range t.factors {
		t.factors[i] = elementary.Exp(t.rate * float64(2*i))
	}
	return t
}

// leaf is what a planner makes of an afterstate from which so much is expected
// still to be gained.
func (t *recursiveRisk) leaf(togo float64, board uint64) float64 {
	if t.Kind == damage.NoisyScore {
		return togo + float64(t.Scale*damage.Normal(board, t.Seed))
	}
	return t.Bend(togo, 0)
}

// over is what he makes of a game that is over.
func (t *recursiveRisk) over() float64 { return t.Bend(0, 0) }

// factor is by how much a gain on the way multiplies what he makes of a value; it
// is of no use where points count as they are.
func (t *recursiveRisk) factor(gain float64) float64 {
	if t.rate == 0 {
		return 1
	}
	if n := int(gain) >> 1; n < len(t.factors) {
		return t.factors[n]
	}
	return elementary.Exp(t.rate * gain)
}

// fits reports whether the risk preference makes numbers of values up to most, and, where it
// is squared, of their squares.
func (t *recursiveRisk) fits(most float64, squared bool) error {
	room := 700.0 // exponents that double precision holds
	if squared {
		room /= 2
	}
	if t.rate != 0 && math.Abs(t.rate)*most > room {
		return fmt.Errorf("%v: values of %.0f points are too large for it", t, most)
	}
	return nil
}

// moments are sums over the leaves below a position, each as likely as random
// moves and nature come to it: of their number, of their clean value v and v*v.
// With each risk preference go three more, of what it makes of the value, w, of w*w and v*w.
const (
	massMoment = iota
	vMoment
	vvMoment
	plainMoments
)

const riskMoments = 3

// treeErrors works out how large the error of risk preferences is: within the trees of two
// decisions below the positions that perfect play meets, after the best affine fit
// in each tree, root mean square. Rows hold what perfect play makes of a position;
// then for each base the sums over what perfect play will meet of mass, variance
// and the remains of each risk preference; then for each base the moments of leaves here
// (afterstates only) and those one decision ahead.
type treeErrors struct {
	bases []base2048
	risks []*recursiveRisk
	whole []float64 // room for the moments of a tree
	best  []int     // and for the moves of perfect play
}

// base2048 is what an evaluation expects still to be gained from an afterstate,
// given the board and what perfect play is expected to gain.
type base2048 func(board uint64, exact float64) float64

func (k *treeErrors) sums() int    { return 2 + len(k.risks) }
func (k *treeErrors) moments() int { return plainMoments + riskMoments*len(k.risks) }
func (k *treeErrors) width() int {
	return perfect2048 + len(k.bases)*(k.sums()+2*k.moments())
}

// parts are a base's parts of a row.
func (k *treeErrors) parts(row []float64, base int) (sums, here, ahead []float64) {
	n := k.sums() + 2*k.moments()
	row = row[perfect2048+base*n : perfect2048+(base+1)*n]
	return row[:k.sums()], row[k.sums() : k.sums()+k.moments()], row[k.sums()+k.moments():]
}

// addMoved adds to the moments out those of in, seen from before a gain.
func (k *treeErrors) addMoved(out, in []float64, gain, weight float64) {
	m, v := in[massMoment], in[vMoment]
	out[massMoment] += float64(weight * m)
	out[vMoment] += float64(weight * (v + float64(gain*m)))
	out[vvMoment] += float64(weight * (in[vvMoment] + float64(2*gain*v) + float64(gain*gain*m)))
	for i, t := range k.risks {
		e := t.factor(gain)
		o, w := out[plainMoments+riskMoments*i:], in[plainMoments+riskMoments*i:]
		o[0] += float64(weight * w[0] * e)
		o[1] += float64(weight * w[1] * e * e)
		o[2] += float64(weight * (w[2] + float64(gain*w[0])) * e)
	}
}

func (k *treeErrors) player(steps []step, row []float64) {
	k.best = solvePlayer(steps, row, k.best[:0])
	if len(steps) == 0 {
		return
	}
	k.whole = slices.Grow(k.whole[:0], k.moments())[:k.moments()]
	for b := range k.bases {
		sums, _, ahead := k.parts(row, b)
		clear(k.whole)
		for _, s := range steps {
			_, here, below := k.parts(s.row, b)
			k.addMoved(ahead, here, s.gain, 1/float64(len(steps)))
			k.addMoved(k.whole, below, s.gain, 1/float64(len(steps)))
		}
		for _, i := range k.best {
			onward, _, _ := k.parts(steps[i].row, b)
			for j, x := range onward {
				sums[j] += x / float64(len(k.best))
			}
		}
		k.fit(sums, k.whole)
	}
}

// comparison adds a tree's mass, variance and remains to the sums.
func (k *treeErrors) fit(sums, x []float64) {
	m := x[massMoment]
	if m == 0 {
		return // the game ends within the tree, whatever is done
	}
	v := x[vMoment] / m
	variance := math.Max(0, x[vvMoment]/m-float64(v*v))
	sums[0] += m
	sums[1] += float64(m * variance)
	for i := range k.risks {
		t := x[plainMoments+riskMoments*i:]
		w := t[0] / m
		vw, ww := t[2]/m-float64(v*w), t[1]/m-float64(w*w)
		left := variance
		if ww > 0 {
			left = math.Max(0, variance-vw*vw/ww)
		}
		sums[2+i] += float64(m * left)
	}
}

func (k *treeErrors) after(board uint64, kids []child, row []float64) {
	// The moments of leaves here are noughts in the rows of positions.
	solveAfter(kids, row, k.width())
	for b, of := range k.bases {
		_, here, _ := k.parts(row, b)
		v := of(board, row[expected2048])
		here[massMoment], here[vMoment], here[vvMoment] = 1, v, v*v
		for i, t := range k.risks {
			w := t.leaf(v, board)
			out := here[plainMoments+riskMoments*i:]
			out[0], out[1], out[2] = w, w*w, v*w
		}
	}
}

// found are the root-mean-square errors of the risk preferences on a base, and the variance
// of its values within trees.
func (k *treeErrors) found(row []float64, base int) (rms []float64, variance float64) {
	sums, _, _ := k.parts(row, base)
	for i := range k.risks {
		rms = append(rms, math.Sqrt(sums[2+i]/sums[0]))
	}
	return rms, sums[1] / sums[0]
}
