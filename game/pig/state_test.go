package pig

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

func TestLaw(t *testing.T) {
	for text, o := range map[string]gametest.Options{
		"pig":                      {Playouts: 600},
		"pig:target=20":            {Positions: []string{"19 3 turn 0 player 1", "0 0 turn 20 roll 0"}},
		"pig:target=2":             {},
		"pig:target=50,players=3":  {Playouts: 600},
		"pig:target=25,players=10": {Playouts: 600},
	} {
		gametest.Law(t, gametest.New(t, New, text), o)
	}
}

// bestTurn computes, for each turn total, the best win probability of the player to move and
// whether holding is better than rolling. It uses the game's moves. The parameter chance contains
// the win probabilities at the start of a turn.
func bestTurn(t *testing.T, g *game.Game, chance [][]float64, mine, other int) (best []float64, hold []bool) {
	t.Helper()
	need := len(chance) - mine
	best, hold = make([]float64, need+1), make([]bool, need+1)
	for total := need; total >= 0; total-- {
		st, err := g.Parse(fmt.Sprintf("%d %d turn %d player 0", mine, other, total))
		if err != nil {
			continue // no rolls add up to 1
		}
		s := st.(*State)
		after := func(m game.Move) float64 {
			s.Play(m)
			defer s.Undo()
			switch {
			case s.Turn() == game.Nobody:
				return s.Utility(0)
			case s.Player() == 0:
				return best[s.TurnTotal()]
			}
			return 1 - chance[s.Score(1)][s.Score(0)]
		}
		held, rolled := after(Hold), 0.0
		s.Play(Roll)
		for face := game.Move(1); face <= 6; face++ {
			rolled += after(face) / 6
		}
		best[total], hold[total] = math.Max(held, rolled), held > rolled
	}
	return best, hold
}

func rows(t *testing.T, name string) (out [][]string) {
	t.Helper()
	for _, line := range vectors.Lines(t, "testdata/"+name) {
		out = append(out, strings.Fields(line))
	}
	return out
}

// TestTarget100 checks that published win probabilities for target 100 (one in 17 without
// PLYFIT_LONG) are a fixed point of best play with the game's moves. This fixed point is unique.
func TestTarget100(t *testing.T) {
	chance := grid(100)
	g := gametest.New(t, New, "pig")
	all := rows(t, "pig100_turnstart.txt")
	for n, f := range all {
		chance[n/100][n%100] = vectors.Must(strconv.ParseFloat(f[2], 64))
	}
	for n, f := range all {
		i, j := n/100, n%100
		if !vectors.Long() && n%17 != 0 {
			continue
		}
		best, hold := bestTurn(t, g, chance, i, j)
		if math.Abs(best[0]-chance[i][j]) > 5e-12 {
			t.Fatalf("%v: %.12f", f, best[0])
		}
		threshold := vectors.Must(strconv.Atoi(f[3]))
		if threshold < len(hold) && (!hold[threshold] || hold[threshold-1]) {
			t.Fatalf("%v: holding is best from another turn total: %v", f, hold)
		}
	}
}

func TestFaults(t *testing.T) {
	for text, at := range map[string]int{
		"":                            0,
		"34":                          2,
		"34 100 turn 0 player 0":      7,
		"100 100 over":                4,
		"100 34 over ":                11,
		"34 -7 turn 0 player 0":       3,
		"34 07 turn 0 player 0":       3,
		"34 57 turn 1 player 0":       11,
		"34 57 turn 67 player 0":      11,
		"34 57 turn 12 player 2":      21,
		"34 57 turn 12 pass 0":        14,
		"34 57 trun 12 player 0":      6,
		"34 57 over":                  6,
		"34 57 turn 12 player 0 hold": 22,
	} {
		gametest.Fault(t, gametest.New(t, New, "pig"), text, at, "")
	}
	gametest.Refuse(t, New, "pig:target=-5", "pig:target=1", "pig:players=1", "pig:players=11", "pig:goal=3")
}

func TestUtilities(t *testing.T) {
	s := vectors.Must(gametest.New(t, New, "pig:players=3").Parse("5 100 99 over"))
	if a, b, c := s.Utility(0), s.Utility(1), s.Utility(2); a != -0.5 || b != 1 || c != -0.5 {
		t.Errorf("%v %v %v", a, b, c)
	}
}

func FuzzParse(f *testing.F) {
	gametest.FuzzParse(f, gametest.New(f, New, "pig:players=3"), true, nil, "34 57 99 turn 12 roll 2", "34 100 99 over")
}

// TestOptimum compares optimal play with published results.
func TestOptimum(t *testing.T) {
	o := Solve(100)
	if got := o.Win(0, 0); math.Abs(got-0.530592725274) > 1e-11 { // Neller and Presser 2004
		t.Errorf("win probability of the first player %.12f", got)
	}
	if !o.hold[0][0][21] || o.hold[0][0][20] {
		t.Error("want to hold at 21 and not at 20 when the game begins")
	}
}

// TestRegret checks that optimal play has no regret, that the regret of holding at 20 agrees with
// simulated games, and that never holding has a regret of at least 0.2.
func TestRegret(t *testing.T) {
	o := Solve(100)
	if r := o.Regret(func(i, j, k int) bool { return o.hold[i][j][k] }); math.Abs(r) > 1e-12 {
		t.Errorf("regret of perfect play %g", r)
	}
	r := o.Regret(func(_, _, k int) bool { return k >= 20 })
	if want, sd := simulate(o, 20, 20_000); math.Abs(r-want) > 4*sd {
		t.Errorf("regret of holding at 20: %.4f, simulated %.4f with standard error %.4f", r, want, sd)
	}
	if never := o.Regret(func(_, _, k int) bool { return k >= 1000 }); never < 0.2 {
		t.Errorf("regret of never holding %g", never)
	}
}

// simulate plays games between an optimal player and a player who holds at n. Each player begins
// half of the games. It returns how much the player who holds at n loses, with its standard error.
func simulate(o *Optimum, n, games int) (regret, sd float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	wins := 0
	for g := range games {
		scores, turn := [2]int{}, g%2 // player 0 holds at n
		for scores[0] < o.target && scores[1] < o.target {
			for k := 0; ; {
				mine, other := scores[turn], scores[1-turn]
				if mine+k >= o.target || turn == 0 && k >= n || turn == 1 && o.hold[mine][other][k] {
					scores[turn] += k
					break
				}
				face := 1 + rng.IntN(6)
				if face == 1 {
					break
				}
				k += face
			}
			turn = 1 - turn
		}
		if scores[0] >= o.target {
			wins++
		}
	}
	return 0.5 - float64(wins)/float64(games), 0.5 / math.Sqrt(float64(games))
}

// TestRegretOfAgent checks that Regret gives the same result as [Optimum.Regret].
func TestRegretOfAgent(t *testing.T) {
	g := gametest.New(t, New, "pig:target=30")
	o := Solve(30)
	want := o.Regret(func(_, _, k int) bool { return k >= 10 })
	got, err := Regret(g, func(s game.State) (game.Move, error) {
		if s.(*State).TurnTotal() >= 10 {
			return Hold, nil
		}
		return Roll, nil
	})
	if err != nil || math.Abs(got-want) > 1e-12 {
		t.Errorf("regret %v, %v; want %v", got, err, want)
	}
	if _, err := Regret(gametest.New(t, New, "pig:target=30,players=3"), nil); err == nil {
		t.Error("three players were judged")
	}
}
