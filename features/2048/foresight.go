package g2048

import (
	"cmp"
	"math/bits"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/2048"
	"plyfit/internal/asm"
)

// foresight searches trees of 4x4 boards for [features.Evaluator.Foresight]. A board is a 64-bit
// word, and no State is used. Values are relative to the current score.
//
// A board at a given depth of a tree always has the same value. All sequences of moves of the same
// length that lead to this board have produced tiles with the same sum, and therefore the same
// number of fours. The score is then also the same, because the score plus 4 for each new four
// minus the worth of the tiles is constant.
type foresight struct {
	*rowTables
	moves     *[1 << 16]uint64
	lines     [][8]asm.Line // lines of the current node at each depth
	memory    memory
	megabytes int // maximum size of the table
	depth     int // depth of the tree stored in the table

	visits func(int64) int64
	nodes  int64 // nodes visited since the last call to visits
	room   int64 // nodes to visit before the next call; 0 if the search must stop
	least  int   // smallest number of decisions left at any node

	evaluations, probes, hits int64
}

var _ features.Lookahead = (*foresight)(nil)

func (f *foresight) Prepare(megabytes int) { f.megabytes, f.depth = megabytes, 0 }

func (f *foresight) Probed() (probes, hits int64) {
	probes, hits = f.probes, f.hits
	f.probes, f.hits = 0, 0
	return probes, hits
}

// Foresee implements [features.Lookahead] for boards with at least one tile.
func (f *foresight) Foresee(st game.State, depth int, visits func(int64) int64) (value float64, evaluations int64, least int, ok bool) {
	s, ok := st.(*board.State)
	if !ok || s.Board() == 0 || s.Turn() != game.Chance {
		return 0, 0, depth, false
	}
	if depth > 1 && depth != f.depth {
		f.depth = depth
		f.memory.next(f.megabytes)
	}
	b := s.Board()
	lo, hi := s.Bounds(0)
	f.visits, f.nodes, f.evaluations, f.least = visits, 0, 0, depth
	f.room = visits(0)
	for len(f.lines) <= depth {
		f.lines = append(f.lines, [8]asm.Line{})
	}
	value = lo + f.chance(b, asm.Transpose(b), f.bias+float64((f.score-1)*lo), hi-lo, depth)
	visits(f.nodes)
	return value, f.evaluations, f.least, true
}

// chance returns the value of a board on which a new tile appears. depth is the number of decisions
// before the horizon. across is the transpose of the board. base is the part of the evaluation that
// is not the worth of the lines, and most is the maximum number of points that can still be gained.
//
// A new tile changes one row and one column. For a move along the rows, three rows and all but one
// cell of each column therefore stay the same. These parts are computed once for all tiles.
func (f *foresight) chance(b, across uint64, base, most float64, depth int) (value float64) {
	if f.nodes >= f.room && f.room > 0 {
		f.room, f.nodes = f.visits(f.nodes), 0
	}
	if f.room == 0 {
		return 0
	}
	var (
		lines       = &f.lines[depth]
		rows        = f.along(b, (*[4]asm.Line)(lines[:4]))
		columns     = f.along(across, (*[4]asm.Line)(lines[4:]))
		empty       = ^(b | b>>1 | b>>2 | b>>3) & 0x1111111111111111
		n           = bits.OnesCount64(empty)
		twos, fours float64
	)
	f.nodes += int64(2 * n)
	f.least = min(f.least, depth)
	if depth == 1 {
		var legal int64
		twos, fours, legal = asm.LastMoves(f.moves, f.worths, lines, empty, base, f.score-1, most)
		f.nodes += legal
		f.evaluations += legal
		empty = 0
	}
	for ; empty != 0; empty &= empty - 1 {
		at := bits.TrailingZeros64(empty)
		row, column := at>>4&3, at>>2&3
		var best [2]float64 // after a 2 and after a 4; 0 if no move is left
		for e := range best {
			tile := uint64(1 + e)
			most := most - float64(4*e) // no points were gained for the worth of a new 4
			x := f.decide(&lines[row], row, b|tile<<at, tile<<(4*column), &rows, false, base, most, depth)
			y := f.decide(&lines[4+column], column, across|tile<<(16*column+4*row), tile<<(4*row), &columns, true, base, most, depth)
			best[e] = max(x, y)
		}
		twos, fours = twos+best[0], fours+best[1]
	}
	return float64(0.9/float64(n)*twos) + float64(0.1/float64(n)*fours) // in the same way as Prob
}

