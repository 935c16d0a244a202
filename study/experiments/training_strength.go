package experiments

import (
	"context"
	"errors"
	"math"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/search"
	"plyfit/study"
	"plyfit/study/damage"
)

// unexplained is the share of the variance of what is still to come that the
// model leaves unexplained after the best affine fit, over the positions after a
// decision in games of the evaluation named by, one decision ahead: 1 is what a constant does. In games of score what is still to come is the final score less the
// score so far.
func unexplained(ctx context.Context, w *catalog.World, j *catalog.Evaluation, by string, games int, seed uint64) (float64, error) {
	agent, err := agentBy(w, "expectimax:depth=1", by)
	if err != nil {
		return 0, err
	}
	eval := j.New()
	var values, sofar, all, truth []float64
	for i := range uint64(games) {
		random := study.NewRand(seed, 0x4e1d, i)
		s := w.New()
		values, sofar = values[:0], sofar[:0]
		scorer, scores := game.As[game.Scorer](s)
		agent.Begin(i)
		dice := &play.Dice{Random: random}
		e := play.Episode{Luck: dice}
		e.Begin(s, 0, w.MaxPlies)
		for e.Next() {
			m := dice.Uniform(s)
			if random.Float64() > 0.1 {
				r, err := agent.Search(ctx, s)
				if err != nil {
					return 0, err
				}
				m = r.Move
			}
			e.Play(m)
			if s.Turn() != game.Nobody {
				now := 0.0
				if scores {
					now = scorer.Score(0)
				}
				if t, tracks := eval.(search.Tracker); tracks {
					t.Reset(s)
				}
				values, sofar = append(values, eval.Evaluate(s, 0)), append(sofar, now)
			}
		}
		if e.Truncated() {
			continue // cut off: no outcome
		}
		for k, v := range values {
			all, truth = append(all, v-sofar[k]), append(truth, s.Utility(0)-sofar[k])
		}
	}
	if len(all) < 2 {
		return 0, errors.New("too few positions held out")
	}
	mx, my, sxx, sxy, syy := study.Mean(all), study.Mean(truth), 0.0, 0.0, 0.0
	for i, y := range truth {
		dx, dy := all[i]-mx, y-my
		sxx, sxy, syy = sxx+float64(dx*dx), sxy+float64(dx*dy), syy+float64(dy*dy)
	}
	if sxx == 0 {
		return 1, nil
	}
	return 1 - sxy*sxy/(sxx*syy), nil
}

// strengthCell is a model's match against the rival: a cell's key.
type strengthCell struct {
	Game    string `json:"game"`
	Model   string `json:"model"`
	Digest  string `json:"digest"`
	Planner string `json:"planner"`
	Hostile bool   `json:"hostile"`
	Depth   int    `json:"depth"`
	Pairs   int    `json:"pairs"`
	Rival   string `json:"rival,omitempty"` // the digest of --eval
	Seed    uint64 `json:"seed"`
}

// play plays the match: the model's strength.
func (k strengthCell) play(ctx context.Context, w *catalog.World, model, rival *catalog.Evaluation) (study.Interval, error) {
	if model.Digest == rival.Digest {
		strength := 0.5
		if w.Base().Players == 1 {
			strength = 0
		}
		return study.Exactly(strength), nil // it is the rival
	}
	entrant := func(name string, j *catalog.Evaluation) search.Factory {
		return search.Factory{Name: name, New: func() (search.Agent, error) {
			if k.Planner == "minimax" {
				return search.NewAlphaBeta(search.AlphaBeta{Game: w.Game, Eval: j.New(), Leaf: j.Leaves, Depth: k.Depth})
			}
			return search.NewExpectimax(search.Expectimax{Game: w.Game, Eval: j.New(), Leaf: j.Leaves, Depth: k.Depth})
		}}
	}
	cfg := arena.Config{Game: w.Game, A: entrant("model", model), B: entrant(rival.Name, rival), Pairs: k.Pairs, Seed: k.Seed}
	if k.Hostile {
		cfg.Openings.Plies = damage.OpeningPlies
		if w.Base().Players == 1 {
			nature := search.Factory{Name: "nature", New: func() (search.Agent, error) {
				return search.NewAlphaBeta(search.AlphaBeta{Game: w.Game, Eval: rival.New(), Leaf: rival.Leaves, Depth: 1})
			}}
			cfg.Nature = &nature
		}
	}
	if w.Base().Players == 2 {
		cfg.Measure = arena.Wins
	}
	r, err := arena.Run(ctx, cfg)
	if err != nil {
		return study.Interval{}, err
	}
	if w.Base().Players == 2 {
		return study.Interval{Value: r.Points.Value, Low: r.Points.Low, High: r.Points.High}, nil
	}
	unit := math.Max(1, math.Abs(r.UtilityB.Value))
	d := r.Difference
	return study.Interval{Value: d.Value / unit, Low: d.Low / unit, High: d.High / unit}, nil
}
