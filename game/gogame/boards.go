package gogame

import (
	"slices"

	"plyfit/game"
)

// boards is a set of hashes. Hashes can also be removed from it. It uses open addressing and is at
// most half full. 0 marks an empty slot. The hash 0, which is the hash of the empty board, has its
// own flag.
type boards struct {
	slots []uint64 // the length is a power of two
	count int
	zero  bool
}

func (b *boards) has(h uint64) bool {
	if h == 0 {
		return b.zero
	}
	if len(b.slots) == 0 {
		return false
	}
	for i := b.slot(h); ; i = (i + 1) & (len(b.slots) - 1) {
		switch b.slots[i] {
		case h:
			return true
		case 0:
			return false
		}
	}
}

func (b *boards) slot(h uint64) int { return int(h & uint64(len(b.slots)-1)) }

// add adds a hash that is not in the set.
func (b *boards) add(h uint64) {
	if h == 0 {
		b.zero = true
		return
	}
	if 2*(b.count+1) > len(b.slots) {
		b.grow()
	}
	b.insert(h)
	b.count++
}

func (b *boards) insert(h uint64) {
	i := b.slot(h)
	for b.slots[i] != 0 {
		i = (i + 1) & (len(b.slots) - 1)
	}
	b.slots[i] = h
}

// drop removes a hash that is in the set.
func (b *boards) drop(h uint64) {
	if h == 0 {
		b.zero = false
		return
	}
	i := b.slot(h)
	for b.slots[i] != h {
		i = (i + 1) & (len(b.slots) - 1)
	}
	b.slots[i] = 0
	b.count--
	// Other hashes may have been placed after this one because its slot was occupied.
	for j := (i + 1) & (len(b.slots) - 1); b.slots[j] != 0; j = (j + 1) & (len(b.slots) - 1) {
		moved := b.slots[j]
		b.slots[j] = 0
		b.insert(moved)
	}
}

func (b *boards) grow() {
	old := b.slots
	b.slots = make([]uint64, max(64, 2*len(old)))
	for _, h := range old {
		if h != 0 {
			b.insert(h)
		}
	}
}

func (b *boards) clone() boards {
	c := *b
	c.slots = slices.Clone(b.slots)
	return c
}

// Content of the additional cell: whether the last move was a pass, and if so, whether the side to
// move would win by passing too.
const (
	noPass = iota
	passWins
	passWinsNot
	answers
)

func (s *State) Cells() game.Cells {
	return game.Cells{
		Rows: s.size, Columns: s.size, Upward: true, States: 3, Symbols: ".+-",
		Legend:     "+ own stone, - opponent's stone, . empty point",
		Symmetries: game.Symmetries(s.size, s.size), Extra: []int{answers},
	}
}

// Fill implements [game.Celled], row by row from A1. 0 is an empty point, 1 is one of p's stones,
// and 2 is one of the opponent's.
func (s *State) Fill(p game.Player, dst []uint8) {
	turn := uint8(p) * (black ^ white) // swaps black and white in white's view
	for i, point := range s.points {
		c := s.colour[point]
		if c != empty {
			c ^= turn
		}
		dst[i] = c
	}
	if beside := dst[len(s.points):]; len(beside) > 0 {
		beside[0] = s.answer()
	}
}

// answer returns the content of the additional cell.
func (s *State) answer() uint8 {
	if s.passes == 0 {
		return noPass
	}
	lead := s.Score()
	if s.mover() == 1 {
		lead = -lead
	}
	if lead > 0 {
		return passWins
	}
	return passWinsNot
}
