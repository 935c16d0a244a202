// Package solved holds the experiments on games that are solved, where nothing is
// sampled.
package solved

import (
	"context"
	"fmt"
	"math"
	"slices"

	"plyfit/report"
	"plyfit/study"
	"plyfit/study/damage"
	"plyfit/study/exact"
	"plyfit/study/experiments/draw"
)

// Exact crosses planner and world on a board that is solved.
var Exact = study.Experiment{
	Name:     "exact",
	Question: "In one world, which errors of an evaluation cost expectimax more than minimax?",
	Hypothesis: "Written 2026-11-22, before the first run of this design here, after a referee's figures for the same board were known: a wrong scale costs minimax exactly nothing in every world and expectimax something; " +
		"noise costs the two planners the same within .02 of the points.",
	Design: "Connect four on 5 columns and 4 rows, all 3,945,711 positions, worlds with and without slip, and in each of them planners that assume a slip of their own: minimax assumes none, expectimax one. World and planner are separate factors (--slip, --assume), and planners are compared within a world only. " +
		"The evaluation is the exact value with slip .2, in 200 grades, and its errors are of one size after the best affine fit: cube, exp(cz), noise of several seeds. A planner with the error meets the same planner without it, in that world, over all openings of four random decisions and both seats: expected points, worked out, not played. " +
		"Beside the loss of points stands what one ply is worth: the loss of the clean planner that looks one decision less far, in the same world. Noise: Student's t over its seeds, equivalence within .02 of the points; the rest is exact.",
	Takes:   []string{"game", "eval", "warp", "depth", "slip", "assume", "error"},
	Minutes: [3]float64{0.8, 3, 20},
	Run:     runExact,
}

// exactCell is a planner with an error in all worlds: a cell's key.
type exactCell struct {
	Game    string        `json:"game"`
	Eval    string        `json:"eval"`
	Damage  damage.Damage `json:"damage"`
	Assumes float64       `json:"assumes"`
	Worlds  []float64     `json:"worlds"`
	Depth   int           `json:"depth"` // 1 to that
	Seed    uint64        `json:"seed"`
}

// exactLoss is what came of it, by world and depth, in shares of the points.
type exactLoss struct {
	Loss [][]float64 `json:"loss"` // against the same planner without the error
	Ply  [][]float64 `json:"ply"`  // of the clean planner a decision less far; 0 at depth 1
}

func lossesOf(b *exact.Board, k exactCell) exactLoss {
	u := b.Subjects[exact.ExactBase]
	clean := b.CleanPolicies(exact.ExactBase, k.Assumes, k.Depth)
	damaged := clean
	if k.Damage.Kind != damage.Clean {
		damaged = b.Policies(u.Damaged(u.Finish(k.Damage)), b.X[exact.ExactBase], k.Assumes, k.Depth)
	}
	var out exactLoss
	for _, w := range k.Worlds {
		loss, ply := make([]float64, k.Depth), make([]float64, k.Depth)
		for d := range k.Depth {
			if k.Damage.Kind != damage.Clean {
				loss[d] = study.Round(0.5-b.Score(damaged[d], clean[d], w), 12) // sums of millions are rounded
			} else if d > 0 {
				ply[d] = study.Round(0.5-b.Score(clean[d-1], clean[d], w), 12)
			}
		}
		out.Loss, out.Ply = append(out.Loss, loss), append(out.Ply, ply)
	}
	return out
}

// exactKind is one kind of error: its damages, the seeds of a noise or one.
type exactKind struct {
	name    string
	damages []damage.Damage
}

// exactRun is all that was measured.
type exactRun struct {
	board   *exact.Board
	kinds   []exactKind
	worlds  []float64
	assumes []float64
	depth   int
	losses  map[string]map[float64][]exactLoss // by kind and what is assumed: one a damage
	plies   map[float64]exactLoss
}

