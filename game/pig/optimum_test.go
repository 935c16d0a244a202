package pig

import (
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/game"
)

// TestOptimum holds perfect play against published win probabilities.
func TestOptimum(t *testing.T) {
	o := Solve(100)
	if got := o.Win(0, 0); math.Abs(got-0.530592725274) > 1e-11 { // Neller and Presser 2004
		t.Errorf("win probability of the first player %.12f", got)
	}
	if !o.hold[0][0][21] || o.hold[0][0][20] {
		t.Error("want to hold at 21 and not at 20 when the game begins")
	}
}

// TestRegret: the perfect player loses nothing to himself, others do, and by as
// much as simulated games say.
func TestRegret(t *testing.T) {
	o := Solve(100)
	if r := o.Regret(func(i, j, k int) bool { return o.hold[i][j][k] }); math.Abs(r) > 1e-12 {
		t.Errorf("regret of perfect play %g", r)
	}
	r := o.Regret(func(_, _, k int) bool { return k >= 20 })
	if want, sd := simulate(o, 20, 100_000); math.Abs(r-want) > 4*sd {
		t.Errorf("regret of holding at 20: %.4f, simulated %.4f with standard error %.4f", r, want, sd)
	}
	if never := o.Regret(func(_, _, k int) bool { return k >= 1000 }); never < 0.2 {
		t.Errorf("regret of never holding %g", never)
	}
}

// simulate plays games between the perfect player and one who holds at n, each
// beginning half of them: what the latter loses, and its standard error.
func simulate(o *Optimum, n, games int) (regret, sd float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	wins := 0
	for g := range games {
		scores, turn := [2]int{}, g%2 // player 0 is judged
		for scores[0] < o.target && scores[1] < o.target {
			for k := 0; ; {
				mine, his := scores[turn], scores[1-turn]
				if mine+k >= o.target || turn == 0 && k >= n || turn == 1 && o.hold[mine][his][k] {
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

// TestRegretOfAgent: asking an agent for its moves gives the same.
func TestRegretOfAgent(t *testing.T) {
	g := newGame(t, "pig:target=30")
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
	if _, err := Regret(newGame(t, "pig:target=30,players=3"), nil); err == nil {
		t.Error("three players were judged")
	}
}
