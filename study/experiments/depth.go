package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"plyfit/report"
	"plyfit/study"
	"plyfit/study/damage"
	"plyfit/study/experiments/draw"
)

var depth = study.Experiment{
	Name:     "depth",
	Question: "How many plies of search is half of an error worth, and does a deeper search cure it?",
	Hypothesis: "Written 2026-11-22, before the first run of this design: halving an error of the common size is worth less than a ply, under either planner; " +
		"a deeper search cures noise more than it cures wrong weights, whose errors neighbours share.",
	Withdrawn: "All findings of the first design. It set minimax without slips beside expectimax with them, so that planner and world changed together.",
	Design: "One world, connect four with slips (a game with chance of its own: as it is), and in it both planners; a wrong scale, noise and wrong weights, each at the common size, at half and at a quarter of it. A planner with the error meets itself without it, to the same depth. What halving gains is the loss with the error less the loss with half of it, pair by pair on the same openings with the same luck and draws of the error; " +
		"divided by what the same planner loses that looks one ply less deep, it is an exchange rate. To be cured is to lose more than half of the loss between the least depth and the greatest. Units, checks and intervals are those of crossed. Exploratory.",
	Takes:   []string{"game", "eval", "depth", "slip", "error", "pairs"},
	Minutes: [3]float64{0.1, 2, 90},
	Run:     runDepth,
}

// sized is a kind of error by its share of the common size.
type sized struct {
	plain string
	share float64
	factorKind
}

// shares of the common size.
var shares = []float64{1, 0.5, 0.25}

func runDepth(ctx context.Context, s *study.Session) (*study.Results, error) {
	f := &study.Results{}
	var played []damage.Played
	for _, spec := range study.Or(s.Over.Games, []string{"connect4"}) {
		r, kinds, err := newIsoquant(s, spec)
		if err != nil {
			return nil, err
		}
		matches, err := r.play(ctx, s)
		if err != nil {
			return nil, err
		}
		played = append(played, matches...)
		if err := r.isoquant(f, kinds, s.Seed); err != nil {
			return nil, err
		}
	}
	if f.Headline == "" {
		f.Headline = "What share of an error's cost a deeper search leaves is not given: it takes two depths, and a cost clearly above 0 at the least of them."
	}
	f.Data = damage.PairData("matches", played)
	return f, nil
}

// newIsoquant is a factorial of three kinds of error in three sizes.
func newIsoquant(s *study.Session, spec string) (*factorial, []sized, error) {
	u, err := damage.LoadSubject(s, spec)
	if err != nil {
		return nil, nil, err
	}
	r := &factorial{Subject: u, pairs: s.Pairs(100, 800, 4000), losses: map[study.Arm][]float64{}}
	if err := r.chooseWorlds(s, []float64{0.2}); err != nil {
		return nil, nil, err
	}
	r.depths = slices.Sorted(slices.Values(study.Or(s.Over.Depths, [][]int{{2, 3}, {2, 3, 4}, {2, 3, 4, 5}}[s.Effort])))
	randoms := r.Randoms(min(r.pairs, s.Pick(5, 20, 20)))
	list := []damage.Tunable{damage.Scales()[0], randoms[0], randoms[2]}
	if r.size = s.Over.Error; r.size == 0 {
		r.size = r.CommonSize(list)
	}
	var kinds []sized
	for _, t := range list {
		for _, share := range shares {
			damages, err := r.Sized(t, share*r.size)
			if err != nil {
				return nil, nil, err
			}
			k := factorKind{name: fmt.Sprintf("%s, size %.3f", t.Name, share*r.size), damages: damages}
			r.kinds = append(r.kinds, k)
			kinds = append(kinds, sized{t.Name, share, k})
		}
	}
	return r, kinds, nil
}

// gain is what halving the error gains a planner, opening by opening.
func (r *factorial) gain(whole, half factorKind, a study.Arm) study.Nested {
	a.Error = whole.name
	out := r.nested(whole, a)
	a.Error = half.name
	less := r.nested(half, a)
	for i, row := range out {
		out[i] = make([]float64, len(row))
		for j, x := range row {
			out[i][j] = x - less[i][j]
		}
	}
	return out
}

