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

// New returns a model of set in which all weights are 0, with the set's [Fingerprint] in g.
func New(set Set, g *game.Game) *models.Linear {
	m := models.New(g.Base().Name, set.Name(), set.Blocks())
	m.Fingerprint = Fingerprint(set, g)
	return m
}

// Fingerprint returns an identifier of the features that set computes in g. It has the form
// NAMES-GAME-VALUES: the names of the features ([models.Fingerprint]), the game with its options,
// and a digest of the values of the features in sampled positions. If a term changes but keeps its
// name, the fingerprint usually changes, so that a model is not used with features for which it was
// not made. Terms may depend on the game's options. [Bind] therefore compares the whole fingerprint
// only if the options are the same, and otherwise only the names.
//
// The positions come from random games with fixed seeds. If the rules or the order of moves change,
// the positions change too. Values are rounded to 12 bits of the mantissa, which hides differences
// between processors. The result is cached for each set and game in the process. Later changes to a
// set or game with the same name are not detected.
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

// fingerprints caches results by the type and name of the set, the digest of its features' names,
// and the game with its options.
var fingerprints sync.Map // [4]string to string

// Limits on the samples of valueDigest: the number of games, the plies per game, and the number of
// positions after which no further game begins. With these limits, sets with millions of patterns
// take about as long as sets with ten terms. The first use of a set such as 2048/lines takes
// longer.
const (
	fingerprintGames     = 64
	fingerprintPlies     = 240
	fingerprintEvery     = 3 // plies between samples; the first sample differs by game
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

// canonical sorts x by index, merges equal terms, removes zeros, and rounds the values to 12 bits
// of the mantissa. The result does not depend on how a set lists its features.
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
