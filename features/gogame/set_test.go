package gogame

import (
	"testing"

	"plyfit/features/featuretest"
	"plyfit/game"
	"plyfit/game/gametest"
	board "plyfit/game/gogame"
	"plyfit/internal/vectors"
	"plyfit/models"
)

func TestLaw(t *testing.T) {
	featuretest.Laws(t, board.New, Profile.Sets, "go:size=2", "go:size=3", "go:size=5")
	featuretest.Shipped(t, gametest.New(t, board.New, "go"), newClassic(), "handwritten/go.json")
}

// TestSymmetries checks that a board and its images have the same active weights, with the same
// counts.
func TestSymmetries(t *testing.T) {
	for _, n := range []int{2, 3, 5, 9} {
		g := gametest.New(t, board.New, "go:size="+string('0'+rune(n)))
		set := newShapes(n)
		seed := uint64(n)
		for range 20 {
			var counts []map[int32]float32
			s := g.New()
			var moves []game.Move
			for range n * n {
				legal := s.Moves(nil)
				seed = game.Mix(seed)
				if m := legal[seed%uint64(len(legal))]; m != board.Pass {
					moves = append(moves, m)
					s.Play(m)
				} else {
					break
				}
			}
			for _, cells := range game.Symmetries(n, n) {
				image := g.New()
				all := image.Moves(nil) // all points, row by row
				for _, m := range moves {
					at := -1
					for i, q := range all {
						if q == m {
							at = i
						}
					}
					image.Play(all[cells[at]])
				}
				count := map[int32]float32{}
				for _, x := range set.Extract(image, image.Turn(), nil) {
					count[x.Index] += x.Value
				}
				counts = append(counts, count)
			}
			for k, c := range counts[1:] {
				if len(c) != len(counts[0]) {
					t.Fatalf("%s: %d shapes, under symmetry %d %d", s, len(counts[0]), k+1, len(c))
				}
				for i, x := range c {
					if counts[0][i] != x {
						t.Fatalf("%s: weight %d counts %v times, under symmetry %d %v", s, i, counts[0][i], k+1, x)
					}
				}
			}
		}
	}
}

// TestShapesByName checks the names of the active weights on a board with one stone.
func TestShapesByName(t *testing.T) {
	g := gametest.New(t, board.New, "go:size=3")
	s := vectors.Must(g.Parse("3/3/3 X moves C2"))
	set := newShapes(3)
	m := models.New("go", set.Name(), set.Blocks())
	got := map[string]float32{}
	for _, x := range set.Extract(s, 1, nil) {
		got[m.Name(x.Index)] += x.Value
	}
	for name, want := range map[string]float32{
		"1x1[-]": 1, "1x1[.]": 8, "1x1@B1[-]": 1, "1x1@B1[.]": 3, "1x1@A1[.]": 4, "1x1@B2[.]": 1,
		"2x2[-...]": 2, "2x2[....]": 2, "stage[white,0/8]": 1, "pass[none]": 1,
		"3x3[.-.......]": 1, "3x3@A1[.-.......]": 1,
	} {
		if got[name] != want {
			t.Errorf("%s counts %v times, want %v; all: %v", name, got[name], want, got)
		}
	}
}

func TestClassicByHand(t *testing.T) {
	for _, c := range []struct {
		game, position string
		want           map[string]float64
	}{
		{"go:size=5", "5/5/5/5/5 X", map[string]float64{"tempo": 1, "komi": -7.5, "stones": 0, "area": 0}},
		{"go:size=5,komi=0.5", "5/5/2X2/5/5 X", map[string]float64{"stones": 1, "liberties": 4, "area": 24, "counted": 25, "komi": -0.5, "chains": 1}},
		{"go:size=5", "1X3/XX3/5/5/3OX X", map[string]float64{"stones": 3, "eyes": 1, "in-atari": 1, "two-liberties": -1, "chains": 1, "height": 1 - 0}},
		{"go:size=5", "5/5/2X2/5/5 O moves pass", map[string]float64{"passed": 1, "tempo": 1}},
	} {
		featuretest.ByHand(t, gametest.New(t, board.New, c.game), newClassic(), c.position, c.want)
	}
}
