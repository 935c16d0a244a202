package study

import (
	"fmt"
	"slices"

	"plyfit/internal/report"
)

// claimed2048 is the depth that claims on 2048 are about: that of the trees in
// which errors are measured.
const claimed2048 = 2

// report adds tables on a board and, where claims is true, figures and verdicts.
func (b *tilesBoard) report(f *Findings, found tilesFound, arms []*tilesArm, depth int, claims bool) error {
	f.Notes = append(f.Notes, fmt.Sprintf("%s has %d positions up to symmetry in which the player is to move, all of them counted. Perfect play is expected to score %.2f from the start, and sure of %.0f though nature does its worst. "+
		"Noise follows from the board and a seed and is the same on its images; its bars are its seeds' range; everything else is exact, to the rounding of sums in double precision. Evaluations are counted in steps of 2^-20 points. What differs by less than 1e-11 of itself counts as equally good: beside the chance of an end of the game a fearful exponential of large gains is as small as that, so that such a planner tells only some safe moves apart.", b.name, found.Positions, found.Expected, found.Certain))
	if found.Variances[1] < 1e-6 {
		f.Notes = append(f.Notes, fmt.Sprintf("The %s evaluation hopes for more than %s can give: clamped to what is possible, it says the same of all boards in a tree, and only what is gained or lost within the horizon counts.", b.baseName(linearBase), b.name))
	}
	f.Tables = append(f.Tables, b.table(found, arms, depth))
	if !claims {
		return nil
	}
	for _, draw := range []func() (report.Figure, error){
		func() (report.Figure, error) { return b.regretFigure(arms, depth) },
		func() (report.Figure, error) { return b.riskFigure(found, arms, depth) },
	} {
		fig, err := draw()
		if err != nil {
			return err
		}
		f.Figures = append(f.Figures, fig)
	}
	if depth >= claimed2048 {
		b.verdicts(f, arms, depth)
		if f.Headline == "" { // there is nothing beside 2048
			f.Headline = b.headline(arms)
		}
	}
	return nil
}

// baseName is the evaluation as tables call it.
func (b *tilesBoard) baseName(base string) string {
	switch {
	case base == exactBase:
		return "exact value"
	case b.judge.Name == "handwritten":
		return "hand-written"
	}
	return b.judge.Name
}

