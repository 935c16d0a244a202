package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"plyfit/study"
)

// solved crosses planner and world on a board that is solved.
var solved = described(study.Experiment{
	Name:    "exact",
	Takes:   []string{"game", "eval", "warp", "depth", "slip", "assume", "error"},
	Minutes: [3]float64{0.8, 3, 20},
	Run:     runExact,
})

func runExact(ctx context.Context, s *study.Session) (*study.Results, error) {
	if len(s.Over.Games) > 1 {
		return nil, fmt.Errorf("want one --game: its positions fill the memory")
	}
	spec := study.Or(s.Over.Games, []string{smallBoard})[0]
	slips := study.Or(s.Over.Slips, [][]float64{{0.1, 0.3}, {0, 0.1, 0.3}, {0, 0.1, 0.2, 0.3}}[s.Effort])
	b, err := solveBoard(ctx, s, spec)
	if err != nil {
		return nil, err
	}
	of := cmp.Or(s.Over.Eval, "the exact value with slip .2")
	g, err := onBoard(b, slips, study.Or(s.Over.Assume, append([]float64{0}, slips...)))
	if err != nil {
		return nil, err
	}
	for d := range slices.Max(study.Or(s.Over.Depths, []int{s.Pick(3, 6, 8)})) {
		g.Depths = append(g.Depths, d+1)
	}
	if err := exactErrors(ctx, s, g); err != nil {
		return nil, err
	}
	if err := g.Measure(ctx, s); err != nil {
		return nil, err
	}
	f := &study.Results{Notes: []string{fmt.Sprintf("%s has %d positions, all of them counted; the evaluation is %s. Noise is the mean of its seeds with Student's t over them; everything else is exact.", g.Name, b.Len(), of)}}
	return f, g.Report(f)
}

// exactErrors are the power, exp and seeds of noise at one size, or the user's warps and the noise.
func exactErrors(ctx context.Context, s *study.Session, g *grid) error {
	u := g.Subject
	list := u.Solo(s.Pick(5, 5, 10))
	if err := g.SizeAll(ctx, s.Over.Error, list[:2]); err != nil {
		return err
	}
	noise := &evalError{Name: "noise"}
	for _, t := range list[2:] {
		d, err := u.Sized(ctx, t, g.Size)
		if err != nil {
			return err
		}
		noise.Draws = append(noise.Draws, d...)
	}
	power, exp := cube(u, g.Size, g.Errors[0].Draws[0]), g.Errors[1].Draws[0]
	g.Errors = []*evalError{single(power.String(), power), single(exp.String(), exp)}
	if s.Over.Warps != nil {
		var err error
		if g.Errors, err = warps(s, u); err != nil {
			return err
		}
	}
	g.Errors = append(append(g.Errors, noise), controls()...)
	return nil
}
