package experiments

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/features"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/learn"
	"plyfit/learn/trees"
	"plyfit/models"
	"plyfit/report"
	"plyfit/search"
	"plyfit/study"
	"plyfit/study/damage"
	"plyfit/study/experiments/draw"
)

var linearity = study.Experiment{
	Name:     "linearity",
	Question: "What does it cost that the evaluation is a sum of its features?",
	Hypothesis: "Written 2026-11-21, before the first run: on a few thousand rows bagged trees over the same features predict the outcome no better than the sum by more than 5 percent of its held-out error, " +
		"and one ply ahead they do not play better.",
	Design: "Positions after a decision in games of the hand-written evaluation, one decision ahead, every tenth move drawn at random; labels are outcomes for player 0. Ridge regression against bagged regression trees (golearn's), on the same rows and the same folds of whole episodes; " +
		"intervals by Nadeau and Bengio's variance for folds that share training rows. Then both, fitted to all rows, play each other by the value of the position after the move alone, equal moves drawn at random: in games of two in pairs with seats swapped, in games of one with the same luck. " +
		"Sample size: a pilot's standard error of the cost was 1 percent of the linear error on 4,000 rows.",
	Takes:   []string{"game", "eval", "positions", "pairs"},
	Minutes: [3]float64{0.2, 4, 200},
	Run:     runLinearity,
}

// comparison is a comparison on one game's rows: a cell's key.
type comparison struct {
	Game string `json:"game"`
	Set  string `json:"set"`
	Rows int    `json:"rows"`
	Eval string `json:"eval,omitempty"` // the digest of --eval, which plays the games
	Seed uint64 `json:"seed"`
}

// treeMatch is a part of the match of trees against the sum: a cell's key.
type treeMatch struct {
	comparison
	Part  int `json:"part"`
	Pairs int `json:"pairs"`
}

// treeMatchResult is what came of a part: the trees' results, a pair each.
type treeMatchResult struct {
	Tally study.Tally `json:"tally"`          // of games of two
	Sum   []float64   `json:"sum,omitempty"`  // scores of the sum, in games of one
	Trees []float64   `json:"tree,omitempty"` // of the trees
}

func runLinearity(ctx context.Context, s *study.Session) (*study.Results, error) {
	specs := study.Or(s.Over.Games, [][]string{{"connect4", "2048:size=3"}, {"connect4", "othello", "2048:size=3"}, {"connect4", "othello", "2048:size=3", "backgammon", "pacman:layout=room", "checkers"}}[s.Effort])
	n := s.Positions(1500, 2500, 8000)
	pairs := s.Pairs(20, 40, 400)
	var keys []comparison
	var matches []treeMatch
	const few = 50 // a cell grows its trees anew
	for _, spec := range specs {
		w, err := s.Catalog.World(spec)
		if err != nil {
			return nil, err
		}
		if w.Players > 2 || w.Inside != nil {
			return nil, fmt.Errorf("game %s: want a game for one or two, without +", w.Spec)
		}
		set, err := w.Set("")
		if err != nil {
			return nil, err
		}
		player, err := rivalOf(s, w)
		if err != nil {
			return nil, err
		}
		k := comparison{w.Spec, set.Name(), n, over(s, player), s.Seed}
		keys = append(keys, k)
		for p := 0; p*few < pairs; p++ {
			matches = append(matches, treeMatch{k, p, min(few, pairs-p*few)})
		}
	}
	found, err := study.Cells(ctx, s, "fits", keys, nil, func(ctx context.Context, k comparison) (trees.Comparison, error) {
		w, set, data, err := rowsOf(ctx, s, k)
		if err != nil {
			return trees.Comparison{}, err
		}
		return trees.Forest{Rows: 2 * k.Rows, Repeats: s.Pick(1, 2, 3), Trees: s.Pick(10, 20, 20), Seed: k.Seed}.Compare(ctx, plain(w, set), data, learn.Options{Penalty: 1e-4})
	})
	if err != nil {
		return nil, err
	}
	played, err := study.Cells(ctx, s, "matches", matches, nil, func(ctx context.Context, k treeMatch) (treeMatchResult, error) { return playTrees(ctx, s, k) })
	if err != nil {
		return nil, err
	}
	byGame := make([]treeMatchResult, len(keys))
	for i, m := range matches {
		for j, k := range keys {
			if k == m.comparison {
				b := &byGame[j]
				b.Tally = b.Tally.Plus(played[i].Tally)
				b.Sum, b.Trees = append(b.Sum, played[i].Sum...), append(b.Trees, played[i].Trees...)
			}
		}
	}
	f, err := linearityResults(keys, found, byGame, s.Seed)
	if err == nil && s.Over.Eval != "" {
		f.Notes = append(f.Notes, "The positions are from games of "+s.Over.Eval+".")
	}
	return f, err
}

// plain is a model of zeros whose sum is a utility.
func plain(w *catalog.World, set features.Set) *models.Linear {
	m := models.New(w.Base().Name, set.Name(), set.Blocks())
	m.Leaves = models.Afterstate
	return m
}

