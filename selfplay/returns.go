package selfplay

import (
	"fmt"
	"iter"

	"plyfit/datasets"
	"plyfit/game"
)

// Returns replaces the search value of each record with its TD(lambda) return (Sutton 1988). The
// return combines the values reported by later searches in the episode with the outcome, from the
// mover's point of view:
//
//	G_t = (1-lambda) V_{t+1} + lambda G_{t+1},   G of the last position = outcome
//
// where V are the recorded values. lambda must be in [0, 1]. With lambda 1, the return is the
// outcome. With lambda 0, it is the value of the next position.
//
// A position without a value does not change the return, so the position before it has the same
// return. A random move says nothing about the position before it, so the return of that position
// is its own value. The same applies to the last position of a truncated episode. HasValue is false
// if there is nothing from which to compute a return.
//
// The function returned by Returns can be called several times. Returns reports an error unless the
// game has a single player, or two players and utilities with a fixed sum.
func Returns(g *game.Game, records func() iter.Seq2[*datasets.Record, error], lambda float64) (func() iter.Seq2[*datasets.Record, error], error) {
	b := g.Base()
	total, fixed := b.FixedSum()
	if !fixed {
		return nil, fmt.Errorf("returns in %s: want a single-player game, or a two-player constant-sum game", b.Spec)
	}
	first := func(v float64, mover game.Player) float64 { // converts between the mover's view and player 0's
		if mover > 0 {
			return total - v
		}
		return v
	}
	return func() iter.Seq2[*datasets.Record, error] {
		return func(yield func(*datasets.Record, error) bool) {
			var episode []datasets.Record
			flush := func() bool {
				ahead, known := 0.0, false
				if n := len(episode); n > 0 && !episode[n-1].Truncated {
					ahead, known = episode[n-1].Outcome[0], true
				}
				for t := len(episode) - 1; t >= 0; t-- {
					r := &episode[t]
					own, has := first(r.Value, r.Mover), r.HasValue
					if last := t == len(episode)-1; r.Explored || last && r.Truncated {
						ahead, known = own, has
					}
					r.Value, r.HasValue = first(ahead, r.Mover), known
					switch { // combine the position's own value with the return for the preceding position
					case has && known:
						ahead = float64((1-lambda)*own) + float64(lambda*ahead)
					case has:
						ahead, known = own, true
					}
				}
				for t := range episode {
					if !yield(&episode[t], nil) {
						return false
					}
				}
				episode = episode[:0]
				return true
			}
			for r, err := range records() {
				if err != nil {
					yield(nil, err)
					return
				}
				if len(episode) > 0 && episode[0].Episode != r.Episode && !flush() {
					return
				}
				episode = append(episode, *r) // the caller may still use the Outcome slice
			}
			flush()
		}
	}, nil
}
