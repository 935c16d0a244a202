package features

import (
	"plyfit/datasets"
	"plyfit/game"
)

// Label is what a position should be worth to p, in the game's units; ok = false leaves the
// record's row out. It is called by many goroutines at once.
type Label func(r *datasets.Record, p game.Player) (y float64, ok bool)

// Outcome is p's result at the end of the episode. Episodes cut off have none.
func Outcome(r *datasets.Record, p game.Player) (y float64, ok bool) {
	if r.Truncated || int(p) >= len(r.Outcome) {
		return 0, false
	}
	return r.Outcome[p], true
}

// SearchValue is the label by the mover's search, in records of a game that may be wrapped. Records
// without a search have none; other players have one only where the mover's decides theirs.
func SearchValue(g *game.Game) Label {
	return moverLabel(g, func(r *datasets.Record) (float64, bool) { return r.Value, r.HasValue })
}

// moverLabel is a label that is known in the mover's view.
func moverLabel(g *game.Game, label func(r *datasets.Record) (y float64, ok bool)) Label {
	e := newPerspective(g.Base(), identity)
	return func(r *datasets.Record, p game.Player) (float64, bool) {
		y, ok := label(r)
		switch {
		case p == r.Mover:
			return y, ok
		case e.opposed:
			return e.total - y, ok
		}
		return 0, false
	}
}

// Mixture is share of a and the rest of b; a record that lacks one of the two
// is left out. share lies in [0, 1].
func Mixture(a, b Label, share float64) Label {
	return func(r *datasets.Record, p game.Player) (float64, bool) {
		x, okX := a(r, p)
		y, okY := b(r, p)
		return float64(share*x) + float64((1-share)*y), okX && okY
	}
}
