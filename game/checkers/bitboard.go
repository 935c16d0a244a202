package checkers

// The 32 dark squares, numbered 1 to 32 as PDN does, from the top left: black begins on 1 to 12 and
// moves towards 32. Every ninth bit is unused (square n is bit n-1 + (n-1)/8), so that the four
// neighbours of any square lie 4 and 5 bits up and down, and steps over the edge reach no square
// (the layout of Strachey 1952 and Samuel 1959).

const (
	board    = 0x7fbfdfeff // the 32 squares
	topRow   = 0xf         // 1 to 4: white's men are crowned there
	bottom   = 0xf << 31   // 29 to 32: black's
	numbered = 35          // bits in use, gaps included
)

// squareOf[bit] is the number of a square, 0 at the gaps; bitOf its inverse.
var squareOf, bitOf = makeNumbers()

// steps[bit][d] is the square one step in direction d, leaps[bit][d] the one behind it; 0: none.
// Directions 0 and 1 are black's men's (4 and 5 bits up), 2 and 3 white's (4 and 5 bits down).
var steps, leaps = makeSteps()

func makeNumbers() (squareOf [64]uint8, bitOf [33]uint8) {
	for n := 1; n <= 32; n++ {
		bit := n - 1 + (n-1)/8
		squareOf[bit], bitOf[n] = uint8(n), uint8(bit)
	}
	return squareOf, bitOf
}

func makeSteps() (steps, leaps [64][4]uint64) {
	for bit := range numbered {
		b := uint64(1) << bit & board
		steps[bit] = [4]uint64{b << 4 & board, b << 5 & board, b >> 4 & board, b >> 5 & board}
		for d, to := range [4]uint64{b << 8, b << 10, b >> 8, b >> 10} {
			if steps[bit][d] != 0 {
				leaps[bit][d] = to & board
			}
		}
	}
	return steps, leaps
}

// fan is a set of squares for each direction: 4 and 5 bits up, 4 and 5 down. (A
// struct of four stays in registers, an array of four does not.)
type fan struct{ up4, up5, down4, down5 uint64 }

func (f fan) any() bool { return f.up4|f.up5|f.down4|f.down5 != 0 }

// movers are those of a player's pieces that can step in each direction. side
// is 0 for black; kings are his.
func movers(side int, own, kings, empty uint64) fan {
	up, down := own, kings
	if side != 0 {
		up, down = kings, own
	}
	return fan{up & (empty >> 4), up & (empty >> 5), down & (empty << 4), down & (empty << 5)}
}

// jumpers are those of a player's pieces that can jump one of opp's in each
// direction.
func jumpers(side int, own, kings, opp, empty uint64) fan {
	up, down := own, kings
	if side != 0 {
		up, down = kings, own
	}
	return fan{
		up & (opp >> 4) & (empty >> 8), up & (opp >> 5) & (empty >> 10),
		down & (opp << 4) & (empty << 8), down & (opp << 5) & (empty << 10),
	}
}
