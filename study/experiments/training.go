package experiments

import (
	"context"
	"fmt"
	"slices"

	"plyfit/catalog"
	"plyfit/report"
	"plyfit/study"
	"plyfit/study/experiments/draw"
)

var training = study.Experiment{
	Name:     "training",
	Question: "As learning makes an evaluation better, whose play gains more: that of minimax or that of expectimax?",
	Hypothesis: "Written 2026-11-21, before the first run: in both worlds strength rises as the held-out error falls, under either planner; in the world of chance it rises more steeply under expectimax, " +
		"since what learning mends is mostly scale and calibration.",
	Withdrawn: "All twelve verdicts on slopes. Their intervals were redrawn from the matches' noise alone; the models scatter about the line by 14 to 24 times that. With it the difference of slopes is 1.12 +-4.22 in connect4:dice and 4.75 +-19.3 in pacman; " +
		"in backgammon both planners are one algorithm, one decision ahead over afterstates. A slope needs several training seeds, with the model as the unit.",
	Design: "Models along one learning curve (in games of two temporal differences; in games of one least squares on the final scores of a greedy player who knows nothing), the hand-written one and the one that knows nothing; expectimax and minimax two decisions ahead (one in backgammon), in the game's own world and in its hostile twin; every model against the hand-written one under the same planner. " +
		"Held-out error: the share of the variance of what is still to come that is left unexplained after the best affine fit, over positions of games that nobody learned from, played by the hand-written evaluation one decision ahead. Whose play gains more is the slope of the difference of strengths on the held-out error, over learned models, by least squares with the models' own scatter about the line; fewer than eight models, or one decision ahead, where the planners hardly differ, give no verdict. The default setting has two training seeds, the full one ten. " +
		"Strength is the share of the points in games of two, else the difference of scores in units of the hand-written evaluation's. Sample size: 2,000 pairs give a strength +-.012 in connect four, the quick setting's 300 +-.03.",
	Takes:   []string{"game", "depth", "pairs"},
	Minutes: [3]float64{0.3, 16, 60},
	Run:     runTraining,
}

// curveGame is a game of the experiment.
type curveGame struct {
	spec  string
	depth int
	share int // of the pairs: one in so many
	most  int // games to learn from, at most
}

func runTraining(ctx context.Context, s *study.Session) (*study.Results, error) {
	games := []curveGame{{"connect4:dice=on", 2, 1, 50000}, {"2048:size=3", 2, 2, 10000}}
	if s.Effort != study.Quick {
		games = append(games, curveGame{"pacman:layout=room", 2, 20, 2000}, curveGame{"backgammon", 1, 2, 10000})
	}
	if s.Over.Games != nil {
		games = nil
		for _, g := range s.Over.Games {
			games = append(games, curveGame{g, 2, 1, 10000})
		}
	}
	f := &study.Results{Data: []study.Data{{Name: "cells", Head: []string{"game", "model", "error", "planner", "world", "pairs", "strength", "strength_low", "strength_high"}}}}
	for _, l := range games {
		if s.Over.Depths != nil {
			l.depth = s.Over.Depths[0]
		}
		if err := trainGame(ctx, s, f, l); err != nil {
			return nil, err
		}
	}
	trainHeadline(f)
	return f, nil
}

func trainGame(ctx context.Context, s *study.Session, f *study.Results, l curveGame) error {
	w, err := s.Catalog.World(l.spec)
	if err != nil {
		return err
	}
	if !w.Chancy() || w.Players > 2 || w.Inside != nil {
		return fmt.Errorf("game %s: want a game of chance for one or two, without +", w.Spec)
	}
	points, err := curvePoints(ctx, s, w, l)
	if err != nil {
		return err
	}
	hostile, err := s.Catalog.World(w.Spec + "+adversary")
	if err != nil {
		return err
	}
	var keys []strengthCell
	pairs := max(10, s.Pairs(300, 2000, 5000)/l.share)
	for _, p := range points {
		for _, planner := range []string{"expectimax", "minimax"} {
			for _, twin := range []bool{false, true} {
				keys = append(keys, strengthCell{Game: w.Spec, Model: p.name, Digest: p.evaluation.Digest, Planner: planner, Hostile: twin, Depth: l.depth, Pairs: pairs, Seed: s.Seed})
			}
		}
	}
	rival, err := w.Evaluation("handwritten")
	if err != nil {
		return err
	}
	found, err := study.Cells(ctx, s, "matches in "+w.Spec, keys, nil, func(ctx context.Context, k strengthCell) (study.Interval, error) {
		i := slices.IndexFunc(points, func(p curvePoint) bool { return p.name == k.Model })
		world := w
		if k.Hostile {
			world = hostile
		}
		return k.play(ctx, world, points[i].evaluation, rival)
	})
	if err != nil {
		return err
	}
	return trainResults(f, w, l, points, keys, found)
}

