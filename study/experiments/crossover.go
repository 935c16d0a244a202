package experiments

import (
	"context"
	"fmt"
	"slices"

	"plyfit/report"
	"plyfit/study"
	"plyfit/study/damage"
	"plyfit/study/experiments/draw"
)

var crossover = study.Experiment{
	Name:     "crossover",
	Question: "Does the quality of an evaluation matter more under expectimax than under minimax?",
	Hypothesis: "Written 2026-11-21, before the first run: that depends on the kind of error. A wrong scale (a warp) costs nothing under minimax and points under expectimax, the more the more chance there is; " +
		"independent noise of the same size costs more under minimax, since chance nodes average it out; an underweighted feature goes with the noise, less clearly. So the line of the warp falls from .500 as chance grows, and the line of the noise rises.",
	Withdrawn: "That noise and an underweighted feature cost less under expectimax, because chance nodes average them out. Those contrasts set minimax without slip against expectimax with it, so planner and world changed together; " +
		"even one decision ahead, where both planners choose alike, they came to -.107 for noise. A world with more luck makes every mistake cheaper, whoever plans. Within one world noise costs both planners about the same.",
	Design: "Damaged against clean evaluation under the same planner, depth and world: minimax at p = 0, expectimax where a move slips with probability p. Four kinds of damage of one size: cube (odd), exp(cz) (loves risk), noise added before the link (several seeds, each on openings of its own), " +
		"one underweighted feature; each tuned to the same root-mean-square error at the leaves after the best affine fit. exp(4z) stands beside them at its own, greater error. Pairs of games: one opening of 8 random decisions, seats swapped, the same slips in both; the same openings and slips for all damages. " +
		"Only a warp is judged: minimax chooses the same moves with it in every world, so what it costs expectimax is the planners' difference within that world. Scores of different worlds are not comparable. Bootstrap intervals over pairs. Sample size: a pilot's deviation of a pair's score was .29, so 6,000 pairs give a score +-.007, the quick setting's 600 +-.023.",
	Takes:   []string{"game", "eval", "warp", "feature", "depth", "slip", "error", "pairs"},
	Minutes: [3]float64{0.8, 15, 120},
	Run:     runCrossover,
}

// crossing is a kind of damage in one world at one depth.
type crossing struct {
	kind  errorKind
	depth int
	slip  float64
	tally study.Tally
	score study.Interval
}

func runCrossover(ctx context.Context, s *study.Session) (*study.Results, error) {
	f := &study.Results{}
	var all []damage.Played
	for _, spec := range study.Or(s.Over.Games, []string{"connect4"}) {
		played, err := crossGame(ctx, s, f, spec)
		if err != nil {
			return nil, err
		}
		all = append(all, played...)
	}
	f.Data = damage.PairData("cells", all)
	return f, nil
}

func crossGame(ctx context.Context, s *study.Session, f *study.Results, spec string) ([]damage.Played, error) {
	u, err := damage.LoadSubject(s, spec)
	if err != nil {
		return nil, err
	}
	if u.Base.Chancy() {
		return nil, fmt.Errorf("%s has chance of its own: want a game that can also be played without", u.Base.Spec)
	}
	kinds, e, err := errorKinds(s, u, s.Pick(3, 5, 10))
	if err != nil {
		return nil, err
	}
	depths := study.Or(s.Over.Depths, [][]int{{3, 4}, {3, 4}, {3, 4, 5}}[s.Effort])
	slips := study.Or(s.Over.Slips, [][]float64{{0, 0.1, 0.3}, {0, 0.05, 0.1, 0.2, 0.3}, {0, 0.05, 0.1, 0.2, 0.3, 0.5}}[s.Effort])
	slips = slices.Sorted(slices.Values(slips))
	pairs := s.Pairs(600, 6000, 20000)

	var all []*crossing
	var matches []damage.Match
	var of []*crossing
	for _, d := range depths {
		for _, k := range kinds {
			for _, p := range slips {
				c := &crossing{kind: k, depth: d, slip: p}
				all = append(all, c)
				n := pairs
				if k.warps() && p == 0 {
					n = fewPairs
				}
				m := damage.Match{Game: u.Base.Spec, Eval: u.Digest, World: study.World{Slip: p}, Assumes: study.World{Slip: p}, Depth: d, Plies: damage.OpeningPlies}
				for _, draw := range m.Draws(k.damages, n) {
					matches, of = append(matches, draw), append(of, c)
				}
			}
		}
	}
	subjects := damage.Subjects{}
	subjects.Add(u)
	played, err := damage.PlayAll(ctx, s, "matches in "+u.Base.Spec, subjects, matches)
	if err != nil {
		return nil, err
	}
	for i, p := range played {
		of[i].tally = of[i].tally.Plus(p.Points.Tally())
	}
	for _, c := range all {
		c.score = study.ScoreOf(c.tally, s.Seed)
	}
	return played, crossResults(f, u, e, kinds, depths, slips, all)
}

