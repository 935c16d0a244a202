package connect4

import (
	"fmt"

	"plyfit/game"
)

// rules contains what all positions of a game share: the size of the board, the masks derived from
// it, and the value of a win.
//
// Bit column*(rows+1)+row is the cell in that column and row, counted from 0 at the bottom left.
// The bit above each column is always 0, so that no line continues from the top of one column to
// the bottom of the next (Fhourstones, John Tromp).
type rules struct {
	columns, rows int
	cells         int
	standard      bool // whether the board is 7x6, for which the shifts are constants
	distance      bool // whether a win with fewer stones is worth more
	dice          bool

	height uint       // rows+1, the distance in bits between neighbours in a row
	bottom [16]uint64 // for each column, the lowest cell, the highest cell, and all cells
	top    [16]uint64
	column [16]uint64
	board  uint64        // all cells
	floor  uint64        // lowest cell of every column
	tops   uint64        // highest cell of every column
	every  [16]game.Move // all columns, as moves
	cell   [64]uint8     // for each bit, the number of the cell, row by row from the bottom
	centre [16]int8      // for each column, a value that is higher for columns nearer the centre
}

// board7x6 is the set of all cells of the standard board.
const board7x6 = 0x3f * (1 + 1<<7 + 1<<14 + 1<<21 + 1<<28 + 1<<35 + 1<<42)

const (
	maxColumns = 12
	maxRows    = 15
)

const columnNames = "123456789abc"

// New returns the game with these options: columns (4 to 12), rows (4 to 15), score (win or
// distance) and dice (on or off). columns*(rows+1) may be at most 64.
func New(o *game.Options) (*game.Game, error) {
	r := &rules{
		columns:  o.Int("columns", 7, 4, maxColumns),
		rows:     o.Int("rows", 6, 4, maxRows),
		distance: o.String("score", "win", "win", "distance") == "distance",
		dice:     o.Bool("dice", false),
	}
	if r.columns*(r.rows+1) > 64 {
		o.Fail("rows", fmt.Sprintf("at most %d with %d columns, because columns*(rows+1) must not exceed 64", 64/r.columns-1, r.columns))
	}
	if err := o.Err(); err != nil {
		return nil, err
	}
	r.fill()
	g := &game.Game{
		Name:      "connect4",
		Spec:      o.Spec("connect4"),
		Doc:       "connect four; columns=7, rows=6, score=win or distance (an earlier win counts more), dice=on (a die forbids a column before each move)",
		Players:   2,
		Seats:     []string{"X", "O"},
		Colours:   []string{"Red", "Yellow"},
		Sum:       game.Zero,
		Min:       -r.best(),
		Max:       r.best(),
		MaxPlies:  r.cells,
		New:       func() game.State { return r.start() },
		ParseMove: game.FindMove,
	}
	if r.dice {
		g.MaxPlies *= 2
	}
	if r.standard && !r.dice && !r.distance {
		g.Dialects = []game.Dialect{uci}
	}
	g.Parse = r.parse
	return g, nil
}

func (r *rules) fill() {
	r.cells = r.columns * r.rows
	r.standard = r.columns == 7 && r.rows == 6
	r.height = uint(r.rows + 1)
	for c := 0; c < r.columns; c++ {
		foot := uint(c) * r.height
		r.bottom[c] = 1 << foot
		r.top[c] = 1 << (foot + uint(r.rows) - 1)
		r.column[c] = (1<<uint(r.rows) - 1) << foot
		r.board |= r.column[c]
		r.floor |= r.bottom[c]
		r.tops |= r.top[c]
		r.every[c] = game.Move(c)
		d := 2*c - (r.columns - 1)
		r.centre[c] = int8(r.columns - max(d, -d))
		for row := range r.rows {
			r.cell[foot+uint(row)] = uint8(row*r.columns + c)
		}
	}
}

// best returns the highest possible utility, that is, the value of a win with four stones.
func (r *rules) best() float64 {
	if r.distance {
		return float64(r.worth(4))
	}
	return 1
}

// worth returns the value of a win if score=distance. It is one more than the first player's total
// number of stones, minus the given number of the winner's stones.
func (r *rules) worth(stones int) int { return (r.cells+1)/2 + 1 - stones }

func (r *rules) start() game.State {
	switch s := (State{rules: r}); {
	case r.dice:
		return &Dice{State: s}
	case r.distance:
		return &distance{State: s}
	default:
		return &s
	}
}

func (r *rules) won(b uint64) bool {
	if r.standard {
		return won7x6(b)
	}
	return inLine(b, 1) || inLine(b, r.height-1) || inLine(b, r.height) || inLine(b, r.height+1)
}

// inLine reports whether b contains four cells at intervals of d bits. d is always less than 64.
// The operation &63 merely avoids Go's check of the shift count.
func inLine(b uint64, d uint) bool {
	v := b & (b >> (d & 63))
	return v&(v>>(2*d&63)) != 0
}

func won7x6(b uint64) bool {
	v := b & (b >> 1)
	h := b & (b >> 7)
	d := b & (b >> 6)
	e := b & (b >> 8)
	return v&(v>>2)|h&(h>>14)|d&(d>>12)|e&(e>>16) != 0
}

// fours returns the cells, empty or not, that complete four in a row with the stones in b.
func (r *rules) fours(b uint64) uint64 {
	if r.standard {
		return fours7x6(b)
	}
	w := b << 1 & (b << 2) & (b << 3)
	for _, d := range [3]uint{r.height - 1, r.height, r.height + 1} {
		p := b << (d & 63) & (b << (2 * d & 63)) // cells above two stones in this direction
		w |= p & (b << (3 * d & 63))
		w |= p & (b >> (d & 63))
		p = b >> (d & 63) & (b >> (2 * d & 63))
		w |= p & (b >> (3 * d & 63))
		w |= p & (b << (d & 63))
	}
	return w & r.board
}

// fours7x6 is the version of fours for the standard board, with constant shifts.
func fours7x6(b uint64) uint64 {
	w := b << 1 & (b << 2) & (b << 3)
	p, q := b<<6&(b<<12), b>>6&(b>>12)
	w |= p&(b<<18|b>>6) | q&(b>>18|b<<6)
	p, q = b<<7&(b<<14), b>>7&(b>>14)
	w |= p&(b<<21|b>>7) | q&(b>>21|b<<7)
	p, q = b<<8&(b<<16), b>>8&(b>>16)
	w |= p&(b<<24|b>>8) | q&(b>>24|b<<8)
	return w & board7x6
}
