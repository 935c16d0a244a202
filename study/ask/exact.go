package ask

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"plyfit/internal/list"
	"plyfit/study"
	"plyfit/study/evaluation"
)

// runExact compares planners and worlds on a solved board.
func runExact(ctx context.Context, s *study.Session) (*study.Results, error) {
	if len(s.Over.Games) > 1 {
		return nil, fmt.Errorf("want a single --game, because its positions fill the memory")
	}
	slips := study.Or(s.Over.Slips, [][]float64{{0.1, 0.3}, {0, 0.1, 0.3}, {0, 0.1, 0.2, 0.3}}[s.Effort])
	b, err := solveBoard(ctx, s, study.Or(s.Over.Games, []string{"connect4:columns=5,rows=4"})[0])
	if err != nil {
		return nil, err
	}
	g := &grid{Name: b.Subject.Base.Spec, Subject: b.Subject, board: b, losses: map[arm][][]float64{}}
	g.Worlds = list.Map(slices.Sorted(slices.Values(slips)), func(p float64) study.World { return study.World{Slip: p} })
	g.assumed = slices.Compact(slices.Sorted(slices.Values(study.Or(s.Over.Assume, append([]float64{0}, slips...)))))
	switch {
	case g.assumed[0] != 0:
		return nil, fmt.Errorf("--assume: want 0 among the assumed slips, because the planner that assumes 0 is minimax, the baseline of the comparison")
	case len(g.assumed) == 1:
		return nil, fmt.Errorf("--assume: want an assumed slip above 0, because otherwise there is no expectimax to compare")
	}
	for d := range slices.Max(study.Or(s.Over.Depths, []int{s.Pick(3, 6, 8)})) {
		g.Depths = append(g.Depths, d+1)
	}
	err = g.addExact(ctx, s)
	if err == nil {
		err = g.Measure(ctx, s)
	}
	if err != nil {
		return nil, err
	}
	f := &study.Results{Notes: []string{fmt.Sprintf("%s has %d positions, all of which are included. The evaluation is %s. Results with noise are averaged over seeds, with Student's t intervals; everything else is exact.", g.Name, len(b.hash), cmp.Or(s.Over.Eval, "the exact value with slip .2"))}}
	return f, g.Report(f)
}

// addExact adds errors to the grid: power, exp and several seeds of noise with a common size, or
// the user's warps and noise.
func (g *grid) addExact(ctx context.Context, s *study.Session) (err error) {
	u := g.Subject
	kinds := u.Solo(s.Pick(5, 5, 10))
	if err := g.SizeAll(ctx, s.Over.Error, kinds[:2]); err != nil {
		return err
	}
	noise := &evalError{Name: "noise"}
	for _, t := range kinds[2:] {
		d, err := u.Sized(ctx, t, g.Size)
		if err != nil {
			return err
		}
		noise.Draws = append(noise.Draws, d...)
	}
	if cube := (evaluation.Damage{Kind: evaluation.Power, By: 3}); math.Abs(u.Misfit(cube)-g.Size) < 2e-4 {
		g.Errors[0].Draws[0] = cube // a power that has a name and is as good as the power found
	}
	for _, e := range g.Errors {
		e.Name = e.Draws[0].String()
	}
	if s.Over.Warps != nil {
		g.Errors, err = g.warps(s)
	}
	g.Errors = append(g.Errors, noise)
	return err
}

// boardCell is the key of a cell that contains the results of a weaker planner against the clean
// planner in all worlds.
type boardCell struct {
	Game    string            `json:"game"`
	Eval    string            `json:"eval"`
	Damage  evaluation.Damage `json:"damage"`
	Assumes float64           `json:"assumes"`
	Worlds  []float64         `json:"worlds"`
	Depth   int               `json:"depth"` // maximum depth; the cell contains all depths from 1
	Seed    uint64            `json:"seed"`
}

// solveCell returns the losses of the weaker planner by world and depth. A loss is 0 if the reduced
// depth would be less than 1.
func (g *grid) solveCell(ctx context.Context, k boardCell) ([][]float64, error) {
	b, u := g.board, g.Subject
	clean := b.CleanPolicies(ctx, k.Assumes, k.Depth)
	weak, less := clean, k.Damage.Less()
	if less == 0 {
		weak = b.Policies(ctx, u.Damaged(k.Damage), k.Assumes, k.Depth)
	}
	out := make([][]float64, len(k.Worlds))
	for i, w := range k.Worlds {
		out[i] = make([]float64, k.Depth)
		for d := less; d < k.Depth; d++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			out[i][d] = math.Round((0.5-b.Score(weak[d-less], clean[d], w))*1e12) / 1e12 // sums of millions of terms have rounding errors
		}
	}
	return out, nil
}

func (g *grid) solve(ctx context.Context, s *study.Session) error {
	worlds := list.Map(g.Worlds, func(w study.World) float64 { return w.Slip })
	var keys []boardCell
	var of []string
	for _, a := range g.assumed {
		key := boardCell{Game: g.Name, Eval: g.board.Eval, Assumes: a, Worlds: worlds, Depth: g.last(), Seed: s.Seed}
		for _, e := range g.all(g.last()) {
			for _, key.Damage = range e.Draws {
				keys, of = append(keys, key), append(of, e.Name)
			}
		}
	}
	found, err := study.Cells(ctx, s, "planners", keys, nil, g.solveCell)
	for i, losses := range found {
		for n, w := range g.Worlds {
			for d, loss := range losses[n] {
				a := arm{w, study.World{Slip: keys[i].Assumes}, d + 1, of[i]}
				g.losses[a] = append(g.losses[a], []float64{loss})
			}
		}
	}
	return err
}

func (g *grid) data() study.Data {
	data := study.Data{Name: "cells", Head: []string{"game", "error", "noise_seed", "world", "assumes", "depth", "loss"}}
	for a := range g.arms {
		for _, e := range g.all(a.Depth) {
			for i, x := range e.Draws {
				data.Row(g.Name, e.Name, x.Seed, a.World.Slip, a.Assumes.Slip, a.Depth, g.losses[a.with(e)][i][0])
			}
		}
	}
	return data
}
