package checkers

import (
	"math/bits"
	"strconv"
	"strings"

	"plyfit/game"
)

// A move contains the whole path: bits 0-5 are the first square, and bits 6-9 are the number of
// jumps (0 for a step), followed by two direction bits for each jump. No path has more than nine
// jumps. A jumping piece can reach only every second row and column, which makes at most eight
// squares, with nine pairs of neighbours.
const (
	jumpShift = 6
	jumpOne   = 1 << jumpShift
	pathShift = 10
	fromMask  = 1<<jumpShift - 1
)

func jumpsOf(m game.Move) int { return int(m >> jumpShift & 15) }

// Moves implements [game.State]. It lists the jumps if there are any, and otherwise the steps. Each
// path of jumps is a separate move. The moves are ordered by direction and then by square.
func (s *State) Moves(dst []game.Move) []game.Move {
	p := s.analysed()
	if p.stage != playing {
		return dst
	}
	side := s.side()
	own, opp := p.men[side], p.men[1-side]
	empty := board &^ (own | opp)
	kings := p.kings & own
	if p.jumps {
		jump := jumpers(side, own, kings, opp, empty)
		w := walk{opp: opp, empty: empty, kings: kings, side: side}
		dst = w.start(dst, jump.up4, 0)
		dst = w.start(dst, jump.up5, 1)
		dst = w.start(dst, jump.down4, 2)
		return w.start(dst, jump.down5, 3)
	}
	can := movers(side, own, kings, empty)
	for b := can.up4; b != 0; b &= b - 1 {
		dst = append(dst, game.Move(bits.TrailingZeros64(b)))
	}
	for b := can.up5; b != 0; b &= b - 1 {
		dst = append(dst, 1<<pathShift|game.Move(bits.TrailingZeros64(b)))
	}
	for b := can.down4; b != 0; b &= b - 1 {
		dst = append(dst, 2<<pathShift|game.Move(bits.TrailingZeros64(b)))
	}
	for b := can.down5; b != 0; b &= b - 1 {
		dst = append(dst, 3<<pathShift|game.Move(bits.TrailingZeros64(b)))
	}
	return dst
}

// A walk is a piece that jumps along a path.
type walk struct {
	opp, empty, kings uint64
	side              int
	king              bool
}

// start appends the paths that begin in direction d, for all pieces in the given set.
func (w *walk) start(dst []game.Move, from uint64, d int) []game.Move {
	empty := w.empty
	for ; from != 0; from &= from - 1 {
		bit := from & -from
		w.king = w.kings&bit != 0
		w.empty = empty | bit // the piece leaves its square and may return to it
		at := bits.TrailingZeros64(from)
		dst = w.leap(dst, at, d, game.Move(at), pathShift)
	}
	w.empty = empty
	return dst
}

// leap jumps from the given square in direction d, which must be possible, and continues as long as
// possible. It appends all complete paths. path contains the earlier jumps, and the direction is
// stored at the bit position shift.
func (w *walk) leap(dst []game.Move, from, d int, path game.Move, shift uint) []game.Move {
	over, to := steps[from&63][d&3], leaps[from&63][d&3]
	w.opp ^= over
	path = path + jumpOne | game.Move(d)<<shift
	at := bits.TrailingZeros64(to)
	first, last := 0, 4
	if !w.king {
		first, last = 2*w.side, 2*w.side+2
	}
	more := false
	for e := first; e < last; e++ { // a man on the last row has no further direction
		if steps[at&63][e&3]&w.opp != 0 && leaps[at&63][e&3]&w.empty != 0 {
			more = true
			dst = w.leap(dst, at, e, path, shift+2)
		}
	}
	if !more {
		dst = append(dst, path)
	}
	w.opp ^= over
	return dst
}

// trace returns the square on which m ends and the captured pieces.
func trace(m game.Move) (to, captured uint64) {
	from := m & fromMask
	path := m >> pathShift
	n := jumpsOf(m)
	if n == 0 {
		return steps[from][path&3], 0
	}
	for ; n > 0; n-- {
		captured |= steps[from&63][path&3]
		to = leaps[from&63][path&3]
		from = game.Move(bits.TrailingZeros64(to))
		path >>= 2
	}
	return to, captured
}

// MoveString implements [game.State]: a step such as 11-15, or all squares of a jump such as
// 22x15x8.
func (s *State) MoveString(m game.Move) string {
	from := int(m & fromMask)
	n := jumpsOf(m)
	out := strconv.AppendUint(nil, uint64(squareOf[from]), 10)
	if n == 0 {
		out = append(out, '-')
		to := bits.TrailingZeros64(steps[from][m>>pathShift&3])
		return string(strconv.AppendUint(out, uint64(squareOf[to]), 10))
	}
	for path := m >> pathShift; n > 0; n-- {
		from = bits.TrailingZeros64(leaps[from&63][path&3])
		out = strconv.AppendUint(append(out, 'x'), uint64(squareOf[from]), 10)
		path >>= 2
	}
	return string(out)
}