func trainResults(f *study.Results, w *catalog.World, l curveGame, points []curvePoint, keys []strengthCell, found []study.Interval) error {
	worlds := []string{w.Spec, w.Spec + "+adversary"}
	t := report.Table{Head: []string{"model", "held-out error"}, Words: 1, Caption: fmt.Sprintf("Strength against the hand-written evaluation, %s, %d decisions ahead. Held-out error: the share of the variance of what is still to come that is left after the best affine fit.", w.Spec, l.depth)}
	columns := []strengthCell{{Planner: "expectimax"}, {Planner: "minimax"}, {Planner: "expectimax", Hostile: true}, {Planner: "minimax", Hostile: true}}
	at := func(p curvePoint, c strengthCell) study.Interval {
		for i, k := range keys {
			if k.Model == p.name && k.Planner == c.Planner && k.Hostile == c.Hostile {
				return found[i]
			}
		}
		panic("study: no such match")
	}
	name := func(c strengthCell) string {
		if c.Hostile {
			return c.Planner + ", adversary"
		}
		return c.Planner + ", chance"
	}
	sorted := slices.Clone(points)
	slices.SortFunc(sorted, func(a, b curvePoint) int {
		switch {
		case a.error < b.error:
			return -1
		case a.error > b.error:
			return 1
		}
		return 0
	})
	var lines []draw.Line
	for _, c := range columns {
		t.Head = append(t.Head, name(c))
		ln := draw.Line{Name: name(c), Dashed: c.Hostile}
		for _, p := range sorted {
			e := at(p, c)
			ln.Add(p.error, e)
			world := worlds[0]
			if c.Hostile {
				world = worlds[1]
			}
			f.Data[0].Row(w.Spec, p.name, p.error, c.Planner, world, keys[0].Pairs, e.Value, e.Low, e.High)
		}
		lines = append(lines, ln)
	}
	for _, p := range points {
		row := []string{p.name, study.Number(p.error, 3)}
		for _, c := range columns {
			row = append(row, at(p, c).Format(3))
		}
		t.Rows = append(t.Rows, row)
	}
	f.Tables = append(f.Tables, t)
	ylabel := "share of the points against hand-written"
	if w.Players == 1 {
		ylabel = "score, share above hand-written's"
	}
	p := draw.Panel("", "held-out error, share of variance left", ylabel, nil, lines)
	for i := range p.Series {
		p.Series[i].Points = true // models, not all of one curve: nothing lies between them
	}
	fig, err := draw.Figure("curve-"+w.Base().Name, "Strength along the learning curve, "+w.Spec, "Each point is a model: along the learning curve, hand-written, or zero; to the right the worse. 95% intervals of the matches.", p)
	if err != nil {
		return err
	}
	f.Figures = append(f.Figures, fig)
	planners := [2]study.Interval{}
	for i, c := range columns[:2] {
		planners[i] = at(points[len(points)-1], c)
	}
	trainSlope(f, w, l, points, func(p curvePoint) float64 { return at(p, columns[0]).Value - at(p, columns[1]).Value })
	f.Notes = append(f.Notes, fmt.Sprintf("%s: the model of most games, %s, has the strength %s under expectimax and %s under minimax, in the game as it is.", w.Spec, points[len(points)-1].name, planners[0].Format(3), planners[1].Format(3)))
	return nil
}

// fewestModels is how many learned models a slope wants.
const fewestModels = 8

// trainSlope judges whose strength rises more as the error falls: model by model,
// since models scatter about any line far more than their matches do.
func trainSlope(f *study.Results, w *catalog.World, l curveGame, points []curvePoint, advantage func(p curvePoint) float64) {
	var x, y []float64
	for _, p := range points {
		if p.learned {
			x, y = append(x, p.error), append(y, advantage(p))
		}
	}
	if len(x) < fewestModels || l.depth < 2 {
		f.Notes = append(f.Notes, fmt.Sprintf("%s: %d learned models, %d decisions ahead: no verdict on slopes, which wants %d models and 2 decisions.", w.Spec, len(x), l.depth, fewestModels))
		return
	}
	i := study.Slope(x, y)
	f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("in %s strength rises more under expectimax than under minimax as the held-out error falls", w.Spec), i, study.Below, 0,
		fmt.Sprintf("difference of slopes %s over %d models", i.Format(2), len(x))))
}

// trainHeadline says what the curves are, and are not.
func trainHeadline(f *study.Results) {
	decided := 0
	for _, v := range f.Findings {
		if v.Support == study.Supported || v.Support == study.Contradicted {
			decided++
		}
	}
	f.Headline = fmt.Sprintf("Strength along learning curves in %d games of chance, under both planners; whose play gains more is decided in %d of them.", len(f.Tables), decided)
}