// rowsOf makes about as many rows as the key says.
func rowsOf(ctx context.Context, s *study.Session, k comparison) (*catalog.World, features.Set, rows, error) {
	w, err := s.Catalog.World(k.Game)
	if err != nil {
		return nil, nil, nil, err
	}
	set, err := w.Set(k.Set)
	if err != nil {
		return nil, nil, nil, err
	}
	agent, err := agentBy(w, "greedy", cmp.Or(s.Over.Eval, "handwritten"))
	if err != nil {
		return nil, nil, nil, err
	}
	var data rows
	const most = 100000 // games
	for i := uint64(0); len(data) < k.Rows && i < most; i++ {
		random := study.NewRand(k.Seed, 0x11ea, i)
		p := w.New()
		agent.Begin(i)
		from := len(data)
		dice := &play.Dice{Random: random}
		e := play.Episode{Luck: dice}
		e.Begin(p, 0, w.MaxPlies)
		for e.Next() {
			m := dice.Uniform(p)
			if random.Float64() > 0.1 {
				r, err := agent.Search(ctx, p)
				if err != nil {
					return nil, nil, nil, err
				}
				m = r.Move
			}
			e.Play(m)
			if p.Turn() != game.Nobody && random.IntN(thin) == 0 {
				data = append(data, datasets.Sample{X: extractFirst(set, p), Weight: 1, Episode: i})
			}
		}
		if e.Truncated() {
			data = data[:from]
		}
		for j := range data[from:] {
			data[from+j].Y = p.Utility(0)
		}
	}
	return w, set, data, nil
}

// extractFirst is the vector of a position in player 0's view, with the bias's column.
func extractFirst(set features.Set, s game.State) models.Vector {
	return append(set.Extract(game.Base(s), 0, nil), models.Term{Index: models.Bias, Value: 1})
}

// predictor says what positions are worth to player 0.
type predictor interface {
	Predict(x []models.Vector, dst []float64) []float64
}

// linearPredictor is the linear model as a predictor.
type linearPredictor struct{ *models.Linear }

// Predict implements predictor.
func (m linearPredictor) Predict(x []models.Vector, dst []float64) []float64 {
	for _, v := range x {
		dst = append(dst, m.Dot(v))
	}
	return dst
}

// greedyPlayer plays the move after which the position is worth most, one ply
// ahead, and draws one where several are worth as much: trees are constant over
// whole regions, so that the first of equal moves would say nothing of them.
type greedyPlayer struct {
	set features.Set
	predictor
	random *rand.Rand
}

// Begin implements [search.Agent].
func (p *greedyPlayer) Begin(seed uint64) { p.random = study.NewRand(seed, 0x71e5) }

// Search implements [search.Agent].
func (p *greedyPlayer) Search(_ context.Context, s game.State) (search.Result, error) {
	me := s.Turn()
	sign := 1 - float64(2*float64(me))
	r := search.Result{Move: game.NoMove, Depth: 1, Value: math.Inf(-1)}
	equal := 0
	consider := func(m game.Move, v float64) {
		switch {
		case v > r.Value:
			r.Move, r.Value, equal = m, v, 1
		case v == r.Value:
			if equal++; p.random.IntN(equal) == 0 {
				r.Move = m
			}
		}
	}
	var moves []game.Move
	var x []models.Vector
	for _, m := range s.Moves(nil) {
		s.Play(m)
		if s.Turn() == game.Nobody {
			consider(m, s.Utility(me))
		} else {
			moves, x = append(moves, m), append(x, extractFirst(p.set, s))
		}
		s.Undo()
	}
	if len(x) > 0 {
		for i, v := range p.Predict(x, nil) {
			consider(moves[i], v*sign)
		}
	}
	return r, nil
}

// playTrees plays a part of the match of the trees against the sum.
func playTrees(ctx context.Context, s *study.Session, k treeMatch) (treeMatchResult, error) {
	w, set, data, err := rowsOf(ctx, s, k.comparison)
	if err != nil {
		return treeMatchResult{}, err
	}
	grove, err := trees.Forest{Rows: 2 * k.Rows, Trees: s.Pick(10, 20, 20), Seed: k.Seed}.Fit(ctx, plain(w, set), data, learn.Options{})
	if err != nil {
		return treeMatchResult{}, err
	}
	line := plain(w, set)
	if _, err := (learn.Ridge{Options: learn.Options{Penalty: 1e-4, NoErrors: true}}).Learn(ctx, line, data); err != nil {
		return treeMatchResult{}, err
	}
	trees, linear := &greedyPlayer{set: set, predictor: grove}, &greedyPlayer{set: set, predictor: linearPredictor{line}}
	var out treeMatchResult
	if w.Players == 2 {
		entrant := func(name string, a search.Agent) search.Factory {
			return search.Factory{Name: name, New: func() (search.Agent, error) { return a, nil }}
		}
		cfg := arena.Config{Game: w.Game, A: entrant("trees", trees), B: entrant("sum", linear), Pairs: k.Pairs, Measure: arena.Wins, Seed: game.Seed(k.Seed, 0xb0, uint64(k.Part))}
		if !w.Chancy() {
			cfg.Openings.Plies = damage.OpeningPlies
		}
		r, err := arena.Run(ctx, cfg)
		if err == nil {
			out.Tally = study.Tally(r.Versus.Pentanomial)
		}
		return out, err
	}
	for i := range k.Pairs {
		for _, p := range []*greedyPlayer{linear, trees} {
			p.Begin(game.Seed(k.Seed, uint64(k.Part), uint64(i)))
			score, err := p.score(ctx, w, &play.Dice{Random: study.NewRand(k.Seed, 0xb0, uint64(k.Part), uint64(i))})
			if err != nil {
				return out, err
			}
			if p == trees {
				out.Trees = append(out.Trees, score)
			} else {
				out.Sum = append(out.Sum, score)
			}
		}
	}
	return out, nil
}

