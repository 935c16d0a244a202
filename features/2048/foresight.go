package g2048

import (
	"math"
	"math/bits"

	board "plyfit/game/2048"

	"plyfit/game"
)

// axis is the boards that two opposite moves along the lines of a board make of
// it, and what a new tile in line i leaves of them as it is.
type axis struct {
	lines [4]uint16
	gain  int32
	ways  [2]way // to the lines' beginnings, to their ends
}

type way struct {
	across  uint64     // the board after the move, as its other lines
	worth   [4]float64 // of the lines after the move
	changed uint8      // bit i where a line other than i changes
}

// unit is the first cell of every line: lines lie side by side across it.
const unit = 0x000f000f000f000f

// spread lays a line across the first cells of all.
func spread(line uint16) uint64 {
	x := uint64(line)
	x = (x | x<<24) & 0x000000ff000000ff
	return (x | x<<12) & unit
}

// along prepares the moves along the lines of b.
func (t *rowTables) along(a *axis, b uint64, slides *[1 << 16]board.Row) {
	*a = axis{}
	for i := range a.lines {
		line := uint16(b >> (16 * i))
		s, worths := &slides[line], t.worths(i)
		a.lines[i] = line
		a.gain += s.Gain
		left, right := &a.ways[0], &a.ways[1]
		left.across |= uint64(s.Left) << (16 * i)
		right.across |= uint64(s.Right) << (16 * i)
		left.worth[i], right.worth[i] = worths[s.Left], worths[s.Right]
		others := uint8(0b1111 &^ (1 << i))
		if s.Left != line {
			left.changed |= others
		}
		if s.Right != line {
			right.changed |= others
		}
	}
	for k := range a.ways {
		a.ways[k].across = board.Transpose(a.ways[k].across)
	}
}

// worths is the table of the i-th line.
func (t *rowTables) worths(i int) *[1 << 16]float64 {
	if i == 1 || i == 2 {
		return (*[1 << 16]float64)(t.inside)
	}
	return (*[1 << 16]float64)(t.rim)
}

// Foresee takes the last decision for [features.Evaluator.Foresight] on boards of 4x4 with at least
// one tile. A new tile changes one row and one column. So of a move along the rows three rows stay
// the same, and so does all but one cell of each column: they are computed once for all places of
// the tile. Sums are added up as Sum does, where rows and columns count alike.
func (t *rowTables) Foresee(st game.State) (value float64, nodes, evaluations int64, ok bool) {
	s, ok := st.(*board.State)
	b := s.Board()
	if !ok || b == 0 || s.Turn() != game.Chance {
		return 0, 0, 0, false
	}
	var (
		empty  = ^(b | b>>1 | b>>2 | b>>3) & 0x1111111111111111
		lo, hi = s.Bounds(0)
		best   [2][16]float64 // by cell, with a 2 there and with a 4
	)
	evaluations = t.tryAll(b, empty, false, lo, hi, &best)
	evaluations += t.tryAll(board.Transpose(b), board.Transpose(empty), true, lo, hi, &best)
	n := int64(0)
	for e := range best {
		p := s.Prob(game.Move(e))
		for left := empty; left != 0; left &= left - 1 {
			v := best[e][bits.TrailingZeros64(left)>>2]
			if v < lo { // no move, and the score is what it came to
				v = lo
			}
			value += float64(p * v)
			n++
		}
	}
	return value, n + evaluations, evaluations, true
}

// tryAll computes the two moves along the lines of b for every tile that may appear in the empty
// cells, and writes the better of them to best; upright means columns, and raises best. It returns
// how many moves there were.
func (t *rowTables) tryAll(b, empty uint64, upright bool, lo, hi float64, best *[2][16]float64) (tried int64) {
	var (
		a      axis
		slides = board.Rows()
		rim    = (*[1 << 16]float64)(t.rim)
		inside = (*[1 << 16]float64)(t.inside)
	)
	t.along(&a, b, slides)
	for i, line := range a.lines {
		cells := empty >> (16 * i) & 0x1111
		if cells == 0 {
			continue
		}
		worths := t.worths(i)
		score := lo + float64(a.gain-slides[line].Gain)
		type rest struct { // what a move leaves of the lines beside this one
			across  uint64
			partner float64 // the line of the same kind, rim or inside
			pair    float64 // the two others
			stuck   bool    // none of them changes
		}
		var without [2]rest
		for k := range a.ways {
			w := &a.ways[k]
			without[k] = rest{w.across &^ (unit << (4 * i)), w.worth[3-i], w.worth[0] + w.worth[3], w.changed>>i&1 == 0}
			if i == 0 || i == 3 {
				without[k].pair = w.worth[1] + w.worth[2]
			}
		}
		for ; cells != 0; cells &= cells - 1 {
			at := bits.TrailingZeros64(cells) & 15
			place := (4*i + at>>2) & 15
			if upright {
				place = at&^3 | i
			}
			for e := range best {
				full := line | uint16(1+e)<<at
				moved := &slides[full]
				after := score + float64(moved.Gain)
				v := math.Inf(-1)
				for k, own := range [2]uint16{moved.Left, moved.Right} {
					w := &without[k]
					if own == full && w.stuck {
						continue
					}
					tried++
					across := w.across | spread(own)<<(4*i)
					columns := (rim[uint16(across)] + rim[uint16(across>>48)]) + (inside[uint16(across>>16)] + inside[uint16(across>>32)])
					if u := (worths[own] + w.partner + w.pair) + columns; u > v { // max of floats is a call in WebAssembly
						v = u
					}
				}
				if !math.IsInf(v, -1) {
					v += t.bias + float64(t.score*after)
					v = game.Clamp(v, after, hi-float64(4*e)) // a new 4 is worth what no one gained
				}
				if !upright || v > best[e][place] {
					best[e][place] = v
				}
			}
		}
	}
	return tried
}
