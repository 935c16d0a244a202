package g2048

import (
	"strconv"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

func TestLaw(t *testing.T) {
	gametest.Law(t, gametest.New(t, New, "2048"), gametest.Options{Positions: []string{
		"ffe1/2345/6789/abcd player 100", "0fff/2345/6789/abcd chance 5", "edcb/6789/5432/0011 player 4000",
	}})
	gametest.Law(t, gametest.New(t, New, "2048:size=3"))
	gametest.Law(t, gametest.New(t, New, "2048:size=2"), gametest.Options{Positions: []string{"ff/ff player 3", "ee/fe player 9", "54/31 chance 8"}[:2]})
}

// cellOf returns the shift of the j-th cell in line i, counted from the side towards which the
// tiles move.
func cellOf(move game.Move, i, j int) int {
	r, c := i, j
	switch move {
	case moveRight:
		c = 3 - j
	case moveUp:
		r, c = j, i
	case moveDown:
		r, c = 3-j, i
	}
	return 16*r + 4*c
}

// TestRowsInAllDirections moves boards that consist of four rows from the list in all four
// directions. It skips boards in which two tiles of the highest exponent merge.
func TestRowsInAllDirections(t *testing.T) {
	var want, gain [1 << 16]int
	rows := vectors.Lines(t, "testdata/rows_left.txt")
	for _, line := range rows {
		fields := strings.Fields(line)
		row, moved := 0, 0
		for j := range 4 {
			e, _ := strconv.ParseUint(fields[0][j:j+1], 16, 8)
			to := vectors.Must(strconv.Atoi(fields[1+j]))
			row |= int(e) << (4 * j)
			moved |= to << (5 * j) // may be exponent 16
		}
		want[row] = moved
		gain[row] = vectors.Must(strconv.Atoi(fields[5]))
	}
	if len(rows) != 1<<16 {
		t.Fatalf("%d rows", len(rows))
	}
	g := gametest.New(t, New, "2048")
	skipped := 0
	for row := range 1 << 16 {
		others := [4]int{row, row * 7 & 0xffff, row*31 + 5&0xffff, (row ^ 0x5a5a)}
		beyond := false
		for _, r := range others {
			beyond = beyond || highestMerge(want[r&0xffff])
		}
		if highestMerge(want[row]) {
			skipped++
		}
		if beyond {
			continue
		}
		for move := moveLeft; move <= moveDown; move++ {
			s := g.New().(*State)
			s.at().turn = 0
			for i, r := range others {
				for j := range 4 { // place row r as line i of this move
					s.at().board |= uint64(r>>(4*j)&15) << cellOf(move, i, j)
				}
			}
			if s.at().board == 0 {
				continue
			}
			before, total := s.at().board, 0
			s.Play(move)
			for i, r := range others {
				r &= 0xffff
				total += gain[r]
				for j := range 4 {
					if int(s.at().board>>cellOf(move, i, j)&15) != want[r]>>(5*j)&31 {
						t.Fatalf("board %x, move %d: line %d of %x", before, move, i, s.at().board)
					}
				}
			}
			if int(s.at().score) != total {
				t.Fatalf("board %x, move %d: score %d, want %d", before, move, s.at().score, total)
			}
		}
	}
	if skipped != 767 {
		t.Errorf("%d rows merge two tiles of the highest exponent, want 767", skipped)
	}
}

func highestMerge(moved int) bool {
	for ; moved != 0; moved >>= 5 {
		if moved&31 > maxExponent {
			return true
		}
	}
	return false
}

func TestHighestTilesDoNotMerge(t *testing.T) {
	s := vectors.Must(gametest.New(t, New, "2048:size=2").Parse("ff/ff player 0"))
	if s.Turn() != game.Nobody {
		t.Errorf("turn %d, moves %v", s.Turn(), s.Moves(nil))
	}
	if moved, gain := slide(0xffff); moved != 0xffff || gain != 0 {
		t.Errorf("%x, %d", moved, gain)
	}
}

func TestStart(t *testing.T) {
	s := gametest.New(t, New, "2048").New()
	for tile := range 2 {
		if s.Turn() != game.Chance || len(s.Moves(nil)) != 2*(16-tile) {
			t.Fatalf("%v: turn %d, %d moves", s, s.Turn(), len(s.Moves(nil)))
		}
		s.Play(s.Moves(nil)[5])
	}
	if s.Turn() != 0 || s.String() != "0120/0000/0000/0000 player 0" && s.String() != "0022/0000/0000/0000 player 0" {
		t.Errorf("%v", s)
	}
	if n := game.Perft(gametest.New(t, New, "2048:size=2").New(), 2, nil); n != 8*6 {
		t.Errorf("%d ways to place two tiles, want 48", n)
	}
}

// TestBoundsAgainstTheTruth finds the highest score on a 2x2 board by searching all games. In every
// position, the bound must be at least the number of points that can still be gained. The initial
// bound may exceed the highest score by at most 60%.
func TestBoundsAgainstTheTruth(t *testing.T) {
	s := gametest.New(t, New, "2048:size=2").New().(*State)
	best := map[uint64]float64{}
	var highest func() float64
	highest = func() float64 {
		if s.at().turn == game.Nobody {
			return 0
		}
		key := s.at().board<<8 | uint64(uint8(s.at().turn))&1
		if v, ok := best[key]; ok {
			return v
		}
		v := 0.0
		before := s.at().score
		for _, m := range s.Moves(nil) {
			s.Play(m)
			v = max(v, float64(s.at().score-before)+highest())
			s.Undo()
		}
		if _, hi := s.Bounds(0); hi < float64(s.at().score)+v {
			t.Errorf("%v: bound %v, but %v more can be gained", s, hi, v)
		}
		best[key] = v
		return v
	}
	truth := highest()
	if _, hi := s.Bounds(0); truth <= 0 || hi < truth || hi > 1.6*truth {
		t.Errorf("%v can be gained at most, bound %v", truth, hi)
	}
	if t.Logf("2x2: %v at most", truth); len(best) < 100 {
		t.Errorf("only %d positions", len(best))
	}
}

func TestFaults(t *testing.T) {
	for text, at := range map[string]int{
		"":                              0,
		"0012/0000/0100/0000":           19,
		"0012/0000/0100/0000 player":    26,
		"0012/0000/0100/0000 player -1": 27,
		"0012/0000/0100/0000 player 9":  27,
		"0012/0000/0100/0000 player 04": 27,
		"0012/0000/0100/0000 nature 0":  20,
		"0012/000/0100/0000 player 0":   8,
		"001G/0000/0100/0000 player 0":  3,
		"00120/000/0100/0000 player 0":  4,
		"0000/0000/0000/0000 player 0":  20,
		"1212/2121/1212/2121 chance 0":  20,
		"0012/0000/0100/0000 player 0 ": 28,
	} {
		gametest.Fault(t, gametest.New(t, New, "2048"), text, at, "")
	}
	gametest.Refuse(t, New, "2048:size=1", "2048:size=5", "2048:width=3")
}

func FuzzParse(f *testing.F) {
	gametest.FuzzParse(f, gametest.New(f, New, "2048"), true, nil, "0012/0000/0100/0000 player 0", "edcb/6789/5432/0011 chance 40000")
}
