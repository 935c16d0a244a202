package asm

// Shares is what each row of a board of 4x4 adds to the places of tuples that begin in it
// and in the row above it, by its four cells of four bits each. Of either kind there are
// four: of a run from the row's first cell on and of a rectangle, then of the same in
// the mirrored row.
type Shares [1 << 16][8]int32

// TuplePlaces are the places of four tuples in the eight images of a board of 4x4: image
// by image (the board, mirrored, upended, upended and mirrored, then the same of its
// columns), in each a run from the first row on, one from the second row on, a rectangle
// in the first and the second row, and one in the second and the third. Those from
// the second row on stand so many weights behind the others.
func TuplePlaces(shares *Shares, behind int32, board, columns uint64, at *[32]int32) {
	tuplePlaces(shares, behind, board, columns, at)
}

func tuplePlacesGo(shares *Shares, behind int32, board, columns uint64, at *[32]int32) {
	for k, b := range [2]uint64{board, columns} {
		first, last := &shares[uint16(b)], &shares[uint16(b>>48)]
		second, third := &shares[uint16(b>>16)], &shares[uint16(b>>32)]
		for image := range 4 {
			m := 2 * (image & 1)
			to := at[16*k+4*image:]
			to[0] = first[m] + second[m+4]
			to[1] = second[m] + third[m+4] + behind
			to[2] = first[m+1] + second[m+5]
			to[3] = second[m+1] + third[m+5] + behind
			if image == 1 {
				first, second, third = last, third, second
			}
		}
	}
}
