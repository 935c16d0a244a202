package asm

// Tuples finds the places of four tuples in the eight images of a board of 4x4, and sums of
// weights there.
//
// The places come image by image (the board, mirrored, upended, upended and mirrored, then the
// same of its columns), in each that of a run from the first row on, of a run from the second
// on, of a rectangle in the first and the second row, and of one in the second and the third.
type Tuples struct {
	shares [1 << 16][8]int32
	behind int32
	end    int // no place is as large
}

// NewTuples makes them from what a row of four cells, four bits each, adds to the places of
// tuples that begin in it and in the row above it: of either kind that of a run and of a
// rectangle, then the same of the mirrored row. Tuples from the second row on stand so many
// weights behind the others. Nothing is negative.
func NewTuples(behind int32, share func(row uint16) [8]int32) *Tuples {
	t := &Tuples{behind: behind}
	var most [2]int32
	for row := range t.shares {
		t.shares[row] = share(uint16(row))
		for i, x := range t.shares[row] {
			most[i/4] = max(most[i/4], x)
		}
	}
	t.end = int(most[0]) + int(most[1]) + int(behind) + 1
	return t
}

// Places are those of a board.
func (t *Tuples) Places(board uint64, at *[32]int32) { tuplePlaces(t, board, at) }

func tuplePlacesGo(t *Tuples, board uint64, at *[32]int32) {
	for k, b := range [2]uint64{board, transposed(board)} {
		first, last := &t.shares[uint16(b)], &t.shares[uint16(b>>48)]
		second, third := &t.shares[uint16(b>>16)], &t.shares[uint16(b>>32)]
		for image := range 4 {
			m := 2 * (image & 1)
			to := at[16*k+4*image:]
			to[0] = first[m] + second[m+4]
			to[1] = second[m] + third[m+4] + t.behind
			to[2] = first[m+1] + second[m+5]
			to[3] = second[m+1] + third[m+5] + t.behind
			if image == 1 {
				first, second, third = last, third, second
			}
		}
	}
}

// Sums finds the places of boards, 32 of each, and the sums of a table's weights there, each
// the same as SumAt's.
func (t *Tuples) Sums(table []float32, boards []uint64, at []int32, sums []float32) {
	if len(table) < t.end || len(at) < 32*len(boards) || len(sums) < len(boards) {
		panic("asm: want a table with all places of the tuples, and room for what is found")
	}
	if len(boards) > 0 && AVX2 {
		tupleSumsAVX2(t, table, boards, at, sums)
		return
	}
	tupleSumsGo(t, table, boards, at, sums)
}

func tupleSumsGo(t *Tuples, table []float32, boards []uint64, at []int32, sums []float32) {
	for i, b := range boards {
		places := at[32*i : 32*i+32]
		tuplePlacesGo(t, b, (*[32]int32)(places))
		sums[i], _ = sumAtGo(table, places)
	}
}

// transposed makes columns of rows: swaps of cells within squares of four, then of those.
func transposed(b uint64) uint64 {
	x := (b ^ b>>12) & 0x0000f0f00000f0f0
	b ^= x ^ x<<12
	x = (b ^ b>>24) & 0x00000000ff00ff00
	return b ^ x ^ x<<24
}