func runExact(ctx context.Context, s *study.Session) (*study.Results, error) {
	spec := exact.SmallBoard
	if len(s.Over.Games) > 0 {
		if len(s.Over.Games) > 1 {
			return nil, fmt.Errorf("want one --game: its positions fill the memory")
		}
		spec = s.Over.Games[0]
	}
	b, err := exact.SolveBoard(ctx, s, spec)
	if err != nil {
		return nil, err
	}
	worlds := study.Or(s.Over.Slips, [][]float64{{0.1, 0.3}, {0, 0.1, 0.3}, {0, 0.1, 0.2, 0.3}}[s.Effort])
	r := &exactRun{board: b, worlds: slices.Sorted(slices.Values(worlds)), depth: slices.Max(study.Or(s.Over.Depths, []int{s.Pick(3, 6, 8)})),
		losses: map[string]map[float64][]exactLoss{}, plies: map[float64]exactLoss{}}
	r.assumes = slices.Compact(slices.Sorted(slices.Values(study.Or(s.Over.Assume, append([]float64{0}, r.worlds...)))))
	if r.assumes[0] != 0 {
		return nil, fmt.Errorf("--assume: want 0 among the slips assumed: that planner is minimax, with which the others are compared")
	}
	e, err := b.Subjects[exact.ExactBase].Equalise(s.Over.Error, damage.NoFeature, s.Pick(5, 5, 10))
	if err != nil {
		return nil, err
	}
	r.kinds = []exactKind{{e.Power.String(), []damage.Damage{e.Power}}, {e.Exp.String(), []damage.Damage{e.Exp}}}
	if s.Over.Warps != nil {
		r.kinds = nil
		warps, err := damage.WarpsOf(s)
		if err != nil {
			return nil, err
		}
		for _, w := range warps {
			r.kinds = append(r.kinds, exactKind{w.String(), []damage.Damage{w}})
		}
	}
	r.kinds = append(r.kinds, exactKind{"noise", e.Noises},
		exactKind{damage.Identity, []damage.Damage{damage.IdentityControl}}, exactKind{damage.AffineMap, []damage.Damage{damage.AffineControl}})
	if err := r.measure(ctx, s); err != nil {
		return nil, err
	}
	return r.findings()
}

func (r *exactRun) controls(k exactKind) bool {
	return k.name == damage.Identity || k.name == damage.AffineMap
}

func (r *exactRun) measure(ctx context.Context, s *study.Session) error {
	var keys []exactCell
	var of []string
	u := r.board.Sub
	for _, a := range r.assumes {
		key := func(name string, d damage.Damage) {
			keys, of = append(keys, exactCell{u.Base.Spec, u.Digest, d, a, r.worlds, r.depth, s.Seed}), append(of, name)
		}
		key("", damage.Damage{})
		for _, k := range r.kinds {
			for _, d := range k.damages {
				key(k.name, d)
			}
		}
	}
	found, err := study.Cells(ctx, s, "planners", keys, nil, func(_ context.Context, k exactCell) (exactLoss, error) { return lossesOf(r.board, k), nil })
	if err != nil {
		return err
	}
	for i, k := range keys {
		if of[i] == "" {
			r.plies[k.Assumes] = found[i]
			continue
		}
		if r.losses[of[i]] == nil {
			r.losses[of[i]] = map[float64][]exactLoss{}
		}
		r.losses[of[i]][k.Assumes] = append(r.losses[of[i]][k.Assumes], found[i])
	}
	return nil
}

// arm is a planner with a kind of error in a world; slips are what the world has
// and what the planner assumes.
func (r *exactRun) arm(k exactKind, world, assumes float64, depth int) study.Arm {
	return study.Arm{Game: r.board.Sub.Base.Spec, World: study.World{Slip: world}, Assumes: study.World{Slip: assumes}, Error: k.name, Depth: depth}
}

// loss is that of each damage of a kind.
func (r *exactRun) loss(k exactKind, a study.Arm) []float64 {
	w := slices.Index(r.worlds, a.World.Slip)
	var out []float64
	for _, l := range r.losses[k.name][a.Assumes.Slip] {
		out = append(out, l.Loss[w][a.Depth-1])
	}
	return out
}

