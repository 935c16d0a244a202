package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
	Design: "Models along one learning curve (in games of two temporal differences; in games of one least squares on the final scores of a greedy player who knows nothing), the hand-written one and the one that knows nothing; expectimax and minimax two decisions ahead in the game's own world and in its hostile twin; every model against the hand-written one under the same planner. " +
		"Held-out error: the share of the variance of what is still to come that is left unexplained after the best affine fit, over positions of games that nobody learned from, played by the hand-written evaluation one decision ahead. Whose play gains more is the slope of the difference of strengths on the held-out error, by least squares along each learning curve; the curves, ten training seeds, are the units of its interval. Fewer than eight of them, or one decision ahead, where the planners hardly differ, give no verdict. " +
		"Strength is the share of the points in games of two, else the difference of scores in units of the hand-written evaluation's. Training seeds differ by more than 200 pairs leave open, so more seeds are worth more than more pairs.",
	Takes:   []string{"game", "eval", "depth", "pairs"},
	Minutes: [3]float64{0.1, 5, 90},
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
	if s.Effort == study.Full {
		games = append(games, curveGame{"pacman:layout=room", 2, 20, 2000})
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
	rival, err := rivalOf(s, w)
	if err != nil {
		return err
	}
	points, err := curvePoints(ctx, s, w, l, rival)
	if err != nil {
		return err
	}
	hostile, err := s.Catalog.World(w.Spec + "+adversary")
	if err != nil {
		return err
	}
	var keys []strengthCell
	pairs := max(10, s.Pairs(100, 200, 2000)/l.share)
	for _, p := range points {
		for _, planner := range []string{"expectimax", "minimax"} {
			for _, twin := range []bool{false, true} {
				keys = append(keys, strengthCell{Game: w.Spec, Model: p.name, Digest: p.evaluation.Digest, Planner: planner, Hostile: twin, Depth: l.depth, Pairs: pairs, Rival: over(s, rival), Seed: s.Seed})
			}
		}
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
	return trainResults(f, w, l, rivalName(s), points, keys, found)
}

func trainResults(f *study.Results, w *catalog.World, l curveGame, rival string, points []curvePoint, keys []strengthCell, found []study.Interval) error {
	worlds := []string{w.Spec, w.Spec + "+adversary"}
	t := report.Table{Head: []string{"model", "held-out error"}, Words: 1, Caption: fmt.Sprintf("Strength against %s, %s, %d decisions ahead. Held-out error: the share of the variance of what is still to come that is left after the best affine fit.", rival, w.Spec, l.depth)}
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
	for _, c := range columns {
		t.Head = append(t.Head, name(c))
		for _, p := range sorted {
			e := at(p, c)
			world := worlds[0]
			if c.Hostile {
				world = worlds[1]
			}
			f.Data[0].Row(w.Spec, p.name, p.error, c.Planner, world, keys[0].Pairs, e.Value, e.Low, e.High)
		}
	}
	for _, p := range points {
		row := []string{p.name, study.Number(p.error, 3)}
		for _, c := range columns {
			row = append(row, at(p, c).Format(3))
		}
		t.Rows = append(t.Rows, row)
	}
	f.Tables = append(f.Tables, t)
	if err := trainFigure(f, w, rival, points, at); err != nil {
		return err
	}
	planners := [2]study.Interval{}
	for i, c := range columns[:2] {
		planners[i] = at(points[len(points)-1], c)
	}
	trainSlope(f, w, l, points, func(p curvePoint) float64 { return at(p, columns[0]).Value - at(p, columns[1]).Value })
	f.Notes = append(f.Notes, fmt.Sprintf("%s: the model of most games, %s, has the strength %s under expectimax and %s under minimax, in the game as it is.", w.Spec, points[len(points)-1].name, planners[0].Format(3), planners[1].Format(3)))
	return nil
}

// trainFigure draws strength against games learned from, a panel a world: the mean of
// the learning curves, each of a training seed of its own, which are the units.
func trainFigure(f *study.Results, w *catalog.World, rival string, points []curvePoint, at func(p curvePoint, c strengthCell) study.Interval) error {
	if rival = strings.TrimSuffix(strings.TrimPrefix(rival, "the "), " evaluation"); len(rival) > 20 {
		rival = "--eval" // the caption has it whole
	}
	ylabel := "share of the points against " + rival
	if w.Players == 1 {
		ylabel = "score, share above " + rival + "'s"
	}
	var games []int
	for _, p := range points {
		if p.learned && !slices.Contains(games, p.games) {
			games = append(games, p.games)
		}
	}
	var ticks []float64
	for _, n := range games {
		ticks = append(ticks, float64(n))
	}
	var panels []report.Chart
	for _, hostile := range []bool{false, true} {
		var lines []draw.Line
		for n, planner := range []string{"expectimax", "minimax"} {
			l := draw.Line{Name: planner, Color: 5 + n}
			for _, g := range games {
				var x []float64
				var one study.Interval
				for _, p := range points {
					if p.learned && p.games == g {
						one = at(p, strengthCell{Planner: planner, Hostile: hostile})
						x = append(x, one.Value)
					}
				}
				if len(x) > 1 {
					one = study.TInterval(x)
				}
				l.Add(float64(g)*(1+float64(n)/40), one)
			}
			lines = append(lines, l)
		}
		p := draw.Panel(map[bool]string{false: "world of chance", true: "nature as an adversary"}[hostile], "games learned from", ylabel, ticks, lines)
		p.LogX = true
		for i, l := range lines { // on a logarithmic axis lines are moved apart by a factor
			p.Series[i].X = l.X
		}
		panels = append(panels, p)
	}
	draw.SameScale(panels)
	fig, err := draw.Figure("curve-"+w.Base().Name, "Strength along the learning curve, "+w.Spec, "The mean strength of models with training seeds of their own, by the games that they learned from, with 95% intervals over training seeds (of one seed: of its match).", panels...)
	f.Figures = append(f.Figures, fig)
	return err
}

// fewestCurves is how many learning curves a verdict wants.
const fewestCurves = 8

// trainSlope judges whose strength rises more as the error falls: a slope a learning
// curve, with the curves as units, since models scatter about any line far more than
// their matches do, and those of one curve scatter together.
func trainSlope(f *study.Results, w *catalog.World, l curveGame, points []curvePoint, advantage func(p curvePoint) float64) {
	var x, y [][]float64
	for _, p := range points {
		if !p.learned {
			continue
		}
		for p.curve >= len(x) {
			x, y = append(x, nil), append(y, nil)
		}
		x[p.curve], y[p.curve] = append(x[p.curve], p.error), append(y[p.curve], advantage(p))
	}
	if len(x) < fewestCurves || l.depth < 2 {
		f.Notes = append(f.Notes, fmt.Sprintf("%s: %d training seeds, %d decisions ahead: no verdict on slopes, which wants %d seeds and 2 decisions.", w.Spec, len(x), l.depth, fewestCurves))
		return
	}
	var slopes []float64
	for i := range x {
		slopes = append(slopes, study.Slope(x[i], y[i]).Value)
	}
	i := study.TInterval(slopes)
	f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("in %s strength rises more under expectimax than under minimax as the held-out error falls", w.Spec), i, study.Below, 0,
		fmt.Sprintf("difference of slopes %s over %d training seeds", i.Format(2), len(x))))
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
