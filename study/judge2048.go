package study

import "math"

// planners2048 judges planners of 2048 of each depth up to a limit, that look at
// an evaluation with each of the tastes: what their games are expected to come to,
// and what they lose against perfect play in the positions that perfect play
// meets. Minimax takes nature for an adversary, and is judged by what is certain
// though nature does its worst; expectimax by what is expected. Rows hold what
// perfect play makes of a position; the regret of a random move, summed over what
// perfect play will meet; and then for each taste and depth the figures below.
type planners2048 struct {
	base    base2048
	tastes  []*taste
	minimax bool
	depth   int
}

// The figures of a taste and a depth d.
const (
	// What the planner makes of an afterstate with d-1 more decisions to look
	// ahead, of a position with d.
	planFigure    = iota
	regretFigure  // summed over the choices that perfect play will meet
	worseFigure   // how many of them the planner will get wrong
	scoreFigure   // what he is expected still to gain
	certainFigure // what he is sure to gain though nature does its worst
	figures2048
)

const (
	randomFigure = perfect2048
	ownFigures   = perfect2048 + 1
)

func (k *planners2048) width() int { return ownFigures + len(k.tastes)*k.depth*figures2048 }

func (k *planners2048) player(steps []step, row []float64) {
	best := solvePlayer(steps, row)
	if best < 0 {
		for i, t := range k.tastes {
			for d := range k.depth {
				row[k.at(i, d)] = t.over()
			}
		}
		return
	}
	judge := expected2048
	if k.minimax {
		judge = certain2048
	}
	onward := steps[best].row
	if row[randomFigure] = onward[randomFigure]; len(steps) > 1 {
		sum := 0.0
		for _, s := range steps {
			sum += s.gain + s.row[judge]
		}
		row[randomFigure] += row[judge] - sum/float64(len(steps))
	}
	for i, t := range k.tastes {
		for d := range k.depth {
			at := k.at(i, d)
			plan, chosen := math.Inf(-1), 0
			for n, s := range steps {
				// The first of those that are equally good.
				if v := t.shift(s.row[at+planFigure], s.gain); n == 0 || within2048(v) > plan {
					plan, chosen = v, n
				}
			}
			s := steps[chosen]
			out := row[at : at+figures2048]
			lost := row[judge] - (s.gain + s.row[judge])
			out[planFigure] = plan
			out[regretFigure], out[worseFigure] = onward[at+regretFigure], onward[at+worseFigure]
			if lost > row[judge]-within2048(row[judge]) {
				out[regretFigure] += lost
				out[worseFigure]++
			}
			out[scoreFigure] = s.gain + s.row[at+scoreFigure]
			out[certainFigure] = s.gain + s.row[at+certainFigure]
		}
	}
}

func (k *planners2048) after(board uint64, kids []kid, row []float64) {
	solveAfter(kids, row)
	for _, c := range kids {
		row[randomFigure] += c.p * c.row[randomFigure]
	}
	togo := k.base(board, row[expected2048])
	for i, t := range k.tastes {
		for d := range k.depth {
			at := k.at(i, d)
			out := row[at : at+figures2048]
			out[certainFigure] = math.Inf(1)
			for _, c := range kids {
				in := c.row[at : at+figures2048]
				out[regretFigure] += c.p * in[regretFigure]
				out[worseFigure] += c.p * in[worseFigure]
				out[scoreFigure] += c.p * in[scoreFigure]
				out[certainFigure] = math.Min(out[certainFigure], in[certainFigure])
			}
			if d == 0 {
				out[planFigure] = t.leaf(togo, board)
				continue
			}
			nearer := k.at(i, d-1) + planFigure
			if k.minimax {
				out[planFigure] = math.Inf(1)
			}
			for _, c := range kids {
				if k.minimax {
					out[planFigure] = math.Min(out[planFigure], c.row[nearer])
				} else {
					out[planFigure] += c.p * c.row[nearer]
				}
			}
		}
	}
}

// at is where the figures of a taste and of depth d+1 begin.
func (k *planners2048) at(taste, d int) int {
	return ownFigures + (taste*k.depth+d)*figures2048
}

// Judged2048 is what a planner is worth.
type judged2048 struct {
	Regret  float64 `json:"regret"` // points a choice, over those that perfect play meets
	Worse   float64 `json:"worse"`  // share of those choices that are not the best
	Score   float64 `json:"score"`  // expected at the end of his games
	Certain float64 `json:"certain"`
}

// found reads the figures of the start: of each taste by depth, and the regret of
// a random move a choice.
func (k *planners2048) found(row []float64) (of [][]judged2048, random float64) {
	n := row[choices2048]
	of = make([][]judged2048, len(k.tastes))
	for i := range of {
		for d := range k.depth {
			x := row[k.at(i, d):]
			of[i] = append(of[i], judged2048{x[regretFigure] / n, x[worseFigure] / n, x[scoreFigure], x[certainFigure]})
		}
	}
	return of, row[randomFigure] / n
}