// interval is a figure's mean over the damages, exact where there is one.
func interval(x []float64) study.Interval {
	if len(x) == 1 {
		return study.Exactly(x[0])
	}
	return study.TInterval(x)
}

// difference is what the kind of error costs expectimax more than minimax, damage
// by damage, in one world.
func (r *exactRun) difference(k exactKind, expectimax, minimax study.Arm) ([]float64, error) {
	if err := study.SameWorld(expectimax, minimax); err != nil {
		return nil, err
	}
	out := r.loss(k, expectimax)
	for i, x := range r.loss(k, minimax) {
		out[i] -= x
	}
	return out, nil
}

// planners are those that are tried in a world: minimax, and expectimax that
// assumes the world's slip, or in the world without any the largest.
func (r *exactRun) planners(world float64) (minimax, expectimax float64, both bool) {
	if world > 0 && slices.Contains(r.assumes, world) {
		return 0, world, true
	}
	most := slices.Max(r.assumes)
	return 0, most, most > 0
}

// inPlies is the loss of an arm in what one ply is worth to its planner in its world,
// damage by damage; nil where that is less than anyone would notice.
func (r *exactRun) inPlies(k exactKind, a study.Arm) []float64 {
	ply := r.plies[a.Assumes.Slip].Ply[slices.Index(r.worlds, a.World.Slip)][a.Depth-1]
	if ply < 0.001 {
		return nil
	}
	out := r.loss(k, a)
	for i := range out {
		out[i] /= ply
	}
	return out
}

// say is the loss of an arm in plies, or in points where a ply is worth nothing.
func (r *exactRun) say(k exactKind, a study.Arm) string {
	switch x := r.inPlies(k, a); {
	case study.Mean(r.loss(k, a)) == 0:
		return "nothing"
	case x != nil:
		return interval(x).Format(1) + " plies"
	}
	return interval(r.loss(k, a)).Format(4) + " of the points"
}

func (r *exactRun) findings() (*study.Results, error) {
	f := &study.Results{Notes: []string{fmt.Sprintf("%s has %d positions, all of them counted. Noise is the mean of its seeds with Student's t over them; everything else is exact.", r.board.Sub.Base.Spec, r.board.Len())}}
	data := study.Data{Name: "cells", Head: []string{"game", "error", "noise_seed", "world", "assumes", "depth", "loss", "ply"}}
	for _, k := range r.kinds {
		for _, a := range r.assumes {
			for i, l := range r.losses[k.name][a] {
				for w, world := range r.worlds {
					for d := range r.depth {
						data.Row(r.board.Sub.Base.Spec, k.name, k.damages[i].Seed, world, a, d+1, l.Loss[w][d], r.plies[a].Ply[w][d])
					}
				}
			}
		}
	}
	f.Data = append(f.Data, data)
	f.Checks = r.checks()
	if err := r.tables(f); err != nil {
		return nil, err
	}
	quad, err := r.quad()
	if err != nil {
		return nil, err
	}
	fig, err := r.figure()
	f.Figures = append(f.Figures, quad, fig)
	return f, err
}

