package chess

import "math/bits"

// pawnHash caches what depends on pawns and kings alone. Few moves touch them, so it is seldom
// recomputed. The newest stays; an entry is found by its full key, so none is mistaken for another.
type pawnHash []pawnEntry

// pawnEntry fits a line of the caches.
type pawnEntry struct {
	white, black uint64 // pawns, white's as white sees them, black's as black does
	kings        uint64 // their squares, and a bit of what is used
	whole        ends
	passed       [2]uint64
}

const pawnEntries = 1 << 12

// pawnsOf is what depends on b's pawns and kings alone; b's passed pawns are filled in.
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

// sumPawns fills in e's sums.
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

// places adds the places of pieces of a kind.
func (e *ends) places(of *[64]ends, pieces uint64, n int64) {
	for b := pieces; b != 0; b &= b - 1 {
		e.add(of[bits.TrailingZeros64(b)&63], n)
	}
}
