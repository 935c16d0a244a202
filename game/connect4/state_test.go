package connect4

import (
	"math"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

func TestLaw(t *testing.T) {
	for _, text := range []string{
		"connect4", "connect4:score=distance", "connect4:dice=on", "connect4:score=distance,dice=on",
		"connect4:columns=5,rows=4", "connect4:columns=4,rows=15,score=distance", "connect4:columns=12,rows=4,dice=on",
		"connect4:columns=9,rows=5", "connect4:columns=8,rows=7,score=distance",
	} {
		t.Run(text, func(t *testing.T) {
			gametest.Law(t, gametest.New(t, New, text))
		})
	}
}

func TestPerft(t *testing.T) {
	s := gametest.New(t, New, "connect4").New()
	for d, want := range []int64{7, 49, 343, 2401, 16807, 117649, 823536, 5673234} {
		if got := game.Perft(s, d+1, nil); got != want {
			t.Errorf("perft %d is %d, want %d", d+1, got, want)
		}
	}
}

func TestBadOptions(t *testing.T) {
	gametest.Refuse(t, New,
		"connect4:columns=3", "connect4:columns=9,rows=7", "connect4:rows=16", "connect4:score=length",
		"connect4:dice=yes", "connect4:colums=7",
	)
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		game, text string
		at         int
	}{
		{"connect4", "", 0},
		{"connect4", "8", 0},
		{"connect4", "9", 0},
		{"connect4", "44 ", 2},
		{"connect4", "44x", 2},
		{"connect4", "4444444", 6},
		{"connect4", "12121214", 7},
		{"connect4", "44 roll", 2},
		{"connect4", "start start", 5},
		{"connect4:dice=on", "44", 2},
		{"connect4:dice=on", "44 die 8", 7},
		{"connect4:dice=on", "44 die 0", 2},
		{"connect4:dice=on", "44 die", 2},
		{"connect4:dice=on", "44 die 1 ", 2},
		{"connect4:dice=on", "1212121 roll", 7},
		{"connect4:columns=5,rows=4", "6", 0},
	} {
		gametest.Fault(t, gametest.New(t, New, c.game), c.text, c.at, "")
	}
}

// TestDistinctPositions checks that positions reached by different orders of moves are equal, and
// that different positions have different hashes.
func TestDistinctPositions(t *testing.T) {
	s := gametest.New(t, New, "connect4").New()
	seen := map[uint64]bool{}
	for depth, want := range []int{1, 7, 49, 238, 1120, 4263, 16422, 54859} {
		clear(seen)
		won := 0
		var walk func(left int)
		walk = func(left int) {
			if left == 0 {
				if !seen[s.Hash()] && s.Turn() == game.Nobody {
					won++
				}
				seen[s.Hash()] = true
				return
			}
			for _, m := range s.Moves(nil) {
				s.Play(m)
				walk(left - 1)
				s.Undo()
			}
		}
		walk(depth)
		if len(seen) != want || depth == 7 && won != 728 {
			t.Errorf("%d distinct positions of %d stones, %d won; want %d", len(seen), depth, won, want)
		}
	}
	// The hash must distribute positions like random numbers. If it does, the chi-square statistic
	// for each tested group of 12 bits has mean 4095 and standard deviation 90.
	for shift := 0; shift <= 52; shift += 13 {
		var buckets [4096]float64
		for h := range seen {
			buckets[h>>shift&4095]++
		}
		chi, mean := 0.0, float64(len(seen))/4096
		for _, n := range buckets {
			chi += (n - mean) * (n - mean) / mean
		}
		if math.Abs(chi-4095) > 6*90 {
			t.Errorf("bits %d to %d of the hash: chi-square %.0f, want about 4095", shift, shift+11, chi)
		}
	}
}

func TestDie(t *testing.T) {
	g := gametest.New(t, New, "connect4:dice=on")
	for _, c := range []struct{ position, moves string }{
		{"start die 4", "1 2 3 5 6 7"},
		{"111111 die 1", "2 3 4 5 6 7"},
		{"111111 die 2", "3 4 5 6 7"},
		{"start roll", "d1 d2 d3 d4 d5 d6 d7"},
	} {
		s := vectors.Must(g.Parse(c.position))
		var names []string
		for _, m := range s.Moves(nil) {
			names = append(names, s.MoveString(m))
		}
		if got := strings.Join(names, " "); got != c.moves {
			t.Errorf("%s: moves %s, want %s", c.position, got, c.moves)
		}
	}
	// If the die shows the last open column, nothing is forbidden.
	last := 0
	for s := range gametest.Games(g, 2000, 5) {
		s := s.(*Dice)
		moves := s.Moves(nil)
		if open := (*State).Moves(&s.State, nil); s.Turn() >= 0 && len(open) == 1 {
			last++
			if len(moves) != 1 || moves[0] != open[0] {
				t.Errorf("%v: moves %v, open %v", s, moves, open)
			}
		}
	}
	if last < 10 {
		t.Errorf("%d positions with one open column, want 10", last)
	}
	// A face without effect, a face that forbids a column, and the state before the roll must have
	// different hashes.
	a, b, c := vectors.Must(g.Parse("111111 die 1")).Hash(), vectors.Must(g.Parse("111111 die 2")).Hash(), vectors.Must(g.Parse("111111 roll")).Hash()
	if a == b || b == c || a == c {
		t.Errorf("hashes %x %x %x", a, b, c)
	}
}

func TestRank(t *testing.T) {
	for position, best := range map[string]string{
		"445566":  "7",  // wins, as does 3, which ranks the same
		"11223":   "4",  // blocks a win
		"start":   "4",  // centre
		"1122":    "34", // both make three in a row
		"4455":    "36",
		"12121":   "1", // blocks the column
		"1212127": "2", // wins instead of blocking
	} {
		s := vectors.Must(gametest.New(t, New, "connect4").Parse(position))
		r := s.(game.Ranker)
		top, name := int32(math.MinInt32), ""
		for _, m := range s.Moves(nil) {
			if rank := r.Rank(m); rank >= top {
				top, name = rank, s.MoveString(m)
			}
		}
		if !strings.Contains(best, name) {
			t.Errorf("%s: %s ranks highest, want one of %s", position, name, best)
		}
	}
}

func FuzzParse(f *testing.F) {
	gametest.FuzzParse(f, gametest.New(f, New, "connect4:dice=on"), true, nil, "445 die 3", "445 roll", "1212121", "start")
}