// checks are the theorems that the measurement must show.
func (r *exactRun) checks() []study.Check {
	most := func(of func(k exactKind, a study.Arm) bool, value func(k exactKind, a study.Arm) float64) (worst float64, cells int) {
		for _, k := range r.kinds {
			for _, w := range r.worlds {
				for _, p := range r.assumes {
					for d := 1; d <= r.depth; d++ {
						if a := r.arm(k, w, p, d); of(k, a) {
							worst, cells = math.Max(worst, value(k, a)), cells+1
						}
					}
				}
			}
		}
		return worst, cells
	}
	size := func(k exactKind, a study.Arm) (worst float64) {
		for _, x := range r.loss(k, a) {
			worst = math.Max(worst, math.Abs(x))
		}
		return worst
	}
	var out []study.Check
	add := func(name string, of func(k exactKind, a study.Arm) bool, value func(k exactKind, a study.Arm) float64) {
		if worst, cells := most(of, value); cells > 0 {
			out = append(out, study.Check{Name: name, Passed: worst == 0, Figure: fmt.Sprintf("at most %.3g in %d cells", worst, cells)})
		}
	}
	add("one decision ahead the planners lose alike", func(_ exactKind, a study.Arm) bool { return a.Depth == 1 && a.Assumes.Slip > 0 }, func(k exactKind, a study.Arm) float64 {
		minimax := a
		minimax.Assumes.Slip = 0
		worst := 0.0
		for i, x := range r.loss(k, a) {
			worst = math.Max(worst, math.Abs(x-r.loss(k, minimax)[i]))
		}
		return worst
	})
	add("the identity loses nothing", func(k exactKind, _ study.Arm) bool { return k.name == damage.Identity }, size)
	add("a positive affine map loses nothing", func(k exactKind, _ study.Arm) bool { return k.name == damage.AffineMap }, size)
	add("under minimax no warp loses anything", func(k exactKind, a study.Arm) bool { return k.damages[0].Warps() && a.Assumes.Slip == 0 }, size)
	return out
}

func (r *exactRun) tables(f *study.Results) error {
	t := report.Table{Head: []string{"error", "world", "depth"}, Words: 2,
		Caption: "Share of the points that a planner with the error loses to itself without it, in one world. Difference: expectimax less minimax. Plies: the loss over what the same planner loses, without the error, that looks one decision less far; - where that is below .001."}
	t.Head = append(t.Head, "minimax, points", "plies", "expectimax, points", "plies", "difference, points")
	depths := []int{min(shown, r.depth)}
	if r.depth > shown {
		depths = append(depths, r.depth)
	}
	var headline []string
	for _, k := range r.kinds {
		if r.controls(k) {
			continue
		}
		for _, w := range r.worlds {
			least, most, both := r.planners(w)
			if !both {
				continue
			}
			for _, d := range depths {
				minimax, expectimax := r.arm(k, w, least, d), r.arm(k, w, most, d)
				x, err := r.difference(k, expectimax, minimax)
				if err != nil {
					return err
				}
				diff := interval(x)
				row := []string{k.name, worldName(w, most), fmt.Sprint(d)}
				for _, a := range []study.Arm{minimax, expectimax} {
					plies := "-"
					if x := r.inPlies(k, a); x != nil {
						plies = interval(x).Format(1)
					}
					row = append(row, interval(r.loss(k, a)).Format(4), plies)
				}
				t.Rows = append(t.Rows, append(row, diff.Format(4)))
				if w == 0 || d == 1 {
					continue // without slip the expectimax that assumes some is wrong about the world
				}
				if k.damages[0].Warps() {
					f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("in the world with slip %v %s costs expectimax more than minimax, depth %d", w, k.name, d), diff, study.Above, 0, "difference of losses "+diff.Format(4)+", exact"))
				} else {
					f.Findings = append(f.Findings, study.Equivalence(fmt.Sprintf("in the world with slip %v %s costs both planners the same within %v of the points, depth %d", w, k.name, study.SmallestEffect, d), x))
				}
				if w == r.worlds[len(r.worlds)-1] && d == depths[0] {
					headline = append(headline, fmt.Sprintf("%s costs expectimax %s and minimax %s", k.name, r.say(k, expectimax), r.say(k, minimax)))
				}
			}
		}
	}
	f.Tables = append(f.Tables, t)
	f.Headline = fmt.Sprintf("In one world, %s with slip %v, %d decisions ahead, errors of one size: %s.", r.board.Sub.Base.Spec, r.worlds[len(r.worlds)-1], depths[0], study.Join(headline))
	return nil
}

