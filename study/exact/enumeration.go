package exact

import (
	"math"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/study/damage"
)

// enumeration is what planners are worth in a small game of one whose utility is its
// score: each is asked at every position, scores told apart, so that any planner can be measured. It knows
// nothing but the rules.
type enumeration struct {
	state   game.State
	scorer  game.Scorer
	chance  game.Chancer
	players []func(game.State) []game.Move
	best    map[string]float64 // to go under perfect play, by board
	known   map[string][]float64
}

// The figures of a position in asked: for the game, and for each player.
const (
	choicesAsked = iota
	randomAsked
	playersAsked
)

const (
	regretAsked = iota
	worseAsked
	scoreAsked
	figuresAsked
)

// Enumerate evaluates the players, as planners2048 does: means over the choices that
// perfect play meets, and scores at the end of their own games. Expected is that
// of perfect play.
func Enumerate(w *catalog.World, players ...func(game.State) []game.Move) (of []TilesValue, random, expected float64) {
	a := &enumeration{state: w.New(), players: players, best: map[string]float64{}, known: map[string][]float64{}}
	a.scorer, _ = game.As[game.Scorer](a.state)
	a.chance, _ = game.As[game.Chancer](a.state)
	row := a.figures()
	n := row[choicesAsked]
	for i := range players {
		x := row[playersAsked+figuresAsked*i:]
		of = append(of, TilesValue{Regret: x[regretAsked] / n, Worse: x[worseAsked] / n, Score: x[scoreAsked]})
	}
	return of, row[randomAsked] / n, a.togo()
}

// board is the position without its score.
func (a *enumeration) board() string {
	text := a.state.String()
	for text[len(text)-1] != ' ' {
		text = text[:len(text)-1]
	}
	return text
}

// after is what a move gains at once, and what of it makes of the position it
// leads to.
func after[T any](a *enumeration, m game.Move, of func() T) (gain float64, out T) {
	before := a.scorer.Score(0)
	a.state.Play(m)
	defer a.state.Undo()
	return a.scorer.Score(0) - before, of()
}

// togo is what perfect play is still expected to gain.
func (a *enumeration) togo() float64 {
	if a.state.Turn() == game.Nobody {
		return 0
	}
	key := a.board()
	if v, ok := a.best[key]; ok {
		return v
	}
	nature := a.state.Turn() == game.Chance
	out := math.Inf(-1)
	if nature {
		out = 0
	}
	for _, m := range a.state.Moves(nil) {
		p := 1.0
		if nature {
			p = a.chance.Prob(m)
		}
		gain, v := after(a, m, a.togo)
		if nature {
			out += float64(p * v)
		} else {
			out = math.Max(out, gain+v)
		}
	}
	a.best[key] = out
	return out
}

// figures are those of the position.
func (a *enumeration) figures() []float64 {
	key := a.state.String()
	if row, ok := a.known[key]; ok {
		return row
	}
	row := make([]float64, playersAsked+figuresAsked*len(a.players))
	a.known[key] = row
	moves := a.state.Moves(nil)
	switch a.state.Turn() {
	case game.Nobody:
	case game.Chance:
		for _, m := range moves {
			p := a.chance.Prob(m)
			_, next := after(a, m, a.figures)
			for i, x := range next {
				row[i] += float64(p * x)
			}
		}
	default:
		a.decide(moves, row)
	}
	return row
}

// decide works out the row where a player moves. Perfect play draws among
// equally good moves, and so does a player who names more than one.
func (a *enumeration) decide(moves []game.Move, row []float64) {
	best := a.togo()
	values, gains, rows := map[game.Move]float64{}, map[game.Move]float64{}, map[game.Move][]float64{}
	sum := 0.0
	var perfect []game.Move
	for _, m := range moves {
		gain, v := after(a, m, a.togo)
		_, rows[m] = after(a, m, a.figures)
		values[m], gains[m] = gain+v, gain
		sum += gain + v
		if gain+v >= damage.TieBelow(best) {
			perfect = append(perfect, m)
		}
	}
	for _, m := range perfect {
		for i, x := range rows[m] {
			row[i] += x / float64(len(perfect))
		}
	}
	if len(moves) > 1 {
		row[choicesAsked]++
		row[randomAsked] += best - sum/float64(len(moves))
	}
	for i, player := range a.players {
		at := playersAsked + figuresAsked*i
		chosen := player(a.state)
		n := float64(len(chosen))
		row[at+scoreAsked] = 0
		for _, m := range chosen {
			if values[m] < damage.TieBelow(best) {
				row[at+regretAsked] += (best - values[m]) / n
				row[at+worseAsked] += 1 / n
			}
			row[at+scoreAsked] += (gains[m] + rows[m][at+scoreAsked]) / n
		}
	}
}