func crossResults(f *study.Results, u *damage.Subject, e *damage.Equalised, kinds []errorKind, depths []int, slips []float64, all []*crossing) error {
	at := func(k errorKind, depth int, slip float64) *crossing {
		for _, c := range all {
			if c.kind.name == k.name && c.depth == depth && c.slip == slip {
				return c
			}
		}
		panic("study: no such crossing")
	}
	var panels []report.Chart
	for _, d := range depths {
		var lines []draw.Line
		for _, k := range kinds {
			l := draw.Line{Name: k.name, Dashed: !k.warps()}
			for _, p := range slips {
				l.Add(p, at(k, d, p).score)
			}
			lines = append(lines, l)
		}
		c := draw.Panel(fmt.Sprintf("depth %d", d), "probability p that a move slips", "score against the clean evaluation", slips, lines)
		c.Level = new(0.5)
		panels = append(panels, c)
	}
	draw.SameScale(panels)
	fig, err := draw.Figure("score-"+u.Base.Name, fmt.Sprintf("Score of damaged evaluations by slip, %s, error %.3f", u.Base.Spec, e.Error),
		fmt.Sprintf("Share of the points of the damaged evaluation against the clean one (%s) under the same planner: minimax at p = 0, expectimax elsewhere. Whole lines: warps; broken lines: noise and an underweighted feature. All damages have the error %.3f (half ranges of utility, root mean square after the best affine fit) unless the legend says another. 95%% bootstrap intervals over pairs; dotted: equals. Worlds differ from left to right, so a line that rises does not say that expectimax averages an error out.", u.Name, e.Error), panels...)
	if err != nil {
		return err
	}
	f.Figures = append(f.Figures, fig)

	t := report.Table{Head: []string{"damage", "depth"}, Words: 1, Caption: "Score of the damaged evaluation against the clean one. Columns are worlds of their own: a mistake costs less where there is more luck, whoever plans."}
	for _, p := range slips {
		t.Head = append(t.Head, fmt.Sprintf("p = %v", p))
	}
	most := slips[len(slips)-1]
	costs := map[study.Support][]string{}
	for _, d := range depths {
		for _, k := range kinds {
			row := []string{k.name, fmt.Sprint(d)}
			for _, p := range slips {
				row = append(row, at(k, d, p).score.Format(3))
			}
			t.Rows = append(t.Rows, row)
			if !k.warps() || most == 0 {
				continue
			}
			score := at(k, d, most).score
			v := study.Decide(fmt.Sprintf("in %s with slip %v, %d decisions ahead, %s costs expectimax points", u.Base.Spec, most, d, k.name), score, study.Below, 0.5, "score "+score.Format(3))
			f.Findings = append(f.Findings, v)
			if d == depths[len(depths)-1] {
				costs[v.Support] = append(costs[v.Support], k.name)
			}
		}
	}
	f.Tables = append(f.Tables, t)
	if f.Headline == "" && most > 0 {
		f.Headline = fmt.Sprintf("In %s with slip %v, %d decisions ahead, these warps cost expectimax points: %s; gain: %s; not decided: %s. Minimax chooses the same moves with all of them.",
			u.Base.Spec, most, depths[len(depths)-1], study.Join(costs[study.Supported]), study.Join(costs[study.Contradicted]), study.Join(costs[study.NotDecided]))
	}
	return nil
}
