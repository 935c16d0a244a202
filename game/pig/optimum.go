package pig

import (
	"fmt"
	"math"

	"plyfit/game"
)

// Optimum is perfect play in pig for two, by value iteration (Neller and
// Presser, Optimal Play of the Dice Game Pig, UMAP Journal 25, 2004).
type Optimum struct {
	target int
	start  [][]float64 // [mine][his]: of the one whose turn begins
	hold   [][][]bool  // [mine][his][turn total]
}

// converged is how little a win probability still changes when a pair of scores is solved.
const converged = 1e-14

// Solve computes perfect play to a target of at least 1.
//
// A turn that ends on a 1 passes the dice at the same two scores, so P(i,j) and P(j,i) depend on
// each other, and otherwise on higher scores alone: pairs are solved from the highest sums down,
// each by iteration.
func Solve(target int) *Optimum {
	if target < 1 {
		panic("pig: Solve with a target below 1")
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
			held, rolled := o.held(i, j, k), o.rolled(i, j, k, turn)
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

// held is the mover's win probability after banking k points, below the target,
// against perfect play.
func (o *Optimum) held(i, j, k int) float64 { return 1 - o.start[j][i+k] }

// rolled is the mover's win probability when he rolls with k points, turn being
// his probabilities with more.
func (o *Optimum) rolled(i, j, k int, turn []float64) float64 {
	p := 1 - o.start[j][i] // a 1
	for face := 2; face <= 6; face++ {
		if k+face >= len(turn) {
			p++ // enough to win
		} else {
			p += turn[k+face]
		}
	}
	return p / 6
}

// Win is the win probability of the one whose turn begins at scores mine and
// his, both players being perfect.
func (o *Optimum) Win(mine, his int) float64 { return o.start[mine][his] }

// Regret is the loss in win probability, against a perfect player, of one who holds where hold
// says, compared with perfect play: the mean over who begins, at 0:0. It is at least 0, but for
// rounding. hold is asked for turn totals that rolls can make: 0, and 2 or more.
func (o *Optimum) Regret(hold func(mine, his, turn int) bool) float64 {
	// The judged player's win probabilities at the beginning of his own turn and
	// of the perfect one's, [judged][perfect].
	ours, theirs := grid(o.target), grid(o.target)
	policy := make([]bool, o.target)
	values := make([]float64, o.target)
	// turn is the judged player's win probability over a turn of the player with score m, who holds
	// where holds says: banked(k) is the value of stopping with k > 0 points, passed of a turn
	// without points, won of winning.
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
			his := func(passed float64) float64 {
				return turn(j, o.hold[j][i], passed, func(k int) float64 { return ours[i][j+k] }, 0)
			}
			// Either is a straight line in what a turn without points is worth,
			// which is the other: ours = a + b theirs, theirs = c + d ours.
			a, c := mine(0), his(0)
			b, d := mine(1)-a, his(1)-c
			if b*d > 1-1e-12 { // both pass for ever
				ours[i][j], theirs[i][j] = 0.5, 0.5
				continue
			}
			ours[i][j] = (a + float64(b*c)) / (1 - float64(b*d))
			theirs[i][j] = c + float64(d*ours[i][j])
		}
	}
	return 0.5 - float64((ours[0][0]+theirs[0][0])/2)
}

// Regret is an agent's loss of win probability against perfect play; decide is its move at a
// position of g, pig for two. See [Optimum.Regret].
func Regret(g *game.Game, decide func(s game.State) (game.Move, error)) (float64, error) {
	start, ok := g.New().(*State)
	if !ok || g.Players != 2 {
		return 0, fmt.Errorf("pig: perfect play is known for two players without wrappers, not in %s", g.Spec)
	}
	var failure error
	o := Solve(start.Target())
	regret := o.Regret(func(mine, his, turn int) bool {
		if failure != nil {
			return true
		}
		s, err := g.Parse(fmt.Sprintf("%d %d turn %d player 0", mine, his, turn))
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
