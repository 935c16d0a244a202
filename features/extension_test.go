package features

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/models"
)

// dense returns x as a vector of n numbers.
func dense(x models.Vector, n int) []float64 {
	out := make([]float64, n)
	for _, t := range x {
		out[t.Index] += float64(t.Value)
	}
	return out
}

func names(set Set) (all []string) {
	for _, b := range set.Blocks() {
		for i := range b.Len {
			all = append(all, b.FeatureName(i))
		}
	}
	return all
}

func TestExtensions(t *testing.T) {
	inner := duelSet{table: true}
	own := func(s game.State, p game.Player) float64 { return float64(s.(*duel).points[p]) }
	squared := With("duel/squares", inner, Feature{"own*own", func(s game.State, p game.Player) float64 { return own(s, p) * own(s, p) }})
	set := With("duel/more", squared, Feature{"odd", func(s game.State, p game.Player) float64 { return float64(s.(*duel).points[p] % 2) }})
	all := names(set)
	if set.Name() != "duel/more" || len(all) != 7+1+1+85 || all[7] != "own*own" || all[8] != "odd" || all[9] != "table[0]" {
		t.Fatalf("names %q", all)
	}
	models.New("duel", set.Name(), set.Blocks()) // panics if a table is not last
	g := duelGame(3)
	n := 0
	for s := range gametest.Games(g, 20, 7) {
		d := s.(*duel)
		for p := range game.Player(3) {
			n++
			prefix := models.Vector{{Index: 99, Value: 1}}
			x := set.Extract(s, p, prefix)
			if x[0] != prefix[0] {
				t.Fatal("what stood in the buffer was changed")
			}
			got := dense(x[1:], len(all))
			want := dense(inner.Extract(s, p, nil), 92)
			want = slices.Insert(want, 7, own(d, p)*own(d, p), float64(d.points[p]%2))
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %v, want %v", s, got, want)
			}
		}
	}
	if n < 1000 {
		t.Fatalf("only %d positions", n)
	}
}

// TestPhases checks that a phased term is linear between its points, and that equal weights have
// the same effect as a single weight.
func TestPhases(t *testing.T) {
	for n := 1; n <= 5; n++ {
		if b := Phased("mobility", n); b.Len != n || b.FeatureName(n-1) != fmt.Sprintf("mobility@%d", n-1) {
			t.Errorf("block %+v", b)
		}
		weights := []float64{3, -1, 4, 1, -5}[:n]
		at := func(phase float64) float64 {
			sum, shares := 0.0, 0.0
			for _, term := range PhaseAt(phase, n).Append(nil, 0, 2) {
				sum += weights[term.Index] * float64(term.Value)
				shares += float64(term.Value)
			}
			if math.Abs(shares-2) > 1e-6 {
				t.Fatalf("%d points, phase %v: shares add up to %v", n, phase, shares/2)
			}
			return sum / 2
		}
		for k := range n {
			if n == 1 {
				continue
			}
			if got := at(float64(k) / float64(n-1)); math.Abs(got-weights[k]) > 1e-5 {
				t.Errorf("%d points: %v at point %d, want %v", n, got, k, weights[k])
			}
			if k > 0 {
				if got, want := at((float64(k)-.5)/float64(n-1)), (weights[k]+weights[k-1])/2; math.Abs(got-want) > 1e-5 {
					t.Errorf("%d points: %v between %d and %d, want %v", n, got, k-1, k, want)
				}
			}
		}
		if at(-3) != at(0) || at(7) != at(1) {
			t.Errorf("%d points: the phase runs on beyond its ends", n)
		}
	}
}

// TestOrbitsOfPairs checks that the adjacent pairs of squares on an 8x8 board fall into 32 classes
// under the symmetries of the board. This explains the 288 weights of all straight 2-tuples
// (Jaskowski 2014).
func TestOrbitsOfPairs(t *testing.T) {
	symmetries := game.Symmetries(8, 8)
	classes, covered := 0, map[[2]int]bool{}
	for a := range 64 {
		for _, step := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
			r, c := a/8+step[0], a%8+step[1]
			if r > 7 || c < 0 || c > 7 || covered[[2]int{a, r*8 + c}] {
				continue
			}
			classes++
			for _, o := range Orbit([]int{a, r*8 + c}, symmetries) {
				covered[[2]int{o[0], o[1]}], covered[[2]int{o[1], o[0]}] = true, true
			}
		}
	}
	if classes != 32 || len(covered) != 2*210 {
		t.Errorf("%d classes over %d ordered pairs, want 32 over 420", classes, len(covered))
	}
}

func TestPatterns(t *testing.T) {
	symmetries := game.Symmetries(4, 4)
	patterns := []Pattern{
		{Name: "edge", Cells: Orbit([]int{0, 1, 2, 3}, symmetries), Base: 3, Symbols: "-XO"},
		{Name: "corner", Cells: Orbit([]int{0, 1, 4, 5, 8}, symmetries), Base: 3, Table: true},
	}
	set := NewPatterns(10, 16, patterns...)
	if got := set.Blocks()[0].FeatureName(1*27 + 2*9 + 0*3 + 1); got != "edge[XO-X]" {
		t.Errorf("a weight named %q", got)
	}
	if got := set.Blocks()[1].FeatureName(5); got != "corner[00012]" {
		t.Errorf("a weight named %q", got)
	}
	// The edge has eight placements in two directions, and the corner has eight placements.
	if set.Placements() != 8+8 {
		t.Fatalf("%d placements, want 16", set.Placements())
	}
	rng := rand.New(rand.NewPCG(1, 2))
	board := make([]uint8, 16)
	indices := set.Indices(board, nil)
	for range 1000 {
		c, to := rng.IntN(16), uint8(rng.IntN(3))
		set.Change(indices, c, board[c], to)
		board[c] = to
		afresh := set.Indices(board, nil)
		if !slices.Equal(indices, afresh) {
			t.Fatalf("changed cell by cell %v, afresh %v", indices, afresh)
		}
		for i, term := range set.Extract(board, nil) {
			if term.Index != afresh[i] || term.Value != 1 {
				t.Fatalf("extracted %v, want feature %d", term, afresh[i])
			}
		}
		edge := int32(10)
		for k, power := range []int32{27, 9, 3, 1} {
			edge += power * int32(board[k])
		}
		if indices[0] != edge {
			t.Fatalf("the first edge is feature %d, want %d", indices[0], edge)
		}
		// A mirrored board has the same features in a different order.
		image := make([]uint8, 16)
		s := symmetries[rng.IntN(8)]
		for c, v := range board {
			image[s[c]] = v
		}
		mirrored := set.Indices(image, nil)
		slices.Sort(mirrored)
		slices.Sort(afresh)
		if !slices.Equal(mirrored, afresh) {
			t.Fatal("a symmetric board has other features")
		}
	}
}
