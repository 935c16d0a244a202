package othello

import (
	"strconv"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

func make8(t testing.TB) *game.Game {
	t.Helper()
	return gametest.New(t, New, "othello")
}

// endgames are the positions of testdata/endgames200.obf.
func endgames(t testing.TB) (out []string) {
	for _, line := range vectors.Lines(t, "testdata/endgames200.obf") {
		position, _, _ := strings.Cut(line, ";")
		out = append(out, position)
	}
	return out
}

func TestLaw(t *testing.T) {
	positions := append(endgames(t),
		strings.Repeat("-", 64)+" -",
		strings.Repeat("X", 64)+" O",
		strings.Repeat("X", 62)+"O- O",
		"--------"+strings.Repeat("XO------", 7)+" X",
	)
	gametest.Law(t, make8(t), gametest.Options{Positions: positions, Playouts: 1000})
}

func TestOptions(t *testing.T) { gametest.Refuse(t, New, "othello:size=6") }

func TestPerft(t *testing.T) {
	deepest := 9
	if testing.Short() {
		deepest = 7
	}
	if vectors.Long() {
		deepest = 11
	}
	for _, line := range vectors.Lines(t, "testdata/perft.txt") {
		f := strings.Fields(line)
		depth, _ := strconv.Atoi(f[0])
		if depth > deepest || f[3] == "-" {
			continue
		}
		want, err := strconv.ParseInt(f[3], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		s := make8(t).New()
		if got := game.Perft(s, depth, nil); got != want {
			t.Errorf("depth %d: %d paths, want %d", depth, got, want)
		}
	}
}

func onBoard(row, column int) bool { return uint(row) < 8 && uint(column) < 8 }

// slowFlips walks the eight directions square by square.
func slowFlips(sq uint, own, opp uint64) (flips uint64) {
	for _, d := range [8][2]int{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}} {
		var line uint64
		for r, c := int(sq)/8+d[0], int(sq)%8+d[1]; onBoard(r, c); r, c = r+d[0], c+d[1] {
			bit := uint64(1) << (8*r + c)
			if own&bit != 0 {
				flips |= line
			}
			if opp&bit == 0 {
				break
			}
			line |= bit
		}
	}
	return flips
}

func TestFlipsAndMobility(t *testing.T) {
	seed := uint64(1)
	next := func() uint64 { seed++; return game.Mix(seed) }
	for range 20000 {
		own := next()
		opp := next() &^ own
		if seed%3 == 0 { // few discs of own's, long runs
			opp |= own
			own &= next()
			own &= next()
			opp &^= own
		}
		if seed%2 == 0 {
			empty := next()
			empty &= next()
			own, opp = own&^empty, opp&^empty
		}
		moves := Mobility(own, opp)
		for sq := range uint(64) {
			bit := uint64(1) << sq
			if (own|opp)&bit != 0 {
				continue
			}
			want := slowFlips(sq, own, opp)
			if got := Flips(sq, own, opp); got != want {
				t.Fatalf("square %d of %x, %x: flips %x, want %x", sq, own, opp, got, want)
			}
			if can := moves&bit != 0; can != (want != 0) {
				t.Fatalf("square %d of %x, %x: mobility %v, want %v", sq, own, opp, can, want != 0)
			}
		}
	}
}

// TestStable plays on from positions of many discs and sees that no stable disc
// is ever turned, and that stable discs stay so.
func TestStable(t *testing.T) {
	rng := uint64(7)
	found := 0
	for _, text := range endgames(t) {
		s, err := ParsePosition(text)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			s := s.Clone().(*State)
			var before [2]uint64
			for s.Turn() != game.Nobody {
				x, o := s.Discs()
				now := [2]uint64{Stable(x, o), Stable(o, x)}
				if before[0]&^now[0] != 0 || before[1]&^now[1] != 0 {
					t.Fatalf("%s: stable %x, %x before", s, before[0], before[1])
				}
				before = now
				found += popcount(now[0] | now[1])
				moves := s.Moves(nil)
				rng = game.Mix(rng)
				s.Play(moves[rng%uint64(len(moves))])
			}
			x, o := s.Discs()
			if before[0]&^x != 0 || before[1]&^o != 0 {
				t.Fatalf("%s: a stable disc was turned", s)
			}
		}
	}
	if found == 0 {
		t.Error("no stable disc was found")
	}
	if got := Stable(^uint64(0), 0); got != ^uint64(0) {
		t.Errorf("of a full board %x is stable", got)
	}
	if got := Stable(3|1<<8, 0); got != 3|1<<8 {
		t.Errorf("of a1, b1, a2 %x is stable", got)
	}
}
