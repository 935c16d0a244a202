package exact

import (
	"math"

	"plyfit/study/damage"
)

// riskArm is what a planner evaluates by: the number of an evaluation, and a risk preference.
type riskArm struct {
	base int
	*recursiveRisk
}

// planners2048 evaluates planners of 2048 of each depth up to a limit, by each of
// the arms: what their games are expected to come to,
// and what they lose against perfect play in the positions that perfect play
// meets. Of moves that look equally good a planner draws one. Minimax takes nature for an adversary, and is measured by what is certain
// though nature does its worst; expectimax by what is expected. Rows hold what
// perfect play makes of a position; the regret of a random move, summed over what
// perfect play will meet; and then for each arm and depth the figures below.
type planners2048 struct {
	bases   []base2048
	arms    []riskArm
	minimax bool
	depth   int
	best    []int     // room for the moves of perfect play
	togo    []float64 // and for what the bases say
}

// The figures of an arm and a depth: expectations all. What the planners make of
// positions stands behind them all: by arm and d, of an afterstate with d more
// decisions of depth, of a position with d, too (at 0 a nought).
const (
	regretFigure = iota // summed over the choices that perfect play will meet
	worseFigure         // how many of them the planner will get wrong
	scoreFigure         // what he is expected still to gain
	figures2048
)

const (
	randomFigure = perfect2048
	ownFigures   = perfect2048 + 1
)

func (k *planners2048) width() int { return k.plans() + len(k.arms)*k.depth }

// at is where the figures of an arm and of depth d+1 begin, plans where what the
// planners make of positions does.
func (k *planners2048) at(arm, d int) int {
	return ownFigures + (arm*k.depth+d)*figures2048
}
func (k *planners2048) plans() int { return k.at(len(k.arms), 0) }

func (k *planners2048) player(steps []step, row []float64) {
	k.best = solvePlayer(steps, row, k.best[:0])
	plans := k.plans()
	if len(steps) == 0 {
		for i, t := range k.arms {
			for d := 1; d < k.depth; d++ {
				row[plans+i*k.depth+d] = t.over()
			}
		}
		return
	}
	truth := expected2048
	if k.minimax {
		truth = certain2048
	}
	var truths, seen, factors [4]float64 // by move
	var rows [4][]float64
	sum := 0.0
	for n, s := range steps {
		rows[n] = s.row
		truths[n] = s.gain + s.row[truth]
		sum += truths[n]
	}
	best := row[truth]
	good := damage.TieBelow(best)
	row[randomFigure] = best - sum/float64(len(steps))
	for i, t := range k.arms {
		for n := range steps {
			factors[n] = t.factor(steps[n].gain)
		}
		for d := range k.depth {
			plan, at := plans+i*k.depth+d, k.at(i, d)
			most := math.Inf(-1)
			for n := range steps {
				v := rows[n][plan]
				if t.rate == 0 {
					v += steps[n].gain
				} else {
					v *= factors[n]
				}
				if seen[n] = v; v > most {
					most = v
				}
			}
			if d+1 < k.depth {
				row[plan+1] = most
			}
			// Of moves of equal value each is as likely as the other.
			lost, worse, score, count := 0.0, 0.0, 0.0, 0.0
			least := damage.TieBelow(most)
			for n := range steps {
				if seen[n] < least {
					continue
				}
				count++
				score += steps[n].gain + rows[n][at+scoreFigure]
				if truths[n] < good {
					lost += best - truths[n]
					worse++
				}
			}
			if count > 1 {
				lost, worse, score = lost/count, worse/count, score/count
			}
			out := row[at : at+figures2048]
			share := 1 / float64(len(k.best))
			for _, b := range k.best {
				onward := rows[b][at : at+figures2048]
				lost += float64(share * onward[regretFigure])
				worse += float64(share * onward[worseFigure])
			}
			out[regretFigure], out[worseFigure], out[scoreFigure] = lost, worse, score
		}
	}
	addBest(steps, k.best, row, randomFigure, ownFigures)
}

func (k *planners2048) after(board uint64, kids []child, row []float64) {
	plans := k.plans()
	if k.minimax {
		solveAfter(kids, row, plans)
		out := row[plans:]
		for n, c := range kids {
			for i, x := range c.row[plans:] {
				if n == 0 || x < out[i] {
					out[i] = x
				}
			}
		}
	} else {
		solveAfter(kids, row, len(row))
	}
	k.togo = k.togo[:0]
	for _, of := range k.bases {
		k.togo = append(k.togo, of(board, row[expected2048]))
	}
	for i, a := range k.arms {
		row[plans+i*k.depth] = a.leaf(k.togo[a.base], board)
	}
}

// TilesValue is what a planner is worth.
type TilesValue struct {
	Regret float64 `json:"regret"` // points a choice, over those that perfect play meets
	Worse  float64 `json:"worse"`  // share of those choices that are not the best
	Score  float64 `json:"score"`  // expected at the end of his games
}

// found reads the figures of the start: of each arm by depth, and the regret of
// a random move a choice.
func (k *planners2048) found(row []float64) (of [][]TilesValue, random float64) {
	n := row[choices2048]
	of = make([][]TilesValue, len(k.arms))
	for i := range of {
		for d := range k.depth {
			x := row[k.at(i, d):]
			of[i] = append(of[i], TilesValue{x[regretFigure] / n, x[worseFigure] / n, x[scoreFigure]})
		}
	}
	return of, row[randomFigure] / n
}
