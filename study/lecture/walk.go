package lecture

import (
	"slices"

	"plyfit/game"
	"plyfit/game/pacman"
)

// Ties selects among equally good moves.
type Ties string

const (
	AnyTie Ties = "drawn"    // any of them
	GoOn   Ties = "going on" // the last step again, else one that neither turns back nor stands still
)

// Walk counts Pacman's moves in a game.
type Walk struct {
	Moves    int `json:"moves"`
	Reversed int `json:"reversed"` // steps opposite to the last step
	Tied     int `json:"tied"`     // reversed steps that had equally good alternatives
	Stopped  int `json:"stopped"`

	last game.Move // the last step
}

// Choose selects one of the best moves and counts it. n is the index for [AnyTie].
func (w *Walk) Choose(best []game.Move, ties Ties, n int) game.Move {
	last, back := game.NoMove, game.NoMove
	if w.Moves > w.Stopped {
		last, back = w.last, pacman.Reverse(w.last)
	}
	if ties == GoOn {
		if n = slices.Index(best, last); n < 0 {
			n = max(0, slices.IndexFunc(best, func(m game.Move) bool { return m != back && m != pacman.Stop }))
		}
	}
	m := best[n]
	w.Moves++
	switch m {
	case pacman.Stop:
		w.Stopped++
		return m
	case back:
		w.Reversed++
		if len(best) > 1 {
			w.Tied++
		}
	}
	w.last = m
	return m
}
