package solved

import (
	"context"
	"fmt"
	"slices"

	"plyfit/report"
	"plyfit/study"
	"plyfit/study/damage"
	"plyfit/study/exact"
	"plyfit/study/experiments/draw"
)

// claimed2048 is the depth that claims on 2048 are about: that of the trees in
// which errors are measured.
const claimed2048 = 2

// reportTiles adds tables on a board and, where claims is true, figures and findings.
func reportTiles(b *exact.Tiles, f *study.Results, found exact.TilesFound, arms []*exact.TilesArm, depth int, claims bool) error {
	f.Notes = append(f.Notes, fmt.Sprintf("%s has %d positions up to symmetry in which the player is to move, all of them counted. Perfect play is expected to score %.2f from the start, and sure of %.0f though nature does its worst. "+
		"Noise follows from the board and a seed and is the same on its images; its bars are its seeds' range; everything else is exact, to the rounding of sums in double precision. Evaluations are counted in steps of 2^-20 points. What differs by less than 1e-11 of itself counts as equally good: beside the chance of an end of the game a fearful exponential of large gains is as small as that, so that such a planner tells only some safe moves apart.", b.Name, found.Positions, found.Expected, found.Certain))
	if found.Variances[1] < 1e-6 {
		f.Notes = append(f.Notes, fmt.Sprintf("The %s evaluation hopes for more than %s can give: clamped to what is possible, it says the same of all boards in a tree, and only what is gained or lost within the horizon counts.", baseName(b, exact.LinearBase), b.Name))
	}
	f.Tables = append(f.Tables, tilesTable(b, found, arms, depth))
	if !claims {
		return nil
	}
	for _, draw := range []func() (report.Figure, error){
		func() (report.Figure, error) { return tilesRegretFigure(b, arms, depth) },
		func() (report.Figure, error) { return tilesRiskFigure(b, found, arms, depth) },
	} {
		fig, err := draw()
		if err != nil {
			return err
		}
		f.Figures = append(f.Figures, fig)
	}
	if depth >= claimed2048 {
		tilesFindings(b, f, arms, depth)
		if f.Headline == "" { // there is nothing beside 2048
			f.Headline = tilesHeadline(b, arms)
		}
	}
	return nil
}

// baseName is the evaluation as tables call it.
func baseName(b *exact.Tiles, base string) string {
	switch {
	case base == exact.ExactBase:
		return "exact value"
	case b.Evaluation.Name == "handwritten":
		return "hand-written"
	}
	return b.Evaluation.Name
}

