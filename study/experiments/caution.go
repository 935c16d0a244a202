package experiments

import (
	"context"
	"fmt"
	"math"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/report"
	"plyfit/study"
	"plyfit/study/damage"
	"plyfit/study/exact"
	"plyfit/study/experiments/draw"
)

var caution = study.Experiment{
	Name:     "caution",
	Question: "Where does the sentence that expectimax needs magnitudes not hold?",
	Hypothesis: "Written 2026-11-21, before the first run: in 2048 the logarithm of the expected total costs nothing that can be measured, since it is nearly affine within the tree below one position; " +
		"loving risk (exp(gain/100)) and fearing it (-exp(-gain/100)) cost points; independent noise with the same error within the tree costs more than either.",
	Design: "2048 on a small board under expectimax; the evaluation is the hand-written one, an expected final score. Gain is the value less the score at the root. Log, risk love, risk fear, each applied to leaves and ends alike, and for each of the latter two noise with the same root-mean-square error after the best affine fit within the tree below a position, which is all a planner sees. " +
		"Games from the same seeds. Cost is the share of the clean planner's mean score, with bootstrap intervals over games, in pairs of the same seed. Sample size: a pilot's deviation of a score was .5 of its mean, so 10,000 games an arm give +-1.5 percent, the quick setting's 1,500 +-4. On 2x2 the arms that evaluate by gain alone are worked out exactly.",
	Takes:   []string{"game", "eval", "depth", "pairs"},
	Minutes: [3]float64{0.2, 1, 4},
	Run:     runCaution,
}

func runCaution(ctx context.Context, s *study.Session) (*study.Results, error) {
	spec := "2048:size=3"
	if len(s.Over.Games) > 0 {
		spec = s.Over.Games[0]
	}
	w, j, err := damage.LoadScoreGame(s, spec)
	if err != nil {
		return nil, err
	}
	depth := study.Or(s.Over.Depths, []int{2})[0]
	trees, roots := damage.SampleTrees(w, j, depth, s.Seed)
	arms := []damage.Risk{{}, {Kind: damage.LogTotal}, {Kind: damage.Seeking, Scale: damage.RiskScale}, {Kind: damage.Averse, Scale: damage.RiskScale}}
	errors := make([]float64, 0, 6)
	for _, g := range arms {
		rms, _ := damage.ErrorWithinTrees(trees, roots, g)
		errors = append(errors, rms)
	}
	f := &study.Results{}
	var like []int // of the arms of noise, from the fifth on: whose error they have
	for i, g := range arms[2:] {
		rms := errors[2+i]
		_, variance := damage.ErrorWithinTrees(trees, roots, g)
		if rms*rms >= variance {
			f.Notes = append(f.Notes, fmt.Sprintf("%s has no noise of its size: no affine map of it tells anything of the values within these trees, and finite noise always leaves something.", g))
			continue
		}
		like = append(like, 2+i)
		// After the best affine fit noise of variance v leaves var*v/(var+v).
		v := rms * rms * variance / (variance - float64(rms*rms))
		arms, errors = append(arms, damage.Risk{Kind: damage.NoisyScore, Scale: study.Round(math.Sqrt(v), 2), Seed: game.Seed(s.Seed, 0x6a3b1e)}), append(errors, rms)
	}
	games := s.Pairs(1500, 10000, 40000)
	var keys []scoreCell
	var of []int
	const few = 50
	for i, g := range arms {
		for from := 0; from < games; from += few {
			keys, of = append(keys, scoreCell{w.Spec, j.Name, j.Digest, depth, g, from, min(few, games-from), s.Seed}), append(of, i)
		}
	}
	found, err := study.Cells(ctx, s, "games", keys, nil, func(ctx context.Context, k scoreCell) ([]float64, error) { return k.play(ctx, w, j) })
	if err != nil {
		return nil, err
	}
	scores := make([][]float64, len(arms))
	for i, x := range found {
		scores[of[i]] = append(scores[of[i]], x...)
	}
	if err := cautionResults(f, w, depth, arms, like, errors, scores, s.Seed); err != nil {
		return nil, err
	}
	return f, exactScores(s, f, arms, depth)
}

