package gogame

import (
	"math"
	"slices"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

// A solver searches for the score that black can guarantee, including superko. At the depth limit,
// it assumes that black fails, so its positive results are proofs.
type solver struct {
	s     *State
	nodes int
}

// search reports whether black gets at least the given number of points within depth plies,
// whatever white does.
func (v *solver) search(least float64, depth int) bool {
	v.nodes++
	s := v.s
	if s.Turn() == game.Nobody {
		return s.Score() >= least
	}
	if v.sure() >= least {
		return true
	}
	if depth == 0 {
		return false
	}
	moves := s.Moves(nil)
	slices.SortStableFunc(moves, func(a, b game.Move) int { return int(v.rank(b) - v.rank(a)) })
	for _, m := range moves {
		s.Play(m)
		won := v.search(least, depth-1)
		s.Undo()
		if won == (s.mover() == 0) {
			return won
		}
	}
	return s.mover() != 0
}

func (v *solver) rank(m game.Move) int32 { return v.s.Rank(m) }

// sure returns a score that black keeps even if black always passes. It counts chains with two
// vital regions of one point each, together with these regions (after Benson, "Life in the Game of
// Go", 1976, but only for regions of one point). All other points count for white.
func (v *solver) sure() float64 {
	s := v.s
	alive := map[uint16]bool{}
	for _, p := range s.points {
		if s.colour[p] == black {
			alive[s.chain[p]] = true
		}
	}
	var spaces []int32
	for again := true; again; {
		again = false
		spaces = spaces[:0]
		count := map[uint16]int{}
		for _, p := range s.points {
			if s.colour[p] != empty {
				continue
			}
			around := map[uint16]bool{}
			for _, q := range s.neighbours(int(p)) {
				if c := s.colour[q]; c == black && alive[s.chain[q]] {
					around[s.chain[q]] = true
				} else if c != border {
					around = nil
					break
				}
			}
			for r := range around {
				count[r]++
			}
			if around != nil {
				spaces = append(spaces, p)
			}
		}
		for r := range alive {
			if count[r] < 2 {
				delete(alive, r)
				again = true
			}
		}
	}
	n := len(spaces)
	for r := range alive {
		n += int(s.chains[r].stones)
	}
	return float64(2*n - len(s.points))
}

// TestSolved checks known results for Black, who moves first: 1 point on 2x2, where the search is
// complete, and all 9 points on 3x3 (van der Werf, van den Herik and Uiterwijk, "Solving Go on
// Small Boards", 2003).
func TestSolved(t *testing.T) {
	v := &solver{s: gametest.New(t, New, "go:size=2,score=points").New().(*State)}
	if !v.search(1, math.MaxInt) || v.search(2, math.MaxInt) {
		t.Error("2x2 is not worth 1 point to black")
	}
	t.Logf("2x2: %d nodes", v.nodes)
	v = &solver{s: gametest.New(t, New, "go:size=3,score=points").New().(*State)}
	if !v.search(9, 13) {
		t.Error("black does not get 9 points on 3x3 within 13 plies")
	}
}

// TestSGF checks the format of a complete game and of a game that begins with a given position.
func TestSGF(t *testing.T) {
	g := gametest.New(t, New, "go:size=5")
	for start, want := range map[string]string{
		"":                              `(;GM[1]FF[4]CA[UTF-8]AP[plyfit]SZ[5]KM[7.5]RE[W+8.5]RU[Tromp-Taylor]EV[a\]b]PB[first]PW[second\\];B[ae];W[be];B[];W[ee];B[];W[])`,
		"5/1O3/2X2/3O1/5 O moves C4 A4": `(;GM[1]FF[4]CA[UTF-8]AP[plyfit]SZ[5]KM[7.5]RE[W+7.5]RU[Tromp-Taylor]EV[a\]b]PB[first]PW[second\\]AB[cc]AW[dd][bb]PL[W];W[cb];B[ab];W[ae];B[be];W[];B[ee];W[];B[])`,
	} {
		s := g.New()
		if start != "" {
			s = vectors.Must(g.Parse(start))
		}
		tr := &game.Transcript{Event: "a]b", Names: []string{"first", "second\\"}, Start: start, End: game.Played}
		for _, name := range []string{"A1", "B1", "pass", "E1", "pass", "pass"} {
			m := vectors.Must(g.ParseMove(s, name))
			tr.Moves = append(tr.Moves, m)
			s.Play(m)
		}
		tr.Utility = []float64{s.Utility(0), s.Utility(1)}
		var b strings.Builder
		vectors.Check(sgf.New(&b, g)(tr))
		if got := strings.TrimSpace(b.String()); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	gametest.FuzzParse(f, gametest.New(f, New, "go:size=5"), false, nil, "5/1X3/X1XO1/1XO1O/3O1 X moves A1 pass", "5/5/5/5/5 O moves pass pass")
}
