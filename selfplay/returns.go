package selfplay

import (
	"fmt"
	"iter"

	"plyfit/datasets"
	"plyfit/game"
)

// Returns are records in which the search value is replaced by the TD(lambda) return of what the
// searches said later in the episode and of its outcome (Sutton 1988), in the mover's view:
//
//	G_t = (1-lambda) V_{t+1} + lambda G_{t+1},   G of the last position = outcome
//
// with V the recorded values; lambda 1 is the outcome, lambda 0 the next position's value.
// Positions without a value hand on what comes after them. What follows a random move says nothing
// of the position before it, whose return is then its own value; so is that of the last position of
// an episode that was cut off. Where there is nothing to take, HasValue is false.
//
// The game is one of one player, or of two whose utilities have a fixed sum;
// another is an error. lambda lies in [0, 1].
func Returns(g *game.Game, records func() iter.Seq2[*datasets.Record, error], lambda float64) (func() iter.Seq2[*datasets.Record, error], error) {
	b := g.Base()
	total, fixed := b.FixedSum()
	if !fixed {
		return nil, fmt.Errorf("returns in %s: want a game of one, or of two whose utilities have a fixed sum", b.Spec)
	}
	first := func(v float64, mover game.Player) float64 { // a value in player 0's view, or back
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
					switch { // what the position before says
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
				episode = append(episode, *r) // its outcome may be kept
			}
			flush()
		}
	}, nil
}