// quad is planner x world in plies, in the first world with slip and the last.
func (r *exactRun) quad() (report.Figure, error) {
	worlds := slices.DeleteFunc(slices.Clone(r.worlds), func(w float64) bool { return w == 0 })
	if len(worlds) > 2 {
		worlds = []float64{worlds[0], worlds[len(worlds)-1]}
	}
	if len(worlds) < 2 {
		worlds = r.worlds
	}
	d := min(shown, r.depth)
	unit, note := "plies", "The loss is counted in plies: 1 is what the same planner loses that looks one decision less far."
	if !r.countsPlies(worlds, d) {
		unit, note = "share of the points", "The loss is in points, since for an evaluation that is exact one ply more is worth next to nothing."
	}
	var panels []report.Rows
	for _, w := range worlds {
		least, most, both := r.planners(w)
		if !both {
			continue
		}
		for _, assumes := range []float64{least, most} {
			p := report.Rows{Title: fmt.Sprintf("%s in %s, %s", plannerName(assumes), r.board.Sub.Base.Name, worldName(w, most)), XLabel: "loss, " + unit, Level: new(0.0)}
			for _, k := range r.kinds {
				if r.controls(k) {
					continue
				}
				a := r.arm(k, w, assumes, d)
				if color := draw.ColorOf(k.damages[0]); unit == "plies" {
					p.Rows = append(p.Rows, draw.Row(k.name, interval(r.inPlies(k, a)), 1, color))
				} else {
					p.Rows = append(p.Rows, draw.Row(k.name, interval(r.loss(k, a)), 4, color))
				}
			}
			panels = append(panels, p)
		}
	}
	return draw.Quad("quad", fmt.Sprintf("What an error costs, by planner and by world, %d decisions ahead", d),
		"Each row: a planner whose evaluation has the error plays itself without it, in that world. All errors have one size. "+note+" All positions counted; bars on noise are 95% intervals over its seeds.", panels)
}

// countsPlies reports whether one ply is worth something to every planner in these worlds.
func (r *exactRun) countsPlies(worlds []float64, depth int) bool {
	for _, w := range worlds {
		least, most, _ := r.planners(w)
		for _, assumes := range []float64{least, most} {
			if r.inPlies(r.kinds[0], r.arm(r.kinds[0], w, assumes, depth)) == nil {
				return false
			}
		}
	}
	return true
}

// plannerName is minimax where no slip is assumed.
func plannerName(assumes float64) string {
	if assumes == 0 {
		return "Minimax"
	}
	return "Expectimax"
}

func worldName(slip, assumed float64) string {
	switch {
	case slip == 0 && assumed > 0:
		return fmt.Sprintf("no slip (expectimax plans for %v)", assumed)
	case slip != assumed:
		return fmt.Sprintf("slip %v (expectimax plans for %v)", slip, assumed)
	}
	return fmt.Sprintf("slip %v", slip)
}

// figure shows losses by depth, a panel a world: the first and the last.
func (r *exactRun) figure() (report.Figure, error) {
	var ticks []float64
	for d := range r.depth {
		ticks = append(ticks, float64(d+1))
	}
	worlds := r.worlds
	if len(worlds) > 1 {
		worlds = []float64{worlds[0], worlds[len(worlds)-1]}
	}
	var panels []report.Chart
	for _, w := range worlds {
		least, most, both := r.planners(w)
		var lines []draw.Line
		for _, k := range r.kinds {
			if r.controls(k) {
				continue
			}
			for _, p := range []float64{least, most} {
				if p > 0 && !both {
					continue
				}
				l := draw.Line{Name: k.name + ", minimax", Dashed: p == 0, Color: draw.ColorOf(k.damages[0])}
				if p > 0 {
					l.Name = k.name + ", expectimax"
				}
				for d := range r.depth {
					l.Add(float64(d+1), interval(r.loss(k, r.arm(k, w, p, d+1))))
				}
				lines = append(lines, l)
			}
		}
		p := draw.Panel("World: "+worldName(w, most), "depth, decisions", "loss, share of the points", ticks, lines)
		p.YMin = new(0.0)
		panels = append(panels, p)
	}
	return draw.Figure("worlds", "What errors of one size cost either planner, world by world, "+r.board.Sub.Base.Spec,
		"A colour an error; whole lines expectimax, broken ones minimax. Compare planners within a panel, never across: where luck decides more, every mistake costs less. All positions counted; bars on noise are 95% intervals over its seeds.", panels...)
}