func (b *tilesBoard) table(found tilesFound, arms []*tilesArm, depth int) report.Table {
	t := report.Table{Words: 3, Head: []string{"evaluation", "planner", "judged by", "error, points"},
		Caption: fmt.Sprintf("%s: planners on the calibrated evaluation, the exact value after a move, and on an imperfect one. Regret: percent of a random move's, over the choices that perfect play meets; expectimax is judged by what perfect play expects, minimax by what is certain though nature does its worst. "+
			"Score: expected at the end of the planner's own games; perfect play's is %.2f. Error: root mean square after the best affine fit within trees of two decisions. Noise: the mean over its seeds.", b.name, found.Expected)}
	for d := range depth {
		t.Head = append(t.Head, fmt.Sprintf("regret, depth %d", d+1))
	}
	for d := range depth {
		t.Head = append(t.Head, fmt.Sprintf("score, depth %d", d+1))
	}
	for _, a := range arms {
		row := []string{b.baseName(a.base), a.planner, a.String(), ""}
		if a.error > 0 {
			row[3] = number(a.error, 1)
		}
		for d := range depth {
			row = append(row, a.share(d+1).plain(2))
		}
		for d := range depth {
			row = append(row, a.score(d+1).plain(2))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// extra is the true regret above that of the same planner on the clean
// evaluation, in percent of a random move's.
func extra(arms []*tilesArm, a *tilesArm, depth int) Interval {
	clean := armOf(arms, a.base, a.planner, gamble{}, false).share(depth).Value
	i := a.share(depth)
	return Interval{i.Value - clean, i.Low - clean, i.High - clean}
}

func (b *tilesBoard) regretFigure(arms []*tilesArm, depth int) (report.Figure, error) {
	var ticks []float64
	for d := range depth {
		ticks = append(ticks, float64(d+1))
	}
	var panels []report.Chart
	for _, base := range tilesBases {
		var lines []line
		put := func(a *tilesArm, style int) {
			l := line{name: a.planner + ", " + a.String(), dashed: a.planner == byWorst, style: style}
			for d := range depth {
				l.add(float64(d+1), extra(arms, a, d+1))
			}
			lines = append(lines, l)
		}
		for n, g := range b.main {
			put(armOf(arms, base, byChance, g, false), 1+n)
			put(armOf(arms, base, byChance, g, true), 3+n)
			if base == exactBase {
				put(armOf(arms, base, byWorst, g, true), 3+n)
			}
		}
		if base == exactBase {
			l := line{name: "minimax, either exponential", dashed: true, style: 7}
			for d := range depth {
				l.add(float64(d+1), extra(arms, armOf(arms, base, byWorst, b.main[0], false), d+1))
			}
			lines = append(lines, l)
		}
		p := panel("Evaluation: "+b.baseName(base), "depth, decisions", "extra regret, % of random's", ticks, lines)
		p.Level = ptr(0)
		p.Width = p.Width * 11 / 10
		panels = append(panels, p)
	}
	return figure(fmt.Sprintf("2048-%d-regret", b.grid.size), "What damage costs against perfect play, "+b.name+", all positions",
		"Extra regret: true regret, in percent of a random move's, above that of the same planner on the clean evaluation; below 0 the damage is a repair. Exact: no position and no game was sampled; bars on noise are the range of its seeds. Expectimax is judged in the game, minimax against a hostile nature. Lines are moved apart a little.", panels...)
}

func (b *tilesBoard) riskFigure(found tilesFound, arms []*tilesArm, depth int) (report.Figure, error) {
	unit := b.main[0].Scale
	taste := func(g gamble) float64 {
		switch g.Kind {
		case seeking:
			return unit / g.Scale
		case fearing:
			return -unit / g.Scale
		}
		return 0
	}
	sorted := slices.Clone(b.tastes)
	slices.SortFunc(sorted, func(x, y gamble) int {
		if taste(x) < taste(y) {
			return -1
		}
		return 1
	})
	var ticks []float64
	for _, g := range sorted {
		ticks = append(ticks, taste(g))
	}
	var panels []report.Chart
	for k, base := range tilesBases {
		var lines []line
		for d := range depth {
			l := line{name: fmt.Sprintf("depth %d", d+1), style: d + 1}
			for _, g := range sorted {
				l.add(taste(g), armOf(arms, base, byChance, g, false).score(d+1))
			}
			lines = append(lines, l)
		}
		if k == 1 {
			l := line{name: "perfect play", dashed: true, style: 7}
			l.add(taste(sorted[0]), exactly(found.Expected))
			l.add(taste(sorted[len(sorted)-1]), exactly(found.Expected))
			lines = append(lines, l)
		}
		p := panel("Evaluation: "+b.baseName(base), fmt.Sprintf("%g points / scale: fears risk (left), loves it (right)", unit), "expected final score, points", ticks, lines)
		panels = append(panels, p)
	}
	return figure(fmt.Sprintf("2048-%d-risk", b.grid.size), "What expectimax scores by its taste for risk, "+b.name,
		"Expected final score from the start, exact, judged by exp(gain/scale) or -exp(-gain/scale); at 0 by points. At depth 1 a taste changes nothing, since the evaluation stands after the move and nothing is averaged.", panels...)
}

func (b *tilesBoard) verdicts(f *Findings, arms []*tilesArm, depth int) {
	const d = claimed2048
	spec := b.name
	of := "% of a random move's regret"
	for _, g := range b.main {
		blind := extra(arms, armOf(arms, exactBase, byWorst, g, false), d)
		f.Verdicts = append(f.Verdicts, Judge(fmt.Sprintf("in %s judging by %v costs minimax exactly nothing against a hostile nature, depth %d", spec, g, d), blind, Equals, 0, blind.Format(3)+of))
		warp := armOf(arms, exactBase, byChance, g, false)
		cost := extra(arms, warp, d)
		f.Verdicts = append(f.Verdicts, Judge(fmt.Sprintf("in %s judging the exact value by %v costs expectimax, depth %d", spec, g, d), cost, Above, 0,
			fmt.Sprintf("%s%s, %.2f%% of the score, exact", cost.Format(3), of, 100*lostShare(arms, warp, d).Value)))
	}
	gain, where := 0.0, "none did"
	for _, g := range b.tastes[1:] {
		for n := claimed2048; n <= depth; n++ {
			if x := -lostShare(arms, armOf(arms, linearBase, byChance, g, false), n).Value; x > gain {
				gain, where = x, fmt.Sprintf("%v, depth %d: %.2f%% more points, exact", g, n, 100*x)
			}
		}
	}
	f.Verdicts = append(f.Verdicts, Judge(fmt.Sprintf("in %s some taste for risk improves the %s evaluation", spec, b.baseName(linearBase)), exactly(gain), Above, 0, where))
}

// headline says what the claims' figures come to.
func (b *tilesBoard) headline(arms []*tilesArm) string {
	g := b.main[1]
	lost := func(noise bool) string {
		return percent(lostShare(arms, armOf(arms, exactBase, byChance, g, noise), claimed2048))
	}
	regret := func(noise bool) string {
		return extra(arms, armOf(arms, exactBase, byWorst, g, noise), claimed2048).Format(2)
	}
	return fmt.Sprintf("In %s, all positions counted, %d decisions ahead: judging the exact value by %v costs expectimax %s percent of its points, noise of the same error %s; against a hostile nature they add %s and %s percent of a random move's regret to minimax's own.",
		b.name, claimed2048, g, lost(false), lost(true), regret(false), regret(true))
}

// lostShare is the share of the clean planner's expected score that a damaged
// one lacks.
func lostShare(arms []*tilesArm, a *tilesArm, depth int) Interval {
	clean := armOf(arms, a.base, a.planner, gamble{}, false).score(depth).Value
	i := a.score(depth)
	return Interval{1 - i.Value/clean, 1 - i.High/clean, 1 - i.Low/clean}
}

// askedTable judges what cannot be worked out from the leaves upwards, on a
// board where every planner can be asked at every position and score.
func (b *tilesBoard) askedTable(exact *exactly2048, depth int) report.Table {
	t := report.Table{Words: 2, Head: []string{"evaluation", "judged by"},
		Caption: fmt.Sprintf("%s, expectimax: the logarithm of the total and powers of the gain, which depend on the position at the root, by asking the planner at every position and score. Regret in percent of a random move's, and expected final score; exact.", b.world.Spec)}
	tastes := []gamble{{}, {Kind: logTotal}, {Kind: powered, Scale: 0.5}, {Kind: powered, Scale: 3}}
	rows := make([][]string, len(tilesBases)*len(tastes))
	scores := make([][]string, len(rows))
	for d := range depth {
		t.Head = append(t.Head, fmt.Sprintf("regret, depth %d", d+1))
	}
	for d := range depth {
		t.Head = append(t.Head, fmt.Sprintf("score, depth %d", d+1))
		for i, base := range tilesBases {
			for j, g := range tastes {
				p := newGambler(b.world, b.judge, d+1, g)
				if base == exactBase {
					p.eval = exact
				}
				of, random, _ := ask(b.world, p.equals)
				n := i*len(tastes) + j
				if d == 0 {
					rows[n] = []string{b.baseName(base), g.String()}
				}
				rows[n] = append(rows[n], number(100*of[0].Regret/random, 2))
				scores[n] = append(scores[n], number(of[0].Score, 2))
			}
		}
	}
	for n := range rows {
		t.Rows = append(t.Rows, append(rows[n], scores[n]...))
	}
	return t
}
