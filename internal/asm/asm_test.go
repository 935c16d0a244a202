package asm

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSums checks that dot products and tiles equal those of the Go versions.
func TestSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const stride, rows = 24, 57
	block := make([]float64, stride*rows)
	for i := range block {
		block[i] = rng.NormFloat64()
	}
	for n := 0; n <= 160; n += Lanes {
		if got, want := DotLanes(block[:n], block[n:2*n]), dotLanesGo(block[:n], block[n:2*n]); got != want {
			t.Errorf("%d numbers: %.17g, the twin in Go says %.17g", n, got, want)
		}
	}
	for i := 0; i < stride; i += TileRows {
		for j := 0; j < stride; j += TileCols {
			var a, b [TileRows * TileCols]float64
			Tile(&a, block, stride, rows, i, j)
			tileGo(&b, block, stride, rows, i, j)
			if a != b {
				t.Fatalf("tile %d %d: %v and %v", i, j, a, b)
			}
		}
	}
}

// TestPlaces checks sums and both kinds of changes against the Go versions, with repeated indices.
// An index out of range must cause a panic, but only after the changes at earlier indices.
func TestPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	draw := func(n int) (table []float32, changes []Changes) {
		for range n {
			table = append(table, float32(rng.NormFloat64()))
			c := Changes{float32(rng.NormFloat64()), 3}
			if rng.IntN(3) == 0 {
				c = Changes{}
			}
			changes = append(changes, c)
		}
		return table, changes
	}
	for n := range 40 {
		table, changes := draw(20)
		at := make([]int32, n)
		for i := range at {
			at[i] = rng.Int32N(20)
		}
		var got, want [3]float32
		SumsAt(table, at, n/3, got[:])
		if sumsAtGo(table, at, n/3, want[:]); got != want {
			t.Errorf("%d places: sums %v, the twin in Go says %v", n/3, got, want)
		}
		twin, twins := slices.Clone(table), slices.Clone(changes)
		got = [3]float32{AddAt(table, at, 0.3, n%3 > 0), AddCoherent(table, changes, at, 0.3, -0.7, 0.7, n%5 > 0)}
		first, _ := addAtGo(twin, at, 0.3, n%3 > 0)
		second, _ := addCoherentGo(twin, twins, at, 0.3, -0.7, 0.7, n%5 > 0)
		if want = [3]float32{first, second}; got != want || !slices.Equal(table, twin) || !slices.Equal(changes, twins) {
			t.Errorf("%d places: moved to %v %v, sums %v; the twin in Go says %v %v, %v", n, table, changes, got, twin, twins, want)
		}
	}
	for bad := range 16 {
		for _, outside := range []int32{-1, 20, math.MinInt32, math.MaxInt32} {
			at := []int32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
			if at = at[:7+9*(bad/7%2)]; bad >= len(at) {
				continue
			}
			at[bad] = outside
			table, changes := make([]float32, 20), make([]Changes, 20)
			for name, kernel := range map[string]func(){
				"SumsAt":      func() { SumsAt(table, at, len(at), make([]float32, 1)) },
				"AddAt":       func() { AddAt(table, at, 1, true) },
				"AddCoherent": func() { AddCoherent(table, changes, at, 1, 1, 1, true) },
			} {
				if !panics(kernel) {
					t.Errorf("%s: place %d of %v does not panic", name, bad, at)
				}
			}
			for i, x := range table {
				want := float32(0)
				if i >= 1 && i <= bad {
					want = 2
				}
				if x != want {
					t.Errorf("place %d of %v: weight %d is %v, want %v", bad, at, i, x, want)
				}
			}
		}
	}
}

