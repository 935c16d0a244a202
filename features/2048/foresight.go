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

// Foresee takes the last decision for [features.Evaluator.Foresight] on boards of four by four on which
// there is a tile. A new tile changes one row and one column. So of a move along
// the rows three rows are what they were without it, and so is all but one cell
// of each column: they are worked out once for all places in which the tile may
// appear. Sums are added up in the order of Sum.
func (t *rowTables) Foresee(st game.State) (value float64, nodes, evaluations int64, ok bool) {
	s, ok := st.(*board.State)
	b := s.Board()
	if !ok || b == 0 || s.Turn() != game.Chance {
		return 0, 0, 0, false
	}
	var (
		empty  = emptyCells(b)
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

// emptyCells is the lowest bit of each empty cell.
func emptyCells(b uint64) uint64 {
	return ^(b | b>>1 | b>>2 | b>>3) & 0x1111111111111111
}

// tryAll works out the two moves along the lines of b for every tile that may
// appear in the empty cells, and writes the better of them to best; upright where
// these lines are columns, and best is raised. It tells how many moves there were.
func (t *rowTables) tryAll(b, empty uint64, upright bool, lo, hi float64, best *[2][16]float64) (tried int64) {
	var (
		a      axis
		slides = board.Rows()
		rim    = (*[1 << 16]float64)(t.rim)
		inside = (*[1 << 16]float64)(t.inside)
	)
	t.along(&a, b, slides)
	for ; empty != 0; empty &= empty - 1 {
		at := bits.TrailingZeros64(empty) & 63
		i, place := at>>4, at>>2
		if upright {
			place = place>>2 | place&3<<2
		}
		line, worths := a.lines[i], t.worths(i)
		score := lo + float64(a.gain-slides[line].Gain)
		for e := range best {
			full := line | uint16(1+e)<<(at&15)
			moved := &slides[full]
			after := score + float64(moved.Gain)
			most := hi - float64(4*e) // a new 4 is worth what nobody gained
			v := math.Inf(-1)
			if upright {
				v = best[e][place]
			}
			for k, own := range [2]uint16{moved.Left, moved.Right} {
				w := &a.ways[k]
				if own == full && w.changed>>i&1 == 0 {
					continue
				}
				tried++
				across := w.across&^(unit<<(4*i)) | spread(own)<<(4*i)
				w0, w1, w2, w3 := w.worth[0], w.worth[1], w.worth[2], w.worth[3]
				switch x := worths[own]; i {
				case 0:
					w0 = x
				case 1:
					w1 = x
				case 2:
					w2 = x
				default:
					w3 = x
				}
				c0, c1, c2, c3 := uint16(across), uint16(across>>16), uint16(across>>32), uint16(across>>48)
				var ends, middle float64
				if upright {
					ends = rim[c0] + rim[c3] + w0 + w3
					middle = inside[c1] + inside[c2] + w1 + w2
				} else {
					ends = w0 + w3 + rim[c0] + rim[c3]
					middle = w1 + w2 + inside[c1] + inside[c2]
				}
				x := t.bias + float64(t.score*after) + ends + middle
				if x < after {
					x = after
				}
				if x > most {
					x = most
				}
				if x > v {
					v = x
				}
			}
			best[e][place] = v
		}
	}
	return tried
}