// along prepares the moves along the lines of b and returns the boards after these moves.
func (f *foresight) along(b uint64, lines *[4]asm.Line) (moved [2]uint64) {
	var (
		moves      = f.moves
		l0, l1     = b & 0xffff, b >> 16 & 0xffff
		l2, l3     = b >> 32 & 0xffff, b >> 48
		m0, m1     = moves[l0], moves[l1]
		m2, m3     = moves[l2], moves[l3]
		g0, g1     = m0 >> 32, m1 >> 32
		g2, g3     = m2 >> 32, m3 >> 32
		gain       = g0 + g1 + g2 + g3
		w          = f.worths
		a, c, d, e = &lines[0], &lines[1], &lines[2], &lines[3]
	)
	a.Cells, c.Cells, d.Cells, e.Cells = l0, l1, l2, l3
	a.Gain, c.Gain, d.Gain, e.Gain = float64(gain-g0), float64(gain-g1), float64(gain-g2), float64(gain-g3)
	for k := range moved {
		to0, to1, to2, to3 := m0&0xffff, m1&0xffff, m2&0xffff, m3&0xffff
		m0, m1, m2, m3 = m0>>16, m1>>16, m2>>16, m3>>16
		to := to0 | to1<<16 | to2<<32 | to3<<48
		moved[k] = to
		w0, w1, w2, w3 := w[to0], w[1<<16|to1], w[1<<16|to2], w[to3]
		rim, middle := w0+w3, w1+w2
		a.Worth[k], e.Worth[k] = w3+middle, w0+middle
		c.Worth[k], d.Worth[k] = w2+rim, w1+rim
		across := asm.Transpose(to)
		a.Across[k], c.Across[k] = across&^0x000f000f000f000f, across&^0x00f000f000f000f0
		d.Across[k], e.Across[k] = across&^0x0f000f000f000f00, across&^0xf000f000f000f000
		to ^= b
		a.Still[k], c.Still[k] = zero(to&^0xffff), zero(to&^0xffff0000)
		d.Still[k], e.Still[k] = zero(to&^0xffff00000000), zero(to&^0xffff000000000000)
	}
	return moved
}

// zero returns all ones if x is 0, and 0 otherwise.
func zero(x uint64) uint64 { return (x|-x)>>63 - 1 }

// decide returns the value of the better of the two moves along line i, or 0 if neither move
// changes the board. l is the prepared line. It does not yet contain the tile. b is the board, and
// moved contains the boards after both moves, also without the tile.
func (f *foresight) decide(l *asm.Line, i int, b, tile uint64, moved *[2]uint64, turned bool, base, most float64, depth int) (best float64) {
	move := f.moves[(l.Cells|tile)&0xffff]
	gain := l.Gain + float64(move>>32)
	for k := range moved {
		own := move >> (16 * k) & 0xffff
		to, across := moved[k]&^(0xffff<<(16*i))|own<<(16*i), l.Across[k]|asm.Spread(own)<<(4*i)
		if to == b {
			continue
		}
		if turned {
			to, across = across, to
		}
		v := gain + f.after(to, across, base+float64((f.score-1)*gain), most-gain, depth-1)
		if v > best {
			best = v
		}
	}
	return best
}

// after is like chance, but looks up the value in the table first.
func (f *foresight) after(b, across uint64, base, most float64, depth int) float64 {
	f.nodes++
	if len(f.memory.slots) == 0 || depth > deepest {
		return f.chance(b, across, base, most, depth)
	}
	f.probes++
	if v, ok := f.memory.find(b, depth); ok {
		f.hits++
		return v
	}
	v := f.chance(b, across, base, most, depth)
	if f.room > 0 {
		f.memory.store(b, depth, v)
	}
	return v
}

// memory is a table of board values by depth. It contains one tree at a time. Lookups do not find
// entries from earlier trees. New entries replace old ones.
type memory struct {
	slots  []slot
	tree   uint64 // number of the tree, from 1 to trees
	stored int    // entries stored since the size last changed
	most   int    // maximum number of slots
	shift  uint
}

// A slot contains a key and a value. To compute the key, the board is multiplied by an odd number,
// so that different boards have different products. The highest bits of the product, which are part
// of the slot's index, are removed, and the tree and the depth are stored in their place.
type slot struct {
	key   uint64
	value float64
}

const (
	fewest     = 1 << fewestBits // in slots: 256 KB
	fewestBits = 14
	depthBits  = 4
	deepest    = 1<<depthBits - 1 // values at greater depths are not stored
	trees      = 1<<(fewestBits-depthBits) - 1
)

// next begins a new tree with a table of at most the given number of megabytes. 0 means the
// default, and a negative number means no table. Each tree begins with the smallest table.
func (m *memory) next(megabytes int) {
	if megabytes < 0 {
		m.slots = nil
		return
	}
	m.most = 1 << (bits.Len(uint(cmp.Or(megabytes, 64))<<16) - 1)
	m.resize(fewest)
}

// resize empties the table, because indices use different bits in a table of a different size.
func (m *memory) resize(n int) {
	if n > cap(m.slots) {
		m.slots = make([]slot, n)
	}
	m.slots, m.stored = m.slots[:n], 0
	m.shift = uint(64 - bits.Len(uint(n-1)))
	if m.tree++; m.tree > trees {
		m.tree = 1
		clear(m.slots[:cap(m.slots)])
	}
}

// at returns the slot of a board and its key.
func (m *memory) at(b uint64, depth int) (s *slot, key uint64) {
	h := b * 0x9e3779b97f4a7c15
	return &m.slots[h>>(m.shift&63)], h<<fewestBits | m.tree<<depthBits | uint64(depth)
}

func (m *memory) find(b uint64, depth int) (v float64, ok bool) {
	s, key := m.at(b, depth)
	return s.value, s.key == key
}

func (m *memory) store(b uint64, depth int, v float64) {
	s, key := m.at(b, depth)
	*s = slot{key, v}
	if m.stored++; m.stored > len(m.slots) && 4*len(m.slots) <= m.most {
		m.resize(4 * len(m.slots))
	}
}