// TestTuples checks for arbitrary boards that the indices equal those of the Go version, and that a
// slice that is too short causes a panic.
func TestTuples(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	for cells := 4; cells <= 6; cells++ {
		tuples := NewTuples(cells)
		for i := range 1000 {
			boards := []uint64{rng.Uint64(), rng.Uint64(), rng.Uint64(), rng.Uint64()}[:i%5]
			var got, want [4 * 32]int32
			tuples.Places(boards, got[:])
			for k, b := range boards {
				tuplePlacesGo(tuples, b, (*[32]int32)(want[32*k:]))
			}
			if got != want {
				t.Fatalf("%d cells, boards %016x: %v, the twin in Go says %v", cells, boards, got, want)
			}
		}
	}
	if !panics(func() { NewTuples(4).Places(make([]uint64, 2), make([]int32, 63)) }) {
		t.Error("room for too few places does not panic")
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// TestPlaceDiscs compares the moves with those of the Go version, and the discs flipped by the Go
// version with a walk along the eight rays.
func TestPlaceDiscs(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var got, want [64]Placed
	seen := 0
	for range 20000 {
		own, opp := rng.Uint64(), rng.Uint64()
		switch rng.IntN(3) {
		case 0: // few empty squares
			own, opp = own|opp&rng.Uint64(), ^own
		case 1: // few discs of own
			opp |= rng.Uint64()
			own &= rng.Uint64()
		}
		opp &^= own
		empty := ^(own | opp)
		if rng.IntN(2) == 0 {
			empty &= rng.Uint64()
		}
		n, m := PlaceDiscs(got[:], own, opp, empty), placeDiscsGo(want[:], own, opp, empty)
		if n != m || got != want {
			t.Fatalf("own %#x, opp %#x, squares %#x: %d moves %v, the twin in Go says %d, %v", own, opp, empty, n, got[:n], m, want[:m])
		}
		seen += n
		for _, p := range got[:n] {
			if flips := opp &^ p.Own; flips != walk(own, opp, bits.TrailingZeros64(p.Square)) || p.Opp != own|flips|p.Square {
				t.Fatalf("own %#x, opp %#x, square %#x: turned %#x", own, opp, p.Square, flips)
			}
			for sq := range 64 {
				bit := uint64(1) << sq
				if legal := (p.Own|p.Opp)&bit == 0 && walk(p.Own, p.Opp, sq) != 0; legal != (p.Replies&bit != 0) {
					t.Fatalf("own %#x, opp %#x: reply on square %d: %v, want %v", p.Own, p.Opp, sq, !legal, legal)
				}
			}
		}
	}
	if seen < 20000 {
		t.Errorf("%d moves, want more", seen)
	}
}

// walk computes, ray by ray, which discs are flipped if own places a disc on a square.
func walk(own, opp uint64, sq int) (flips uint64) {
	for dr := -1; dr <= 1; dr++ {
		for dc := -1; dc <= 1; dc++ {
			ray := uint64(0)
			for r, c := sq/8+dr, sq%8+dc; dr|dc != 0 && 0 <= r && r < 8 && 0 <= c && c < 8; r, c = r+dr, c+dc {
				bit := uint64(1) << (8*r + c)
				if own&bit != 0 {
					flips |= ray
				}
				if opp&bit == 0 {
					break
				}
				ray |= bit
			}
		}
	}
	return flips
}

// TestLastMoves checks that the values after new tiles equal those of the Go version, for lines
// that need not form a board.
func TestLastMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	var moves [1 << 16]uint64
	var worths [2 << 16]float64
	for i := range moves {
		moves[i] = rng.Uint64() >> 12
		if i%3 == 0 { // a move without effect
			moves[i] = uint64(i) | uint64(i)<<16 | moves[i]&^0xffffffff
		}
	}
	for i := range worths {
		worths[i] = 1000 * rng.NormFloat64()
	}
	for n := range 2000 {
		var lines [8]Line
		for i := range lines {
			l := &lines[i]
			l.Cells = rng.Uint64() & rng.Uint64() & 0xffff
			l.Gain = float64(rng.IntN(1 << 16))
			for k := range l.Across {
				l.Across[k] = rng.Uint64() &^ (0x000f000f000f000f << (4 * (i & 3)))
				l.Worth[k] = 1000 * rng.NormFloat64()
				l.Still[k] = -(rng.Uint64() & 1)
			}
		}
		empty := rng.Uint64() & rng.Uint64() & 0x1111111111111111
		base, extra, most := 1000*rng.NormFloat64(), float64(n%3-1), float64(rng.IntN(1<<18))
		twos, fours, legal := LastMoves(&moves, &worths, &lines, empty, base, extra, most)
		a, b, k := lastMovesGo(&moves, &worths, &lines, empty, base, extra, most)
		if twos != a || fours != b || legal != k {
			t.Fatalf("%v %v %d, the twin in Go says %v %v %d", twos, fours, legal, a, b, k)
		}
	}
}

// BenchmarkPlaces compares the kernels with their Go versions on 32 indices of a table in the
// cache.
func BenchmarkPlaces(b *testing.B) {
	table, changes, at, sums := make([]float32, 1<<12), make([]Changes, 1<<12), make([]int32, 32), make([]float32, 4)
	for i := range at {
		at[i] = int32(i * 97)
	}
	for name, run := range map[string]func(){
		"SumsAt/kernel": func() { SumsAt(table, at, 8, sums) }, "SumsAt/Go": func() { sumsAtGo(table, at, 8, sums) },
		"AddAt/kernel": func() { AddAt(table, at, 1, true) }, "AddAt/Go": func() { addAtGo(table, at, 1, true) },
		"AddCoherent/kernel": func() { AddCoherent(table, changes, at, 1, 1, 1, true) }, "AddCoherent/Go": func() { addCoherentGo(table, changes, at, 1, 1, 1, true) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				run()
			}
		})
	}
}
