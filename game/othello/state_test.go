package othello

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

// endgames returns the positions of testdata/endgames200.obf.
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
	gametest.Law(t, gametest.New(t, New, "othello"), gametest.Options{Positions: positions, Playouts: 1000})
	gametest.Law(t, gametest.New(t, New, "othello:score=win"), gametest.Options{Positions: positions, Playouts: 200})
}

func TestOptions(t *testing.T) {
	gametest.Refuse(t, New, "othello:size=6", "othello:score=wins")
	if g := gametest.New(t, New, "othello:score=discs"); g.Spec != "othello" {
		t.Errorf("the default, asked for by name, is %s", g.Spec)
	}
}

// TestScoreWin compares games with score=win and score=discs. Utilities, bounds and exact results
// with score=win must be the signs of the values with score=discs.
func TestScoreWin(t *testing.T) {
	discs, win := gametest.New(t, New, "othello"), gametest.New(t, New, "othello:score=win")
	sign := func(x float64) float64 { return max(-1, min(1, x)) }
	rng := uint64(5)
	draws, solvings, bounds := 0, 0, 0
	for range 300 {
		a, b := discs.New(), win.New()
		for a.Turn() != game.Nobody {
			moves := a.Moves(nil)
			rng++
			m := moves[game.Mix(rng)%uint64(len(moves))]
			a.Play(m)
			b.Play(m)
			if rng%7 == 0 {
				b = b.Clone()
			}
			if rng%11 == 0 {
				b = vectors.Must(win.Parse(b.String()))
			}
			lo, hi := Of(a).Bounds(0)
			l, h := Of(b).Bounds(0)
			if l != sign(lo) || h != sign(hi) {
				t.Fatalf("%s: bounds %v %v, by discs %v %v", a, l, h, lo, hi)
			}
			if l == h {
				bounds++
			}
			if n := Of(a).Empties(); n > 6 {
				continue
			}
			exact, _, _ := Of(a).Solve(1, 60, -64, 64)
			for _, w := range [][2]float64{{-1, 1}, {math.Inf(-1), math.Inf(1)}, {-1, 0}, {0, 1}, {-0.5, 0.5}} {
				v, _, ok := Of(b).Solve(1, 60, w[0], w[1])
				if want := sign(exact); !ok || v != want && !(v <= w[0] && want <= w[0]) && !(v >= w[1] && want >= w[1]) {
					t.Fatalf("%s: %v in the window %v, by discs %v", a, v, w, exact)
				}
				solvings++
			}
		}
		if u := a.Utility(0); b.Utility(0) != sign(u) || b.Utility(1) != -sign(u) {
			t.Fatalf("%s: %v, by discs %v", a, b.Utility(0), u)
		} else if u == 0 {
			draws++
		}
		if first, _ := Of(b).Past(); !first.wins {
			t.Fatal("the first position of the past counts discs")
		}
	}
	if draws == 0 || solvings == 0 || bounds == 0 {
		t.Fatalf("%d draws, %d positions solved, %d decided: want some of each", draws, solvings, bounds)
	}
}

func TestPerft(t *testing.T) {
	deepest := 9
	if vectors.Long() {
		deepest = 11
	}
	for _, line := range vectors.Lines(t, "testdata/perft.txt") {
		f := strings.Fields(line)
		depth, _ := strconv.Atoi(f[0])
		if depth > deepest || f[3] == "-" {
			continue
		}
		want := vectors.Must(strconv.ParseInt(f[3], 10, 64))
		s := gametest.New(t, New, "othello").New()
		if got := game.Perft(s, depth, nil); got != want {
			t.Errorf("depth %d: %d paths, want %d", depth, got, want)
		}
	}
}

// TestStable plays random games from late positions. It checks that no stable disc is ever flipped,
// and that stable discs remain in the set.
func TestStable(t *testing.T) {
	rng := uint64(7)
	found := 0
	for _, text := range endgames(t) {
		s := vectors.Must(parsePosition(text))
		for range 20 {
			s := s.Clone().(*State)
			var before [2]uint64
			for s.Turn() != game.Nobody {
				x, o := s.Discs()
				now := [2]uint64{stableDiscs(x, o), stableDiscs(o, x)}
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
	if got := stableDiscs(^uint64(0), 0); got != ^uint64(0) {
		t.Errorf("of a full board %x is stable", got)
	}
	if got := stableDiscs(3|1<<8, 0); got != 3|1<<8 {
		t.Errorf("of a1, b1, a2 %x is stable", got)
	}
}

func TestFill(t *testing.T) {
	seed := uint64(3)
	for range 1000 {
		own := game.Mix(seed)
		opp := game.Mix(own) &^ own
		seed = opp
		var board [2][64]uint8
		s := newState(own, opp, 1)
		s.Fill(0, board[0][:])
		s.Fill(1, board[1][:])
		for sq, got := range board[1] {
			if want := uint8(own>>sq&1 | opp>>sq&1<<1); got != want || board[0][sq] != [3]uint8{0, 2, 1}[want] {
				t.Fatalf("square %d of %x, %x: %d and %d, want %d for the mover", sq, own, opp, got, board[0][sq], want)
			}
		}
	}
}

// TestSweeps compares Sweeps with a search of all moves. In its games, a player that minimises the
// opponent's discs plays against a random player, so that such moves occur.
func TestSweeps(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	seen := [2]int{}
	for n := range 4000 {
		s := start()
		for s.Turn() != game.Nobody && s.Empties() > 30 {
			moves := s.Moves(nil)
			want := false
			for _, m := range moves {
				s.Play(m)
				own, opp := s.Discs()
				s.Undo()
				want = want || own == 0 || opp == 0
			}
			if s.Sweeps() != want {
				t.Fatalf("%s: %v, want %v", s, s.Sweeps(), want)
			}
			if want {
				seen[1]++
				break
			}
			seen[0]++
			best, least := moves[0], 65
			for _, m := range moves {
				s.Play(m)
				own, opp := s.Discs()
				s.Undo()
				if n&1 == int(s.Turn()) {
					own = opp
				}
				if k := popcount(own); k < least {
					best, least = m, k
				}
			}
			if int(s.Turn()) == n&1 {
				best = moves[rng.IntN(len(moves))]
			}
			s.Play(best)
		}
	}
	if seen[0] < 10000 || seen[1] < 50 {
		t.Errorf("%d positions without such a move and %d with one: want more", seen[0], seen[1])
	}
}
