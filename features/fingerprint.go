package features

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"sync"

	"plyfit/game"
	"plyfit/models"
)

// New is a model of all zeros over set, with the set's [Fingerprint] in g.
func New(set Set, g *game.Game) *models.Linear {
	m := models.New(g.Base().Name, set.Name(), set.Blocks())
	m.Fingerprint = Fingerprint(set, g)
	return m
}

// Fingerprint identifies what set computes in g: the names of its features ([models.Fingerprint]),
// the game with its options, and a digest of the features' values at sampled positions, as
// NAMES-GAME-VALUES. A term rewritten under its old name changes it, so no model is joined to
// features it was not made for. [Bind] compares values where the game has the same options, which
// terms may depend on, and names elsewhere.
//
// The positions are those of random games from fixed seeds; a change in the game's rules, or in the
// order of its moves, changes them, too. Values count to four digits, beyond differences of
// processors. It is computed once a process for each set of each game; changes of either under the
// same name are not noticed.
func Fingerprint(set Set, g *game.Game) string {
	g = g.Base()
	names := models.Fingerprint(set.Blocks())
	key := [4]string{fmt.Sprintf("%T", set), set.Name(), names, g.Spec}
	if known, ok := fingerprints.Load(key); ok {
		return known.(string)
	}
	spec := sha256.Sum256([]byte(g.Spec))
	print := names + "-" + hex.EncodeToString(spec[:4]) + "-" + valueDigest(set, g)
	fingerprints.Store(key, print)
	return print
}

// fingerprints are those that this process has computed, by the set's type and
// name, the digest of its features' names, and the game with its options.
var fingerprints sync.Map // [4]string to string

// Samples of valueDigest: positions of at most so many games and so many plies of each, until there
// are enough. Sets of millions of patterns and of ten terms take equally long, except for a set's
// first use: the rows of 2048/lines.
const (
	fingerprintGames     = 64
	fingerprintPlies     = 240
	fingerprintEvery     = 3 // plies; the first differs by game
	fingerprintPositions = 200
)

func valueDigest(set Set, g *game.Game) string {
	h := sha256.New()
	var x models.Vector
	var moves []game.Move
	var buffer []byte
	sampled := 0
	for k := uint64(0); k < fingerprintGames && sampled < fingerprintPositions; k++ {
		seed := game.Mix(k)
		s := g.New()
		for ply := 0; s.Turn() != game.Nobody && ply < min(g.MaxPlies, fingerprintPlies); ply++ {
			if (uint64(ply)+k)%fingerprintEvery == 0 {
				sampled++
				view := set.View(s)
				x = canonical(set.Extract(s, view, x[:0]))
				buffer = binary.LittleEndian.AppendUint32(buffer[:0], uint32(view))
				for _, t := range x {
					buffer = binary.LittleEndian.AppendUint32(buffer, uint32(t.Index))
					buffer = binary.LittleEndian.AppendUint32(buffer, math.Float32bits(t.Value))
				}
				buffer = binary.LittleEndian.AppendUint32(buffer, uint32(len(x)))
				h.Write(buffer)
			}
			moves = s.Moves(moves[:0])
			seed = game.Mix(seed)
			s.Play(moves[seed%uint64(len(moves))])
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// canonical is x by index, equal ones added up, without zeros, each value rounded
// to 12 bits of its mantissa: the same for every way to write the same features.
func canonical(x models.Vector) models.Vector {
	x = x.Merge()
	kept := x[:0]
	for _, t := range x {
		if math.Abs(float64(t.Value)) >= 1e-6 {
			const dropped = 23 - 12
			bits := math.Float32bits(t.Value) + 1<<(dropped-1)
			t.Value = math.Float32frombits(bits &^ (1<<dropped - 1))
			kept = append(kept, t)
		}
	}
	return kept
}
