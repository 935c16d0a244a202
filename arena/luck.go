package arena

import (
	"slices"

	"plyfit/game"
	"plyfit/game/play"
)

// luck draws nature's moves of one pair as common random numbers. The k-th roll and k-th slip of a
// seat depend on (seed, pair, seat, k) alone, so they are the same in all games of the pair,
// no matter who sits there and whatever happened before.
type luck struct {
	key   uint64
	drawn [][2]uint64 // by seat: rolls and slips so far
	moves []game.Move
}

var _ play.Luck = (*luck)(nil)

const (
	roll = iota
	slip
)

func newLuck(key uint64, players int) luck {
	return luck{key: key, drawn: make([][2]uint64, players)}
}

// restart begins the pair's luck again, for its next game.
func (l *luck) restart() { clear(l.drawn) }

// uniform is the next number, in [0, 1), of a seat's stream.
func (l *luck) uniform(seat game.Player, kind int) float64 {
	k := &l.drawn[seat][kind]
	*k++
	return unit(game.Seed(l.key, uint64(seat)<<1|uint64(kind), *k))
}

// Draw implements [play.Luck] by inversion in the game's order. At a slip the intended move is
// first, so that one number decides in both games whether the hand slips.
func (l *luck) Draw(s game.State) game.Move {
	l.moves = s.Moves(l.moves[:0])
	c, ok := game.As[game.Chancer](s)
	if !ok {
		panic("arena: a chance node without probabilities")
	}
	stream := roll
	if sl, ok := game.As[*game.Slip](s); ok {
		if intended, pending := sl.Intended(); pending {
			i := slices.Index(l.moves, intended)
			copy(l.moves[1:i+1], l.moves[:i])
			l.moves[0], stream = intended, slip
		}
	}
	return game.Drawn(s, l.moves, l.uniform(c.For(), stream))
}

// unit makes a number in [0, 1) of 64 random bits.
func unit(bits uint64) float64 { return float64(bits>>11) / (1 << 53) }
