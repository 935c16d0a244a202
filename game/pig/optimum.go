package pig

import (
	"fmt"
	"math"

	"plyfit/game"
)

// An Optimum contains optimal play for two players, computed by value iteration (Neller and
// Presser, Optimal Play of the Dice Game Pig, UMAP Journal 25, 2004).
type Optimum struct {
	target int
	start  [][]float64 // [own score][other score]: win probability at the start of the player's turn
	hold   [][][]bool  // [own score][other score][turn total]: whether holding is best
}

// converged is the change in win probability below which the iteration for a pair of scores stops.
const converged = 1e-14

// Solve computes optimal play for a target of at least 1.
//
// After a 1, it is the other player's turn at the same scores. P(i,j) and P(j,i) therefore depend
// on each other, but otherwise only on higher scores. Solve computes the pairs in order of
// decreasing sum, and uses iteration for each pair.
func Solve(target int) *Optimum {
	if target < 1 {
		panic("pig: Solve called with a target below 1")
	}
	o := &Optimum{target: target, start: grid(target), hold: make([][][]bool, target)}
	for i := range o.hold {
		o.hold[i] = make([][]bool, target)
		for j := range o.hold[i] {
			o.hold[i][j] = make([]bool, target-i)
		}
	}
	values := make([]float64, target)
	improve := func(i, j int) (change float64) {
		turn := values[:target-i]
		for k := len(turn) - 1; k >= 0; k-- {
			held, rolled := 1-o.start[j][i+k], o.rolled(i, j, k, turn) // if holding does not reach the target
			o.hold[i][j][k] = held > rolled
			turn[k] = math.Max(held, rolled)
		}
		change = math.Abs(turn[0] - o.start[i][j])
		o.start[i][j] = turn[0]
		return change
	}
	for sum := 2 * (target - 1); sum >= 0; sum-- {
		for i := max(0, sum-target+1); 2*i <= sum; i++ {
			j := sum - i
			for {
				change := improve(i, j)
				if i != j {
					change = math.Max(change, improve(j, i))
				}
				if change < converged {
					break
				}
			}
		}
	}
	return o
}

func grid(n int) [][]float64 {
	g := make([][]float64, n)
	for i := range g {
		g[i] = make([]float64, n)
	}
	return g
}

// rolled returns the mover's win probability after rolling with k points. turn contains the
// probabilities for higher turn totals.
func (o *Optimum) rolled(i, j, k int, turn []float64) float64 {
	p := 1 - o.start[j][i] // after a 1
	for face := 2; face <= 6; face++ {
		if k+face >= len(turn) {
			p++ // reaches the target
		} else {
			p += turn[k+face]
		}
	}
	return p / 6
}

// Win returns the win probability of the player whose turn begins, given both scores and optimal
// play by both players.
func (o *Optimum) Win(mine, other int) float64 { return o.start[mine][other] }

// Regret returns the loss in win probability against an optimal player if the function hold makes
// the decisions instead of optimal play. The result is the mean over both orders of play, starting
// from 0:0. It is at least 0, apart from rounding. hold is called only for turn totals that can
// occur: 0, and 2 or more.
func (o *Optimum) Regret(hold func(mine, other, turn int) bool) float64 {
	// Win probabilities of the evaluated player, by their own score and the optimal player's score:
	// ours at the start of their own turn, theirs at the start of the optimal player's turn.
	ours, theirs := grid(o.target), grid(o.target)
	policy := make([]bool, o.target)
	values := make([]float64, o.target)
	// turn returns the evaluated player's win probability at the start of a turn by the player with
	// score m, whose decisions are in holds. The other arguments are the evaluated player's win
	// probabilities: passed is the probability after a turn without points, banked(k) after holding
	// with k > 0 points, and won after reaching the target.
	turn := func(m int, holds []bool, passed float64, banked func(k int) float64, won float64) float64 {
		v := values[:o.target-m]
		for k := len(v) - 1; k >= 0; k-- {
			switch {
			case holds[k] && k == 0:
				v[k] = passed
			case holds[k]:
				v[k] = banked(k)
			default:
				p := passed
				for face := 2; face <= 6; face++ {
					if k+face >= len(v) {
						p += won
					} else {
						p += v[k+face]
					}
				}
				v[k] = p / 6
			}
		}
		return v[0]
	}
	for sum := 2 * (o.target - 1); sum >= 0; sum-- {
		for i := max(0, sum-o.target+1); i <= sum && i < o.target; i++ {
			j := sum - i
			for k := range o.target - i {
				policy[k] = k != 1 && hold(i, j, k)
			}
			mine := func(passed float64) float64 {
				return turn(i, policy, passed, func(k int) float64 { return theirs[i+k][j] }, 1)
			}
			other := func(passed float64) float64 {
				return turn(j, o.hold[j][i], passed, func(k int) float64 { return ours[i][j+k] }, 0)
			}
			// Each of the two probabilities is a linear function of the other, because the turn
			// passes without points with some probability: ours = a + b theirs, theirs = c + d
			// ours.
			a, c := mine(0), other(0)
			b, d := mine(1)-a, other(1)-c
			if b*d > 1-1e-12 { // neither player ever scores
				ours[i][j], theirs[i][j] = 0.5, 0.5
				continue
			}
			ours[i][j] = (a + float64(b*c)) / (1 - float64(b*d))
			theirs[i][j] = c + float64(d*ours[i][j])
		}
	}
	return 0.5 - float64((ours[0][0]+theirs[0][0])/2)
}

// Regret returns the loss in an agent's win probability compared with optimal play. g is two-player
// pig, and decide returns the agent's move at a position of g. See [Optimum.Regret].
func Regret(g *game.Game, decide func(s game.State) (game.Move, error)) (float64, error) {
	start, ok := g.New().(*State)
	if !ok || g.Players != 2 {
		return 0, fmt.Errorf("pig: optimal play is known only for the two-player game without wrappers, not for %s", g.Spec)
	}
	var failure error
	o := Solve(start.Target())
	regret := o.Regret(func(mine, other, turn int) bool {
		if failure != nil {
			return true
		}
		s, err := g.Parse(fmt.Sprintf("%d %d turn %d player 0", mine, other, turn))
		if err == nil {
			var m game.Move
			if m, err = decide(s); err == nil {
				return m == Hold
			}
		}
		failure = err
		return true
	})
	return regret, failure
}