func tilesTable(b *exact.Tiles, found exact.TilesFound, arms []*exact.TilesArm, depth int) report.Table {
	t := report.Table{Words: 3, Head: []string{"evaluation", "planner", "judged by", "error, points"},
		Caption: fmt.Sprintf("%s: planners on the calibrated evaluation, the exact value after a move, and on an imperfect one. Regret: percent of a random move's, over the choices that perfect play meets; expectimax is judged by what perfect play expects, minimax by what is certain though nature does its worst. "+
			"Score: expected at the end of the planner's own games; perfect play's is %.2f. Error: root mean square after the best affine fit within trees of two decisions. Noise: the mean over its seeds.", b.Name, found.Expected)}
	for d := range depth {
		t.Head = append(t.Head, fmt.Sprintf("regret, depth %d", d+1))
	}
	for d := range depth {
		t.Head = append(t.Head, fmt.Sprintf("score, depth %d", d+1))
	}
	for _, a := range arms {
		row := []string{baseName(b, a.Base), a.Planner, a.String(), ""}
		if a.Error > 0 {
			row[3] = study.Number(a.Error, 1)
		}
		for d := range depth {
			row = append(row, a.Share(d+1).Plain(2))
		}
		for d := range depth {
			row = append(row, a.Score(d+1).Plain(2))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// extra is the true regret above that of the same planner on the clean
// evaluation, in percent of a random move's.
func extra(arms []*exact.TilesArm, a *exact.TilesArm, depth int) study.Interval {
	clean := exact.ArmOf(arms, a.Base, a.Planner, damage.Risk{}, false).Share(depth).Value
	i := a.Share(depth)
	return study.Interval{Value: i.Value - clean, Low: i.Low - clean, High: i.High - clean}
}

func tilesRegretFigure(b *exact.Tiles, arms []*exact.TilesArm, depth int) (report.Figure, error) {
	var ticks []float64
	for d := range depth {
		ticks = append(ticks, float64(d+1))
	}
	var panels []report.Chart
	for _, base := range exact.TilesBases {
		var lines []draw.Line
		put := func(a *exact.TilesArm) {
			l := draw.Line{Name: a.Planner + ", " + a.String(), Dashed: a.Planner == exact.ByWorst, Color: draw.Scale}
			if a.Risk.Kind == damage.NoisyScore {
				l.Color = draw.Noise
			}
			for d := range depth {
				l.Add(float64(d+1), extra(arms, a, d+1))
			}
			lines = append(lines, l)
		}
		for _, g := range b.Main {
			put(exact.ArmOf(arms, base, exact.ByChance, g, false))
			put(exact.ArmOf(arms, base, exact.ByChance, g, true))
			if base == exact.ExactBase {
				put(exact.ArmOf(arms, base, exact.ByWorst, g, true))
			}
		}
		if base == exact.ExactBase {
			l := draw.Line{Name: "minimax, either exponential", Dashed: true, Color: draw.Scale}
			for d := range depth {
				l.Add(float64(d+1), extra(arms, exact.ArmOf(arms, base, exact.ByWorst, b.Main[0], false), d+1))
			}
			lines = append(lines, l)
		}
		p := draw.Panel("Evaluation: "+baseName(b, base), "depth, decisions", "extra regret, % of random's", ticks, lines)
		p.Level = new(0.0)
		panels = append(panels, p)
	}
	return draw.Figure(fmt.Sprintf("2048-%d-regret", b.Grid.Size), "What damage costs against perfect play, "+b.Name+", all positions",
		"Extra regret: true regret, in percent of a random move's, above that of the same planner on the clean evaluation; below 0 the damage is a repair. Exact: no position and no game was sampled; bars on noise are the range of its seeds. Expectimax is judged in the game, minimax against a hostile nature. Lines are moved apart a little.", panels...)
}

func tilesRiskFigure(b *exact.Tiles, found exact.TilesFound, arms []*exact.TilesArm, depth int) (report.Figure, error) {
	unit := b.Main[0].Scale
	preference := func(g damage.Risk) float64 {
		switch g.Kind {
		case damage.Seeking:
			return unit / g.Scale
		case damage.Averse:
			return -unit / g.Scale
		}
		return 0
	}
	sorted := slices.Clone(b.Risks)
	slices.SortFunc(sorted, func(x, y damage.Risk) int {
		if preference(x) < preference(y) {
			return -1
		}
		return 1
	})
	var ticks []float64
	for _, g := range sorted {
		ticks = append(ticks, preference(g))
	}
	var panels []report.Chart
	for k, base := range exact.TilesBases {
		var lines []draw.Line
		for d := range depth {
			l := draw.Line{Name: fmt.Sprintf("depth %d", d+1), Color: draw.Neutral, Shape: d + 1}
			for _, g := range sorted {
				l.Add(preference(g), exact.ArmOf(arms, base, exact.ByChance, g, false).Score(d+1))
			}
			lines = append(lines, l)
		}
		if k == 1 {
			l := draw.Line{Name: "perfect play", Dashed: true, Color: 5}
			l.Add(preference(sorted[0]), study.Exactly(found.Expected))
			l.Add(preference(sorted[len(sorted)-1]), study.Exactly(found.Expected))
			lines = append(lines, l)
		}
		p := draw.Panel("Evaluation: "+baseName(b, base), fmt.Sprintf("%g points / scale: fears risk (left), loves it (right)", unit), "expected final score, points", ticks, lines)
		panels = append(panels, p)
	}
	return draw.Figure(fmt.Sprintf("2048-%d-risk", b.Grid.Size), "What expectimax scores by its taste for risk, "+b.Name,
		"Expected final score from the start, exact, judged by exp(gain/scale) or -exp(-gain/scale); at 0 by points. At depth 1 a taste changes nothing, since the evaluation stands after the move and nothing is averaged.", panels...)
}

func tilesFindings(b *exact.Tiles, f *study.Results, arms []*exact.TilesArm, depth int) {
	const d = claimed2048
	spec := b.Name
	of := "% of a random move's regret"
	for _, g := range b.Main {
		blind := extra(arms, exact.ArmOf(arms, exact.ExactBase, exact.ByWorst, g, false), d)
		f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("in %s judging by %v costs minimax exactly nothing against a hostile nature, depth %d", spec, g, d), blind, study.Equals, 0, blind.Format(3)+of))
		warp := exact.ArmOf(arms, exact.ExactBase, exact.ByChance, g, false)
		cost := extra(arms, warp, d)
		f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("in %s judging the exact value by %v costs expectimax, depth %d", spec, g, d), cost, study.Above, 0,
			fmt.Sprintf("%s%s, %.2f%% of the score, exact", cost.Format(3), of, 100*lostShare(arms, warp, d).Value)))
	}
	gain, where := 0.0, "none did"
	for _, g := range b.Risks[1:] {
		for n := claimed2048; n <= depth; n++ {
			if x := -lostShare(arms, exact.ArmOf(arms, exact.LinearBase, exact.ByChance, g, false), n).Value; x > gain {
				gain, where = x, fmt.Sprintf("%v, depth %d: %.2f%% more points, exact", g, n, 100*x)
			}
		}
	}
	f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("in %s some taste for risk improves the %s evaluation", spec, baseName(b, exact.LinearBase)), study.Exactly(gain), study.Above, 0, where))
}