// parseMove reads a step or all squares of a jump. A jump may also be given by its first and last
// squares if these are unique.
func parseMove(s game.State, text string) (game.Move, error) {
	m, err := game.FindMove(s, text)
	if err == nil || strings.Count(text, "x") != 1 {
		return m, err
	}
	first, last, _ := strings.Cut(text, "x")
	return game.OneMove(s, text, func(m game.Move) bool {
		name := s.MoveString(m)
		return strings.HasPrefix(name, first+"x") && strings.HasSuffix(name, "x"+last)
	})
}

// Noisy implements [game.Noisy]. Jumps are forced, so either all moves are noisy or none.
func (s *State) Noisy(dst []game.Move) []game.Move {
	if s.Jumps(game.Player(s.side())) {
		return s.Moves(dst)
	}
	return dst
}

// Forced implements [game.Noisy]. A player who can jump must jump.
func (s *State) Forced() bool { return s.Jumps(game.Player(s.side())) }

// Jumps reports whether p could jump if p were to move.
func (s *State) Jumps(p game.Player) bool {
	at := &s.line[s.ply]
	own, opp := at.men[p&1], at.men[1-p&1]
	return jumpers(int(p&1), own, own&at.kings, opp, board&^(own|opp)).any()
}

// Steps returns the number of steps that p could make if it were p's turn and p could not jump.
func (s *State) Steps(p game.Player) int {
	at := &s.line[s.ply]
	own, opp := at.men[p&1], at.men[1-p&1]
	f := movers(int(p&1), own, own&at.kings, board&^(own|opp))
	return bits.OnesCount64(f.up4) + bits.OnesCount64(f.up5) + bits.OnesCount64(f.down4) + bits.OnesCount64(f.down5)
}

// centre contains the squares in the middle of the board.
var centre = Squares(14, 15, 18, 19, 10, 11, 22, 23)

// Squares returns the set of squares with the given numbers.
func Squares(numbers ...int) (set uint64) {
	for _, n := range numbers {
		set |= 1 << (n - 1 + (n-1)/8)
	}
	return set
}

// Rank implements [game.Ranker]. Captures come first, with kings counted twice, followed by
// crownings. A move ranks lower if it allows the opponent to jump or if it moves a man off the back
// row. It ranks higher if it ends in the centre or moves a man further forward.
func (s *State) Rank(m game.Move) int32 {
	p := &s.line[s.ply]
	side := s.side() & 1
	from := uint64(1) << (m & fromMask)
	to, captured := trace(m)
	king := p.kings&from != 0
	rank := int32(bits.OnesCount64(captured)+bits.OnesCount64(captured&p.kings)) << 8
	if !king && to&(topRow|bottom) != 0 {
		rank += 200
	}
	own, opp := p.men[side]&^from|to, p.men[1-side]&^captured
	if jumpers(1-side, opp, opp&p.kings, own, board&^(own|opp)).any() {
		rank -= 128
	}
	if to&centre != 0 {
		rank += 8
	}
	if !king {
		row := int32(bits.TrailingZeros64(to)) // White moves towards lower bits.
		if side == 1 {
			row = numbered - row
		}
		rank += row >> 2
		if from&(topRow|bottom) != 0 {
			rank -= 32
		}
	}
	return rank
}

// The 32 dark squares are numbered 1 to 32 from the top left, as in PDN. Black begins on 1 to 12
// and moves towards 32. Square n is bit n-1 + (n-1)/8, which leaves every ninth bit unused. The
// four neighbours of any square are therefore 4 and 5 bits higher and lower, and a step over the
// edge reaches no square (the layout of Strachey 1952 and Samuel 1959).

const (
	board    = 0x7fbfdfeff // the 32 squares
	topRow   = 0xf         // 1 to 4, where white's men are crowned
	bottom   = 0xf << 31   // 29 to 32, where black's men are crowned
	numbered = 35          // number of bits in use, including gaps
)

// squareOf[bit] is the number of a square, or 0 for a gap. bitOf is its inverse.
var squareOf, bitOf = makeNumbers()

// steps[bit][d] is the square one step away in direction d, and leaps[bit][d] is the square after
// it. Either is 0 if there is no such square. Black's men move in directions 0 and 1 (4 and 5 bits
// up), and White's men in directions 2 and 3 (4 and 5 bits down).
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

// A fan contains a set of squares for each direction: 4 and 5 bits up, and 4 and 5 bits down. (The
// compiler keeps a struct of four values in registers, but not an array of four.)
type fan struct{ up4, up5, down4, down5 uint64 }

func (f fan) any() bool { return f.up4|f.up5|f.down4|f.down5 != 0 }

// movers returns, for each direction, the player's pieces that can step in it. side is 0 for black,
// and kings contains the player's kings.
func movers(side int, own, kings, empty uint64) fan {
	up, down := own, kings
	if side != 0 {
		up, down = kings, own
	}
	return fan{up & (empty >> 4), up & (empty >> 5), down & (empty << 4), down & (empty << 5)}
}

// jumpers returns, for each direction, the player's pieces that can jump over one of opp's pieces.
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
