package ask

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"plyfit/study"
	"plyfit/study/evaluation"
)

// runExact crosses planner and world on a board that is solved.
func runExact(ctx context.Context, s *study.Session) (*study.Results, error) {
	if len(s.Over.Games) > 1 {
		return nil, fmt.Errorf("want one --game: its positions fill the memory")
	}
	slips := study.Or(s.Over.Slips, [][]float64{{0.1, 0.3}, {0, 0.1, 0.3}, {0, 0.1, 0.2, 0.3}}[s.Effort])
	b, err := solveBoard(ctx, s, study.Or(s.Over.Games, []string{smallBoard})[0])
	if err != nil {
		return nil, err
	}
	g, err := onBoard(b, slips, study.Or(s.Over.Assume, append([]float64{0}, slips...)))
	if err != nil {
		return nil, err
	}
	for d := range slices.Max(study.Or(s.Over.Depths, []int{s.Pick(3, 6, 8)})) {
		g.Depths = append(g.Depths, d+1)
	}
	if err := g.addExact(ctx, s); err != nil {
		return nil, err
	}
	if err := g.Measure(ctx, s); err != nil {
		return nil, err
	}
	of := cmp.Or(s.Over.Eval, "the exact value with slip .2")
	f := &study.Results{Notes: []string{fmt.Sprintf("%s has %d positions, all of them counted; the evaluation is %s. Noise is the mean of its seeds with Student's t over them; everything else is exact.", g.Name, b.Len(), of)}}
	return f, g.Report(f)
}

// addExact adds the power, exp and seeds of noise at one size, or the user's warps and the noise.
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
	power := &g.Errors[0].Draws[0]
	if cube := (evaluation.Damage{Kind: evaluation.Power, By: 3}); math.Abs(u.Misfit(cube)-g.Size) < 2e-4 {
		*power = cube // as good as the one found, and with a name
	}
	for _, e := range g.Errors {
		e.Name = e.Draws[0].String()
	}
	if s.Over.Warps != nil {
		g.Errors, err = g.warps(s)
	}
	g.Errors = append(append(g.Errors, noise), controls...)
	return err
}
