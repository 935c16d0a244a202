package othello

import (
	"math"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
	"plyfit/game/gametest"
	rules "plyfit/game/othello"
	"plyfit/internal/vectors"
	"plyfit/models"
)

func TestLaw(t *testing.T) { featuretest.Laws(t, rules.New, Profile.Sets, "othello") }

func TestTuplesAre288(t *testing.T) {
	blocks := newTuples().Blocks()
	weights := 0
	for _, b := range blocks {
		weights += b.Len
	}
	if len(blocks) != 32 || weights != 288 {
		t.Errorf("%d tables of %d weights, want 32 of 288", len(blocks), weights)
	}
}

// sum returns a digest of a vector that does not depend on the order of its terms.
func sum(x models.Vector) (digest uint64) {
	for _, t := range x {
		digest += game.Mix(uint64(t.Index)<<32 | uint64(math.Float32bits(t.Value)))
	}
	return digest
}

// TestSymmetry checks that the features of each set are invariant under rotations and reflections
// of the board.
func TestSymmetry(t *testing.T) {
	g := gametest.New(t, rules.New, "othello")
	s := vectors.Must(g.Parse("f5d6c3d3c4f4f6f3e6e7"))
	text := s.String()
	for _, set := range Profile.Sets(g) {
		for p := range game.Player(2) {
			want := sum(set.Extract(s, p, nil))
			for k, to := range symmetries {
				image := []byte(text)
				for sq := range 64 {
					image[to[sq]] = text[sq]
				}
				turned := vectors.Must(g.Parse(string(image)))
				if sum(set.Extract(turned, p, nil)) != want {
					t.Errorf("%s is not invariant under symmetry %d of %s", set.Name(), k, text)
				}
			}
		}
	}
}

// TestClassicTerms checks the terms of a position that were counted by hand.
func TestClassicTerms(t *testing.T) {
	g := gametest.New(t, rules.New, "othello")
	//	  a b c d e f g h
	//	1 X - O O - - - -
	//	2 - X - - - - - -
	//	3 - - X O - - - -
	//	4 - - O X O - - -
	//	5 - - - O X - - -
	//	6 - - - - - - - -
	//	7 - O - - - - - -
	featuretest.ByHand(t, g, classic.Set(), "X-OO----"+"-X------"+"--XO----"+"--OXO---"+"---OX---"+"--------"+"-O------"+"--------"+" X", map[string]float64{
		"discs": 5 - 7, "corners": 1, "x-squares": -1, "edges": -2, "stable": 1, "tempo": 1, "parity": -1,
		"corner-moves": 0,
	})
}

// TestShapes checks that each shape lists the cells that its pattern covers: the filling of these
// cells must belong to an active weight.
func TestShapes(t *testing.T) {
	g := gametest.New(t, rules.New, "othello")
	for _, set := range []features.Set{newPatterns(), newTuples()} {
		m := models.New("othello", set.Name(), set.Blocks())
		s := g.New()
		for k := 0; s.Turn() >= 0; k++ {
			active := map[string]bool{}
			for _, x := range set.Extract(s, s.Turn(), nil) {
				active[m.Name(x.Index)] = true
			}
			symbols := map[byte]byte{'X': "+-"[s.Turn()], 'O': "-+"[s.Turn()], '-': '.'}
			for _, shape := range set.(features.Shaper).Shapes() {
				name := shape.Name + "["
				for _, c := range shape.Cells {
					name += string(symbols[s.String()[c]])
				}
				if name += "]"; !active[name] {
					t.Fatalf("%s at %s: %s is not active", set.Name(), s, name)
				}
			}
			moves := s.Moves(nil)
			s.Play(moves[k%len(moves)])
		}
	}
}

// TestWipeOut checks that the term is 1 for a player to move who can flip the other player's last
// disc, and -1 from the other player's point of view.
func TestWipeOut(t *testing.T) {
	g := gametest.New(t, rules.New, "othello")
	set := newPatterns()
	const at = 3 * phases // index after the terms with phases
	if name := models.New(g.Name, set.Name(), set.Blocks()).Name(at); name != wipeOut {
		t.Fatalf("feature %d is %s", at, name)
	}
	for position, want := range map[string]float32{
		"XO-------------------------------------------------------------- X": 1,
		"XO-------------------------------------------------------------- O": 0,
		"-XO------------------------------------------------------------- O": 1,
		"XO------O------------------------------------------------------- X": 0,
	} {
		s := vectors.Must(g.Parse(position))
		for p, sign := range []float32{1, -1} {
			if s.Turn() == 1 {
				sign = -sign
			}
			got := float32(0)
			if s.Turn() != game.Nobody {
				for _, x := range set.Extract(s, game.Player(p), nil) {
					if x.Index == at {
						got = x.Value
					}
				}
			}
			if got != want*sign {
				t.Errorf("%s from the point of view of player %d: %v, want %v", position, p, got, want*sign)
			}
		}
	}
}
