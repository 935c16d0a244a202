package connect4

import (
	"fmt"
	"slices"

	"plyfit/game"
)

// Dice is a position of connect four with a die that has one face for each column. Before each
// move, the die forbids one column, unless this would leave no legal move.
type Dice struct {
	State
	faces [64]int8 // face rolled at each ply, counted from 1, or 0 before the roll
	plays int      // number of calls to Play that can be undone
}

var (
	_ game.Drawer         = (*Dice)(nil)
	_ game.Illustrator    = (*Dice)(nil)
	_ game.Chancer        = (*Dice)(nil)
	_ game.Bounder        = (*Dice)(nil)
	_ game.MoveClassifier = (*Dice)(nil)
)

// Rolled reports whether the die has been rolled for the current move.
func (d *Dice) Rolled() bool { return d.faces[d.ply&63] != 0 }

// Forbidden returns the forbidden column, counted from 0. ok is false before the roll, or if no
// column is forbidden.
func (d *Dice) Forbidden() (column int, ok bool) {
	face := int(d.faces[d.ply&63])
	if face == 0 {
		return 0, false
	}
	c, all := (face-1)&15, d.at().all
	if all&d.top[c] != 0 || all|d.column[c] == d.board {
		return 0, false // the column is full, or it is the only one that is not
	}
	return c, true
}

// Turn implements [game.State]. It returns Chance before each roll.
func (d *Dice) Turn() game.Player {
	if t := d.State.Turn(); t == game.Nobody || d.Rolled() {
		return t
	}
	return game.Chance
}

// Moves implements [game.State]: the faces of the die, or the permitted columns.
func (d *Dice) Moves(dst []game.Move) []game.Move {
	switch d.Turn() {
	case game.Nobody:
		return dst
	case game.Chance:
		for c := 0; c < d.columns; c++ {
			dst = append(dst, game.Move(c))
		}
		return dst
	}
	from := len(dst)
	dst = d.State.Moves(dst)
	if c, ok := d.Forbidden(); ok {
		i := from + slices.Index(dst[from:], game.Move(c))
		dst = slices.Delete(dst, i, i+1)
	}
	return dst
}

func (d *Dice) ClassifyMoves(dst []game.Move) (moves []game.Move, over, chance uint64) {
	if d.Turn() < 0 {
		return d.Moves(dst), 0, 0
	}
	from := len(dst)
	dst, over, _ = d.State.ClassifyMoves(dst)
	if c, ok := d.Forbidden(); ok {
		i := slices.Index(dst[from:], game.Move(c))
		dst = slices.Delete(dst, from+i, from+i+1)
		low := uint64(1)<<i - 1
		over = over&low | over>>1&^low
	}
	return dst, over, (1<<(len(dst)-from) - 1) &^ over
}

func (d *Dice) Play(m game.Move) {
	d.plays++
	if !d.Rolled() {
		d.faces[d.ply&63] = int8(m) + 1
		return
	}
	d.State.Play(m)
	d.faces[d.ply&63] = 0
}

func (d *Dice) Undo() {
	game.StepBack(&d.plays, 0, "connect4")
	if d.Rolled() {
		d.faces[d.ply&63] = 0
		return
	}
	d.ply--
}

// Prob implements [game.Chancer]. All faces have the same probability.
func (d *Dice) Prob(game.Move) float64 { return 1 / float64(d.columns) }

// For implements [game.Chancer]. It returns the player whose move follows the roll.
func (d *Dice) For() game.Player { return game.Player(d.ply & 1) }

// Bounds implements [game.Bounder] in the same way as for the type distance.
func (d *Dice) Bounds(p game.Player) (lo, hi float64) { return d.bounds(p) }

// A [State]'s solutions are not valid with a die. The following method hides the solver from a
// search in which an adversary chooses the faces.

// NewSolver returns nil, because there is no solver for this game.
func (d *Dice) NewSolver(int) game.Solver { return nil }

// Hash implements [game.State]. All faces that forbid no column have the same hash.
func (d *Dice) Hash() uint64 {
	h := d.State.Hash()
	if d.Rolled() {
		c, ok := d.Forbidden()
		if !ok {
			c = d.columns
		}
		h ^= game.Mix(uint64(c) + 1)
	}
	return h
}

func (d *Dice) Clone() game.State {
	c := *d
	c.root, c.plays = c.ply, 0
	return &c
}

// String implements [game.State]. It returns the notation of the board, followed by `roll`, or by
// `die` and the face. If the game is over, it returns only the board.
func (d *Dice) String() string {
	s := d.State.String()
	switch d.Turn() {
	case game.Nobody:
		return s
	case game.Chance:
		return s + " roll"
	}
	f := d.faces[d.ply&63] - 1
	return s + " die " + columnNames[f:f+1]
}

// MoveString implements [game.State]: the column, counted from 1, or `d` and the face.
func (d *Dice) MoveString(m game.Move) string {
	if d.Turn() == game.Chance {
		return "d" + columnNames[m:m+1]
	}
	return d.State.MoveString(m)
}

// set sets the face of the die, counted from 1. A face of 0 means that the die has not been rolled.
// The resulting position has nothing to undo.
func (d *Dice) set(face int) error {
	if face < 0 || face > d.columns {
		return fmt.Errorf("a face from 1 to %c", columnNames[d.columns-1])
	}
	d.faces[d.ply&63] = int8(face)
	d.plays = 0
	return nil
}
