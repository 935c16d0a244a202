package chess

import (
	"math"
	"math/bits"

	"plyfit/game"
	"plyfit/models"
)

// A model of classic or wide is summed without a vector, to the last digits of a sum by
// [features.Set.Extract] in another order:
//
//   - Counts are summed in floating point, each rounded as Extract rounds it.
//   - Terms of value 0 or 1, mostly a piece on a square, are summed in whole numbers at both ends
//     of the phase, then interpolated: that is exact, and an addition takes a quarter of the time.
//   - What depends on pawns and kings alone is cached (pawnhash.go), without effect on the sum.

// ends is what a term weighs at both ends of the phase.
type ends[T int64 | float64] struct{ first, last T }

// countTerm is a term that is a difference of counts.
type countTerm struct {
	at     int32 // in counts
	weight ends[float64]
}

// compiled is a model that is summed up in that way. It belongs to one goroutine.
type compiled struct {
	bias, run float64 // of the model; of a pawn that runs
	wide      bool
	sum       sum
	whole     [terms - tempo]ends[float64]
	pieces    []countTerm
	pawns     []countTerm
	places    [6][64]ends[int64]
	stand     []standing          // of pieces but pawns, by the square of their king; for classic one for all
	holds     [8][256]ends[int64] // of the squares of a rank
	known     pawnHash
	b         position
}

func compile(m *models.Linear, wide bool) *compiled {
	c := &compiled{bias: m.Bias, run: m.Weights[last], wide: wide}
	c.sum.fill(m.Weights)
	for i := range c.whole {
		c.whole[i] = c.sum.weights[tempo+int32(i)]
	}
	for at := range counted {
		t := countTerm{at, c.sum.weights[at]}
		switch {
		case t.weight == ends[float64]{}:
		case at >= doubled && at <= storm && at != passedBlocked && at != passedFree && at != passedRook:
			c.pawns = append(c.pawns, t)
		default:
			c.pieces = append(c.pieces, t)
		}
	}
	for kind := range c.places {
		for sq, at := range placeOf[kind] {
			if at > 0 {
				c.places[kind][sq] = c.sum.units[terms+at-1]
			}
		}
	}
	c.stand = make([]standing, 1+63*one(wide))
	for king := range c.stand {
		copy(c.stand[king][:], c.places[1:])
		for kind := 1; kind < 5 && wide; kind++ {
			for sq := range 64 {
				if at := nearCell(king, sq); at >= 0 && sq != king {
					c.stand[king][kind-1][sq].add(c.sum.wide[nearFirst+int32(kind)*nearCells+at], 1)
				}
			}
		}
	}
	for set := 0; set < rookSets && wide; set++ {
		for i := range int32(rookShutIn - rooksJoined + 1) {
			c.sum.rooks[set].add(c.sum.wide[rooksJoined+i], int64(set>>i&1))
		}
	}
	for rank := range c.holds {
		for set := 0; set < 256 && wide; set++ {
			for file := range 8 {
				if set>>file&1 != 0 {
					c.holds[rank][set].add(c.sum.wide[holdFirst+int32(folded(8*rank+file))], 1)
				}
			}
		}
	}
	return c
}

// standing is what a knight, bishop, rook and queen come to on every square.
type standing [4][64]ends[int64]

// Sum implements [features.Compiled].
func (c *compiled) Sum(s game.State, _ game.Player) float64 {
	b, t := &c.b, &c.sum
	b.begin(s, 0)
	us, them := &b.us, &b.them
	_, lo, hi := b.phase.Shares()
	t.begin(lo, hi)
	e := c.pawnsOf(b)
	b.countPieces()
	z := t.counts(c.pieces, &us.n, &them.n)
	whole := b.whole()
	for i, w := range &c.whole {
		z += t.count(w, whole[i])
	}
	z += float64(c.run * float64(b.run()))
	c.placed(&us.army, 1)
	c.placed(&them.army, -1)
	if c.wide {
		c.further()
	}
	t.whole.add(e.whole, 1)
	return c.bias + z + t.rest + e.counts + t.ofWhole()
}