// isoquant adds what came of a game.
func (r *factorial) isoquant(f *study.Results, kinds []sized, seed uint64) error {
	f.Checks = append(f.Checks, r.checks()...)
	t := report.Table{Head: []string{"error", "size", "world", "depth", "minimax, points", "plies", "nElo", "expectimax, points", "plies", "nElo"}, Words: 1,
		Caption: fmt.Sprintf("%s, %s: what errors of several sizes lose, in one world. Plies: the loss over that of the same planner one ply less deep; - where this is not clearly above 0.", r.Base.Spec, r.Name)}
	rates := report.Table{Head: []string{"halving", "from size", "world", "depth", "minimax, plies", "expectimax, plies"}, Words: 1,
		Caption: "What half of an error is worth: the points that halving it gains, over the points that one ply gains the same planner in that world."}
	for _, w := range r.worlds {
		for i, k := range kinds {
			for _, d := range r.depths {
				row := []string{k.plain, study.Number(k.share*r.size, 3), w.String(), fmt.Sprint(d)}
				rate := []string{k.plain, study.Number(k.share*r.size, 3), w.String(), fmt.Sprint(d)}
				for _, planner := range r.planners(w) {
					a := r.arm(w, planner.assumes, d, k.name)
					row = append(row, r.units(k.factorKind, a, seed)...)
					if k.share == shares[len(shares)-1] {
						continue
					}
					worth := "-"
					if x, known := r.rate(k.factorKind, kinds[i+1].factorKind, a, seed); known {
						worth = x.Format(1)
						if d == r.depths[len(r.depths)-1] && k.share == 1 && (!k.warps() || planner.assumes == w) {
							f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("in %s with %v, %d decisions ahead, halving %s is worth less than a ply to %s", r.Base.Spec, w, d, k.plain, planner.name), x, study.Below, 1, worth+" plies"))
						}
					}
					rate = append(rate, worth)
				}
				t.Rows = append(t.Rows, row)
				if k.share > shares[len(shares)-1] {
					rates.Rows = append(rates.Rows, rate)
				}
			}
		}
	}
	f.Tables = append(f.Tables, rates, t)
	r.cures(f, kinds, seed)
	return r.isoquantFigure(f, kinds)
}

// rate is what halving an error is worth in plies; known is false where a ply is not
// clearly worth anything.
func (r *factorial) rate(whole, half factorKind, a study.Arm, seed uint64) (i study.Interval, known bool) {
	if whole.warps() && a.Assumes != a.World {
		return study.Exactly(0), true
	}
	ply := a
	ply.Error = string(damage.OnePly)
	i = study.Ratio(r.gain(whole, half, a), r.nested(whole, ply), seed)
	return i, i.High-i.Low < 1e9
}

// fades is the share of the loss that is left at the greatest depth, below which a
// deeper search counts as a cure.
const fades = 0.5

// cures says how much of the loss is left at the greatest depth.
func (r *factorial) cures(f *study.Results, kinds []sized, seed uint64) {
	least, last := r.depths[0], r.depths[len(r.depths)-1]
	w := r.worlds[len(r.worlds)-1]
	var said []string
	for _, k := range kinds {
		if k.share != 1 || last == least {
			continue
		}
		for _, planner := range r.planners(w) {
			if k.warps() && planner.assumes != w {
				continue
			}
			left := study.Ratio(r.nested(k.factorKind, r.arm(w, planner.assumes, last, k.name)), r.nested(k.factorKind, r.arm(w, planner.assumes, least, k.name)), seed)
			if left.High-left.Low > 1e9 {
				f.Notes = append(f.Notes, fmt.Sprintf("%s under %s: what it loses at depth %d is not clearly above 0, so no share of it is given.", k.plain, planner.name, least))
				continue
			}
			f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("in %s with %v a search of %d decisions in place of %d cures more than half of %s under %s", r.Base.Spec, w, last, least, k.plain, planner.name), left, study.Below, fades, "share of the loss left "+left.Format(2)))
			said = append(said, fmt.Sprintf("%s under %s %s", k.plain, planner.name, left.Format(2)))
		}
	}
	if len(said) > 0 && f.Headline == "" {
		f.Headline = fmt.Sprintf("In %s with %v, of what an error costs %d decisions ahead, this share is left %d decisions ahead: %s.", r.Base.Spec, w, least, last, study.Join(said))
	}
}

// isoquantFigure shows losses by size of error, a panel a planner, a line a kind and
// depth: where two lines are as high, depth has bought what size has cost.
func (r *factorial) isoquantFigure(f *study.Results, kinds []sized) error {
	w := r.worlds[len(r.worlds)-1]
	var ticks []float64
	for _, share := range slices.Backward(shares) {
		ticks = append(ticks, study.Round(share*r.size, 3))
	}
	for _, plain := range []string{kinds[0].plain, kinds[len(shares)].plain, kinds[2*len(shares)].plain} {
		var panels []report.Chart
		for _, planner := range r.planners(w) {
			var lines []draw.Line
			for n, d := range r.depths {
				l := draw.Line{Name: fmt.Sprintf("depth %d", d), Shape: n + 1}
				for _, k := range slices.Backward(kinds) {
					if k.plain == plain {
						l.Color = draw.ColorOf(k.damages[0])
						l.Add(study.Round(k.share*r.size, 3), r.nested(k.factorKind, r.arm(w, planner.assumes, d, k.name)).Interval())
					}
				}
				lines = append(lines, l)
			}
			panels = append(panels, draw.Panel(planner.name, "size of the error, half ranges of utility", "loss, share of the points", ticks, lines))
		}
		draw.SameScale(panels)
		fig, err := draw.Figure("size-"+strings.ReplaceAll(plain, " ", "-")+"-"+r.Base.Name, fmt.Sprintf("What %s costs by its size and by depth, %s with %v", plain, r.Base.Spec, w),
			"Read across: where two lines are as high, the deeper search makes good for the greater error. 95% intervals over draws of the error, else over openings.", panels...)
		if err != nil {
			return err
		}
		f.Figures = append(f.Figures, fig)
	}
	return nil
}
