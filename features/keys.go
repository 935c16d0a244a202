package features

import (
	"math"

	"plyfit/game"
	"plyfit/models"
)

// Keys assigns keys to positions. Positions with the same key provide the same evidence about a
// set. Such positions have the same board ([game.BoardHash]) or, if the cells of the board have
// symmetries ([game.Cells]), are mirror images with the same features. A set with features for one
// side of the board distinguishes mirror images. Keys is not safe for concurrent use.
type Keys struct {
	set         Set
	perspective perspective
	players     int
	cells       game.Cells
	at          []uint64 // by symmetry, cell and content
	holds       []uint8
	x           models.Vector
}

// NewKeys returns the Keys for base states of g.
func NewKeys(g *game.Game, set Set) *Keys {
	base := g.Base()
	k := &Keys{set: Own(set), perspective: newPerspective(base, identity), players: base.Players}
	board, ok := game.Base(base.New()).(game.Celled)
	if !ok {
		return k
	}
	if k.cells = board.Cells(); len(k.cells.Symmetries) < 2 {
		return k
	}
	k.holds = make([]uint8, k.cells.Len())
	for _, to := range k.cells.Symmetries {
		for c := range k.holds {
			if c < len(to) {
				c = to[c]
			}
			for v := range 256 {
				k.at = append(k.at, game.Mix(uint64(c)<<8|uint64(v)))
			}
		}
	}
	return k
}

// Of returns the key of s, a base state.
func (k *Keys) Of(s game.State) uint64 {
	if k.holds == nil {
		return game.BoardHash(s)
	}
	return k.number(s, k.of)
}

// Row returns a key that depends only on the features at s. Unrelated positions may have the same
// features.
func (k *Keys) Row(s game.State) uint64 { return k.number(s, k.features) }

// number combines the keys that the given function returns for the players' views.
func (k *Keys) number(s game.State, of func(s game.State, p game.Player) uint64) uint64 {
	if k.perspective.opposed {
		return of(s, k.set.View(s))
	}
	key := uint64(0)
	for p := range k.players {
		key = game.Mix(key + of(s, game.Player(p)))
	}
	return key
}

// features returns a key of the features at s. It does not depend on their order.
func (k *Keys) features(s game.State, p game.Player) uint64 {
	k.x = k.set.Extract(s, p, k.x[:0])
	key := uint64(int64(k.perspective.sign(p)))
	for _, t := range k.x {
		if t.Value != 0 {
			key += game.Mix(uint64(uint32(t.Index))<<32 | uint64(math.Float32bits(t.Value)))
		}
	}
	return key
}

// of returns the key of s from p's point of view. It is the same for all mirror images with the
// same features.
func (k *Keys) of(s game.State, p game.Player) uint64 {
	key := k.features(s, p)
	s.(game.Celled).Fill(p, k.holds)
	least := uint64(math.MaxUint64)
	for image := range k.cells.Symmetries {
		at, sum := k.at[image*len(k.holds)<<8:], uint64(0)
		for c, v := range k.holds {
			if v != 0 {
				sum += at[c<<8|int(v)]
			}
		}
		least = min(least, sum)
	}
	return game.Mix(key ^ game.Mix(least))
}