func cautionResults(f *study.Results, w *catalog.World, depth int, arms []damage.Risk, like []int, errors []float64, scores [][]float64, seed uint64) error {
	data := study.Data{Name: "games", Head: []string{"arm", "error", "game", "score"}}
	t := report.Table{Head: []string{"judged by", "error within the tree, points", "mean score", "cost, % of clean"},
		Caption: fmt.Sprintf("%s, expectimax of depth %d, %d games an arm. Error: root mean square after the best affine fit within each tree.", w.Spec, depth, len(scores[0]))}
	costs := make([]study.Interval, len(arms))
	p := report.Rows{XLabel: "cost, percent of the clean score", Level: new(0.0)}
	for i, g := range arms {
		for k, x := range scores[i] {
			data.Row(g, study.Round(errors[i], 4), k, x)
		}
		costs[i] = study.Exactly(0)
		if i > 0 {
			costs[i] = costOf(scores[0], scores[i], seed)
			color := draw.Scale
			if g.Kind == damage.NoisyScore {
				color = draw.Noise
			}
			p.Rows = append(p.Rows, draw.Row(g.String(), costs[i].Times(100), 1, color))
		}
		t.Rows = append(t.Rows, []string{g.String(), study.Number(errors[i], 1), study.MeanOf(scores[i], seed).Format(0), study.Percent(costs[i])})
	}
	fig, err := report.NewFigure("cost", "What a taste for risk costs, "+w.Spec, "The share of the clean planner's mean score that is lost, with 95% bootstrap intervals over games; below 0 it is a gain.", p)
	if err != nil {
		return err
	}
	f.Data, f.Tables, f.Figures = append(f.Data, data), append(f.Tables, t), append(f.Figures, fig)

	const small = 0.05
	c := costs[1]
	v := study.Finding{Claim: fmt.Sprintf("the logarithm of the total changes the score by less than %.0f percent", 100*small), Support: study.NotDecided, Figure: "cost " + study.Percent(c) + " percent"}
	switch {
	case c.Low > -small && c.High < small:
		v.Support = study.Supported
	case c.Low > small || c.High < -small:
		v.Support = study.Contradicted
	}
	f.Findings = append(f.Findings, v)
	for i, g := range arms[2:] {
		c := costs[2+i]
		f.Findings = append(f.Findings, study.Decide(g.String()+" costs points", c, study.Above, 0, "cost "+study.Percent(c)+" percent"))
	}
	for i := 4; i < len(arms); i++ {
		warped := like[i-4]
		n := len(scores[0])
		d := study.Bootstrap(n, seed, func(weight []float64) float64 {
			var a, b, clean float64
			for k, w := range weight {
				a, b, clean = a+float64(w*scores[warped][k]), b+float64(w*scores[i][k]), clean+float64(w*scores[0][k])
			}
			return (a - b) / clean
		})
		f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("noise of its size costs more than %s", arms[warped]), d, study.Above, 0, "difference "+study.Percent(d)+" percent of the clean score"))
	}
	noise := ""
	for i := 4; i < len(arms); i++ {
		noise = fmt.Sprintf(", %s %s", arms[i], study.Percent(costs[i]))
	}
	f.Headline = fmt.Sprintf("In %s the cost in percent of the score is, judged by the logarithm of the total, %s, loving risk %s, fearing it %s%s.",
		w.Spec, study.Percent(costs[1]), study.Percent(costs[2]), study.Percent(costs[3]), noise)
	return nil
}

// costOf is the share of the clean planner's mean score that another lacks. Game
// by game both had the same luck, so games are drawn in pairs.
func costOf(clean, other []float64, seed uint64) study.Interval {
	return study.Bootstrap(len(clean), seed, func(weight []float64) float64 {
		var a, b float64
		for k, w := range weight {
			a, b = a+float64(w*clean[k]), b+float64(w*other[k])
		}
		return 1 - b/a
	})
}

// exactScores works the arms that evaluate by gain alone out on 2x2, where a policy
// depends on the board alone: expected scores without a game played.
func exactScores(s *study.Session, f *study.Results, arms []damage.Risk, depth int) error {
	w, j, err := damage.LoadScoreGame(s, "2048:size=2")
	if err != nil {
		return err
	}
	t := report.Table{Head: []string{"2x2, judged by", "expected score", "cost, % of clean"}, Caption: fmt.Sprintf("Exact, over all positions, expectimax of depth %d; perfect play is what no evaluation can better.", depth)}
	best, err := exact.Expected(w, nil)
	if err != nil {
		return err
	}
	t.Rows = append(t.Rows, []string{"perfect play", study.Number(best, 3), ""})
	clean := 0.0
	for _, g := range arms {
		if g.Kind == damage.LogTotal || g.Kind == damage.NoisyScore {
			continue // they depend on the score so far, too
		}
		x, err := exact.Expected(w, damage.NewRiskPlanner(w, j, depth, g))
		if err != nil {
			return err
		}
		if g.Kind == "" {
			clean = x
		}
		t.Rows = append(t.Rows, []string{g.String(), study.Number(x, 3), study.Number(100*(1-x/clean), 2)})
	}
	f.Tables = append(f.Tables, t)
	return nil
}