// headline says what the claims' figures come to.
func tilesHeadline(b *exact.Tiles, arms []*exact.TilesArm) string {
	g := b.Main[1]
	lost := func(noise bool) string {
		return study.Percent(lostShare(arms, exact.ArmOf(arms, exact.ExactBase, exact.ByChance, g, noise), claimed2048))
	}
	regret := func(noise bool) string {
		return extra(arms, exact.ArmOf(arms, exact.ExactBase, exact.ByWorst, g, noise), claimed2048).Format(2)
	}
	return fmt.Sprintf("In %s, all positions counted, %d decisions ahead: judging the exact value by %v costs expectimax %s percent of its points, noise of the same error %s; against a hostile nature they add %s and %s percent of a random move's regret to minimax's own.",
		b.Name, claimed2048, g, lost(false), lost(true), regret(false), regret(true))
}

// lostShare is the share of the clean planner's expected score that a damaged
// one lacks.
func lostShare(arms []*exact.TilesArm, a *exact.TilesArm, depth int) study.Interval {
	clean := exact.ArmOf(arms, a.Base, a.Planner, damage.Risk{}, false).Score(depth).Value
	i := a.Score(depth)
	return study.Interval{Value: 1 - i.Value/clean, Low: 1 - i.High/clean, High: 1 - i.Low/clean}
}

// askedTable evaluates what cannot be worked out from the leaves upwards, on a
// board where every planner can be asked at every position and score.
func enumeratedTable(b *exact.Tiles, perfect *exact.PerfectValue, depth int) report.Table {
	t := report.Table{Words: 2, Head: []string{"evaluation", "judged by"},
		Caption: fmt.Sprintf("%s, expectimax: the logarithm of the total and powers of the gain, which depend on the position at the root, by asking the planner at every position and score. Regret in percent of a random move's, and expected final score; exact.", b.World.Spec)}
	preferences := []damage.Risk{{}, {Kind: damage.LogTotal}, {Kind: damage.PowerOfGain, Scale: 0.5}, {Kind: damage.PowerOfGain, Scale: 3}}
	rows := make([][]string, len(exact.TilesBases)*len(preferences))
	scores := make([][]string, len(rows))
	for d := range depth {
		t.Head = append(t.Head, fmt.Sprintf("regret, depth %d", d+1))
	}
	for d := range depth {
		t.Head = append(t.Head, fmt.Sprintf("score, depth %d", d+1))
		for i, base := range exact.TilesBases {
			for j, g := range preferences {
				p := damage.NewRiskPlanner(b.World, b.Evaluation, d+1, g)
				if base == exact.ExactBase {
					p.Eval = perfect
				}
				of, random, _ := exact.Enumerate(b.World, p.Best)
				n := i*len(preferences) + j
				if d == 0 {
					rows[n] = []string{baseName(b, base), g.String()}
				}
				rows[n] = append(rows[n], study.Number(100*of[0].Regret/random, 2))
				scores[n] = append(scores[n], study.Number(of[0].Score, 2))
			}
		}
	}
	for n := range rows {
		t.Rows = append(t.Rows, append(rows[n], scores[n]...))
	}
	return t
}

// smallTiles is a board to solve; goal is that of [newGrid].
type smallTiles struct {
	spec string
	goal int
}

// truth2048 adds boards of 2048 to the findings, with claims on the last of them.
func truth2048(ctx context.Context, s *study.Session, f *study.Results, boards []smallTiles) error {
	depth := slices.Max(study.Or(s.Over.Depths, []int{3}))
	data := study.Data{Name: "2048", Head: []string{"game", "base", "planner", "taste", "like", "noise_seed", "error", "depth", "regret", "random_regret", "worse_choices", "score"}}
	for i, x := range boards {
		b, err := exact.LoadTiles(ctx, s, x.spec, x.goal)
		if err != nil {
			return err
		}
		found, arms, err := b.Arms(ctx, s, depth)
		if err != nil {
			return err
		}
		for _, a := range arms {
			like := ""
			if a.Risk.Kind == damage.NoisyScore {
				like = a.Like.String()
			}
			for seed, by := range a.Seeds {
				for d, j := range by {
					data.Row(b.Name, a.Base, a.Planner, a.Risk, like, seed, study.Round(a.Error, 4), d+1, j.Regret, a.Random, j.Worse, j.Score)
				}
			}
		}
		if err := reportTiles(b, f, found, arms, depth, i == len(boards)-1); err != nil {
			return err
		}
		if b.Grid.Size == 2 {
			perfect, err := b.Exactly(ctx)
			if err != nil {
				return err
			}
			f.Tables = append(f.Tables, enumeratedTable(b, perfect, depth))
		}
	}
	f.Data = append(f.Data, data)
	return nil
}
