package chess

import (
	"math"
	"math/bits"
	"reflect"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// A compiled model of chess/classic or chess/wide is summed in integers, without a vector. Each
// weight is converted to a number of units, and the largest weight has at least 2^47 units. The two
// ends of the phase are summed separately, and the two sums are interpolated once at the end.
// [features.Set.Extract] rounds each product of a count and a fraction of the phase to 32 bits, so
// the sums may differ by up to 2^-24 of such a term.
//
// The sum of the terms that depend only on pawns and kings is cached. The cache does not change the
// result.

// ends contains the weight of a term at both ends of the phase, in units.
type ends struct{ first, last int64 }

// A countTerm is a term that is a difference of counts, with its weight.
type countTerm struct {
	at     int32 // index in the struct counts
	weight ends
}

// A compiled model is summed in integers. Only one goroutine may use it.
type compiled struct {
	bias, run float64 // bias of the model and weight of an unstoppable pawn
	wide      bool
	sum       sum
	whole     [terms - counted]ends
	pieces    []countTerm
	pawns     []countTerm
	places    [6][64]ends
	stand     []standing   // weights of pieces by square, one set for each square of their king; a single set for chess/classic
	holds     [8][256]ends // weights of held squares, for each rank and set of files
	known     pawnHash
	b         position
}

func compile(m *models.Linear, wide bool) *compiled {
	c := &compiled{bias: m.Bias, run: m.Weights[last], wide: wide}
	c.sum.fill(m.Weights)
	copy(c.whole[:], c.sum.units[counted:])
	for at := range counted {
		t := countTerm{at, c.sum.units[at]}
		switch {
		case t.weight == ends{}:
		case reflect.TypeFor[counts]().Field(int(at)).Tag.Get("of") == "pawns":
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
	used := m.UsedGroups()
	c.b.omitted = omitted{
		!used["posts"], !used["king-attack"], !used["threats"], !used["passed"],
		!used["lead"], !used["hits"], !used["held-squares"], !used["lines"], !used["pawn-ranks"],
	}
	c.stand = make([]standing, 1+63*one(used["king-places"]))
	for king := range c.stand {
		copy(c.stand[king][:], c.places[1:])
		for kind := 1; kind < 5 && len(c.stand) > 1; kind++ {
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

// A standing contains the weights of a knight, bishop, rook and queen on every square.
type standing [4][64]ends

func (c *compiled) Sum(s game.State, _ game.Player) float64 {
	b, t := &c.b, &c.sum
	b.begin(s, 0)
	us, them := &b.us, &b.them
	t.whole = ends{}
	e := c.pawnsOf(b)
	b.countPieces()
	t.whole.add(e.whole, 1)
	t.counts(c.pieces, &us.n, &them.n)
	whole := b.whole()
	for i, n := range features.Numbers[int](&whole) {
		t.whole.add(c.whole[i], int64(n))
	}
	c.placed(&us.army, 1)
	c.placed(&them.army, -1)
	if c.wide {
		c.further()
	}
	_, lo, hi := b.phase.Shares()
	z := float64(float64(t.whole.first)*float64(lo)) + float64(float64(t.whole.last)*float64(hi))
	rest := c.bias
	if c.run != 0 {
		rest += float64(c.run * float64(b.run()))
	}
	return rest + float64(z*t.unit)
}

// placed adds the weights of a's pieces other than pawns and the king: the weights of their squares
// and of their places relative to the king.
func (c *compiled) placed(a *army, sign int64) {
	whole := c.sum.whole
	stand := &c.stand[bits.TrailingZeros64(a.king)&(len(c.stand)-1)]
	for kind, pieces := range [...]uint64{a.knights, a.bishops, a.rooks, a.queens} {
		whole.places(&stand[kind], pieces, sign)
	}
	c.sum.whole = whole
}

// further adds the terms that only chess/wide contains, except those that depend only on pawns and
// kings.
func (c *compiled) further() {
	us, them, without := &c.b.us, &c.b.them, &c.b.omitted
	w := writer{sum: &c.sum, sign: 1}
	if !without.leads {
		w.leads(us, them)
	}
	for range 2 {
		if !without.hits {
			w.attacks(us, them)
		}
		if !without.holds {
			held, whole := us.held(them), c.sum.whole
			for rank := range c.holds {
				whole.add(c.holds[rank][held>>(8*rank)&255], int64(w.sign))
			}
			c.sum.whole = whole
		}
		if !without.lines {
			w.lines(us, them)
		}
		if !without.blocked {
			w.blocked(&us.army, &them.far)
		}
		us, them, w.sign = them, us, -1
	}
}

type sum struct {
	units []ends // weights of all terms with phases
	wide  []ends // part of units that is used only by chess/wide
	rooks [rookSets]ends
	unit  float64
	whole ends
}

// fill converts the weights of a model to units. A unit is so large that a sum of ten thousand
// weights does not overflow.
func (t *sum) fill(weights []float64) {
	most := 0.0
	for _, w := range weights {
		most = max(most, math.Abs(w))
	}
	_, e := math.Frexp(most)
	t.unit = math.Ldexp(1, max(e-48, -1000))
	t.units = make([]ends, len(weights)/phases)
	for i := range t.units {
		at := i * phases
		if int32(at) >= last { // skip the only weight without phases
			at++
		}
		t.units[i] = ends{int64(math.RoundToEven(weights[at] / t.unit)), int64(math.RoundToEven(weights[at+1] / t.unit))}
	}
	t.wide = t.units[last/phases:] // the weight without phases has no entry in units
}

// counts adds the terms that are differences of counts.
func (t *sum) counts(list []countTerm, own, opp *counts) {
	whole, ours, theirs := t.whole, features.Numbers[int](own), features.Numbers[int](opp)
	for i := range list {
		c := &list[i]
		whole.add(c.weight, int64(ours[c.at]-theirs[c.at]))
	}
	t.whole = whole
}

// add adds n times w.
func (e *ends) add(w ends, n int64) {
	e.first += n * w.first
	e.last += n * w.last
}

// A pawnHash caches the sums that depend only on pawns and kings. Few moves change these pieces, so
// the sums are rarely recomputed. A new entry replaces the old one. A lookup compares the full key
// and therefore never returns the entry of a different position.
type pawnHash []pawnEntry

// A pawnEntry fits into a cache line.
type pawnEntry struct {
	white, black uint64 // pawns, each from the owner's point of view
	kings        uint64 // squares of the kings; bit 12 marks a used entry
	whole        ends
	passed       [2]uint64
}

const pawnEntries = 1 << 12

// pawnsOf returns the entry for b's pawns and kings and sets b's passed pawns.
func (c *compiled) pawnsOf(b *position) *pawnEntry {
	us, them := &b.us, &b.them
	if c.known == nil {
		c.known = make(pawnHash, pawnEntries)
	}
	white, black := us.army.pawns, them.army.pawns
	kings := uint64(bits.TrailingZeros64(us.army.king)) | uint64(bits.TrailingZeros64(them.army.king))<<6 | 1<<12
	hash := (white ^ black*0x9e3779b97f4a7c15 ^ kings*0xd1b54a32d192ed03) * 0xa0761d6478bd642f
	e := &c.known[hash>>(64-12)]
	if e.white != white || e.black != black || e.kings != kings {
		b.countPawns()
		e.white, e.black, e.kings = white, black, kings
		e.passed = [2]uint64{us.passed, them.passed}
		c.sumPawns(e)
	}
	us.passed, them.passed = e.passed[0], e.passed[1]
	return e
}

// sumPawns sets the sums of e.
func (c *compiled) sumPawns(e *pawnEntry) {
	t, us, them := &c.sum, &c.b.us, &c.b.them
	for i, a := range [...]*army{&us.army, &them.army} {
		t.whole.places(&c.places[0], a.pawns, int64(1-2*i))
		t.whole.places(&c.places[5], a.king, int64(1-2*i))
	}
	if c.wide {
		w := writer{sum: t, sign: 1}
		for range 2 {
			w.near(&us.army, 1)
			w.guards(&us.army)
			w.advances(&us.army, &them.far)
			us, them, w.sign = them, us, -1
		}
		us, them = &c.b.us, &c.b.them
	}
	t.counts(c.pawns, &us.n, &them.n)
	e.whole, t.whole = t.whole, ends{}
}

// places adds the weights of the squares on which pieces of one kind stand.
func (e *ends) places(of *[64]ends, pieces uint64, n int64) {
	for b := pieces; b != 0; b &= b - 1 {
		e.add(of[bits.TrailingZeros64(b)&63], n)
	}
}