// score plays a game of one.
func (p *greedyPlayer) score(ctx context.Context, w *catalog.World, luck play.Luck) (float64, error) {
	s := w.New()
	e := play.Episode{Luck: luck}
	e.Begin(s, 0, w.MaxPlies)
	for e.Next() {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		r, _ := p.Search(ctx, s)
		e.Play(r.Move)
	}
	scorer, ok := game.As[game.Scorer](s)
	if e.Truncated() && ok {
		return scorer.Score(0), nil
	}
	return s.Utility(0), nil
}

func linearityResults(keys []comparison, found []trees.Comparison, played []treeMatchResult, seed uint64) (*study.Results, error) {
	f := &study.Results{}
	data := study.Data{Name: "cells", Head: []string{"game", "features", "rows", "episodes", "mse_constant", "mse_linear", "mse_trees", "cost", "cost_error", "play", "play_low", "play_high"}}
	t := report.Table{Head: []string{"game", "rows", "R2, sum", "R2, trees", "cost of the sum, % of its error", "trees against sum, one ply ahead"}, Words: 1,
		Caption: "R2: the share of the outcomes' variance explained in episodes held out. Cost: the sum's mean squared error less the trees', as a share of the sum's; below 0 the sum is better. Play: share of the points of the trees, in games of one the difference of scores as a share of the sum's."}
	p := report.Rows{XLabel: "cost, percent of the sum's error", Level: new(0.0)}
	dear, cheap, open := 0, 0, 0
	for i, k := range keys {
		c := found[i]
		cost := study.Interval{Value: c.Cost / c.Linear, Low: (c.Cost - float64(1.96*c.Error)) / c.Linear, High: (c.Cost + float64(1.96*c.Error)) / c.Linear}
		b := &played[i]
		var play study.Interval
		var finding study.Finding
		if b.Tally.Pairs() > 0 {
			play = study.ScoreOf(b.Tally, seed)
			finding = study.Decide("in "+k.Game+" trees play better than the sum, one ply ahead", play, study.Above, 0.5, "share of the points "+play.Format(3))
		} else {
			base := study.Mean(b.Sum)
			d := make([]float64, len(b.Sum))
			for j := range d {
				d[j] = (b.Trees[j] - b.Sum[j]) / math.Abs(base)
			}
			play = study.MeanOf(d, seed)
			finding = study.Decide("in "+k.Game+" trees play better than the sum, one ply ahead", play, study.Above, 0, "difference of scores "+study.Percent(play)+" percent of the sum's")
		}
		const small = 0.05
		v := study.Decide(fmt.Sprintf("in %s the sum costs less than %.0f percent of its error", k.Game, 100*small), cost, study.Below, small, "cost "+study.Percent(cost)+" percent")
		f.Findings = append(f.Findings, v, finding)
		switch v.Support {
		case study.Supported:
			cheap++
		case study.Contradicted:
			dear++
		default:
			open++
		}
		data.Row(k.Game, k.Set, c.Rows, c.Episodes, c.Constant, c.Linear, c.Trees, c.Cost, c.Error, play.Value, play.Low, play.High)
		t.Rows = append(t.Rows, []string{k.Game, fmt.Sprint(c.Rows), study.Number(1-c.Linear/c.Constant, 3), study.Number(1-c.Trees/c.Constant, 3), study.Percent(cost), play.Format(3)})
		p.Rows = append(p.Rows, draw.Row(k.Game, cost.Times(100), 1, draw.Neutral))
	}
	fig, err := report.NewFigure("cost", "What linearity costs in held-out error", "The mean squared error of the sum less that of bagged trees over the same features, as a share of the sum's, with 95% intervals; above 0 the trees predict better.", p)
	f.Figures, f.Tables, f.Data = append(f.Figures, fig), append(f.Tables, t), append(f.Data, data)
	f.Headline = fmt.Sprintf("That the evaluation is a sum of its features costs less than 5 percent of its held-out error against bagged trees in %d of %d games, more in %d, and %d are not decided.", cheap, len(keys), dear, open)
	return f, err
}