// placed adds where a's pieces stand, but for pawns and king, on the board and from their king.
func (c *compiled) placed(a *army, sign int64) {
	whole := c.sum.whole
	stand := &c.stand[bits.TrailingZeros64(a.king)&(len(c.stand)-1)]
	for kind, pieces := range [...]uint64{a.knights, a.bishops, a.rooks, a.queens} {
		whole.places(&stand[kind], pieces, sign)
	}
	c.sum.whole = whole
}

// further adds what wide has beyond classic, except what depends on pawns and kings alone.
func (c *compiled) further() {
	us, them := &c.b.us, &c.b.them
	w := writer{sum: &c.sum, sign: 1}
	w.leads(us, them)
	for range 2 {
		w.attacks(us, them)
		held := us.held(them)
		for rank := range c.holds {
			c.sum.whole.add(c.holds[rank][held>>(8*rank)&255], int64(w.sign))
		}
		w.lines(us, them)
		w.blocked(&us.army, &them.far)
		us, them, w.sign = them, us, -1
	}
}

type sum struct {
	weights []ends[float64] // of the terms; those without phases fill gaps
	units   []ends[int64]   // the same in units
	wide    []ends[int64]   // of these what wide has beyond classic
	rooks   [rookSets]ends[int64]
	unit    float64

	lo, hi float32     // the shares of the ends
	whole  ends[int64] // what is counted in units
	rest   float64     // what is not
}

// fill takes the weights of a model, the unit such that no sum of some thousand is too
// large for a whole number.
func (t *sum) fill(weights []float64) {
	most := 0.0
	for _, w := range weights {
		most = max(most, math.Abs(w))
	}
	_, e := math.Frexp(most)
	t.unit = math.Ldexp(1, max(e-50, -1000))
	t.weights, t.units = make([]ends[float64], len(weights)/phases), make([]ends[int64], len(weights)/phases)
	for i := range t.weights {
		at := i * phases
		if int32(at) >= last { // the one weight without phases stands there
			at++
		}
		w := ends[float64]{weights[at], weights[at+1]}
		t.weights[i] = w
		t.units[i] = ends[int64]{int64(math.RoundToEven(w.first / t.unit)), int64(math.RoundToEven(w.last / t.unit))}
	}
	t.wide = t.units[last/phases:] // the weight that classic has at its end counts for half of one
}

func (t *sum) begin(lo, hi float32) { t.lo, t.hi, t.whole, t.rest = lo, hi, ends[int64]{}, 0 }

// count is n times a weight, rounded as [features.Phase.Append] rounds it.
func (t *sum) count(w ends[float64], n int) float64 {
	v := float32(n)
	return float64(w.first*float64(float32(v*t.lo))) + float64(w.last*float64(float32(v*t.hi)))
}

// counts sums up differences of counts. One after the other would wait for every
// addition, so they take turns at two sums.
func (t *sum) counts(list []countTerm, own, opp *counts) float64 {
	a, b := 0.0, 0.0
	for i := range list {
		c := &list[i]
		v := float32(own[c.at] - opp[c.at])
		a += float64(c.weight.first * float64(float32(v*t.lo)))
		b += float64(c.weight.last * float64(float32(v*t.hi)))
	}
	return a + b
}

// add adds n times the term of wide.
func (t *sum) add(term int32, n int) {
	switch n {
	case 1:
		t.whole.add(t.wide[term], 1)
	case -1:
		t.whole.add(t.wide[term], -1)
	default:
		t.rest += t.count(t.weights[last/phases+term], n)
	}
}

// ofWhole is what the whole numbers come to at the phase.
func (t *sum) ofWhole() float64 {
	first, last := float64(float64(t.whole.first)*t.unit), float64(float64(t.whole.last)*t.unit)
	return float64(first*float64(t.lo)) + float64(last*float64(t.hi))
}

// add adds n times w.
func (e *ends[T]) add(w ends[T], n T) {
	e.first += T(n * w.first)
	e.last += T(n * w.last)
}
