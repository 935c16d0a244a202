package diagnose

import (
	"context"
	"fmt"
	"slices"

	"plyfit/arena"
	"plyfit/game"
	"plyfit/search"
	"plyfit/stats"
)

// Pairs of a match: no more are wanted, and fewer say nothing.
const (
	mostPairs   = 500
	fewestPairs = 40
	anchorPairs = 100 // of those with no evaluation, whose loss is large
)

// contest plays the matches that the limit has room for: of each planner against
// itself searching further, and against itself one decision further.
func (d *diagnosis) contest(ctx context.Context) error {
	each := func(a arm) float64 {
		sum := 0.0
		for _, c := range d.found {
			sum += float64(c.nodes[a])
		}
		return sum / float64(max(1, len(d.found)))
	}
	further := 0.0
	for _, c := range d.found {
		further += float64(c.search) / float64(len(d.found))
	}
	e := &d.report.Expectimax
	costs := []float64{each(expectimaxRaw) + further, each(expectimaxBlind) + further, each(minimaxRaw) + each(minimaxFurther), each(minimaxBlind) + each(minimaxFurther)}
	pairs := d.pairs(slices.Max(costs))
	if d.chancy {
		d.report.Minimax = &Loss{Pairs: pairs}
	}
	if e.Pairs = pairs; pairs == 0 {
		return nil
	}
	type side struct {
		name    string
		planner func(lens, int) (search.Agent, error)
		of      *Loss
	}
	sides := []side{{"expectimax", d.expectimax, e}}
	if d.chancy {
		sides = append(sides, side{"minimax", d.minimax, d.report.Minimax})
	}
	for _, p := range sides {
		var err error
		if p.of.Loss, err = d.match(ctx, p.name, p.planner, raw, d.further, pairs); err != nil {
			return err
		}
		if p.of.Blind, err = d.match(ctx, p.name+" with no evaluation", p.planner, blind, d.further, min(anchorPairs, pairs)); err != nil {
			return err
		}
	}
	ply := e.Loss
	if d.further > 1 {
		var err error
		if ply, err = d.match(ctx, "expectimax one decision further", d.expectimax, raw, 1, pairs); err != nil {
			return err
		}
	}
	d.report.Advice = append(d.report.Advice, Advice{Do: fmt.Sprintf("search one decision further: depth=%d", d.Depth+1), Gain: ply})
	return nil
}

// pairs are how many a match has room for, where a decision of both sides takes so many
// nodes; 0 where they are too few.
func (d *diagnosis) pairs(nodes float64) int {
	if d.Pairs > 0 {
		return d.Pairs
	}
	decisions := 0.0
	for _, g := range d.games {
		decisions += float64(g.plies) / float64(len(d.games))
	}
	n := min(mostPairs, int(d.limits.match/(float64(nodes*decisions)+1)))
	if n < fewestPairs {
		return 0
	}
	return n
}

// match has a planner play pairs against the evaluation searching further, with common
// luck: what it loses a game, in the unit of the report.
func (d *diagnosis) match(ctx context.Context, name string, planner func(lens, int) (search.Agent, error), l lens, further, pairs int) (stats.Estimate, error) {
	of := func(l lens, depth int) search.Factory {
		return search.Factory{Name: fmt.Sprintf("%d decisions", depth), New: func() (search.Agent, error) { return planner(l, depth) }}
	}
	r, err := arena.Run(ctx, arena.Config{
		Game: d.World.Game, A: of(l, d.Depth), B: of(raw, d.Depth+further), Pairs: pairs, Workers: d.Workers,
		Seed: game.Seed(d.Seed, game.StreamDiagnose, 4), Openings: arena.Openings{Plies: d.Openings},
		Progress: func(p arena.Progress) { d.Progress(name, p.Pairs, p.Of) },
	})
	if err != nil {
		return stats.Estimate{}, err
	}
	if n := r.FaultsA.All() + r.FaultsB.All(); n > 0 {
		return stats.Estimate{}, fmt.Errorf("diagnose: %d games of %s ended by a fault", n, name)
	}
	if r.Measure == arena.Wins {
		return turned(r.Points, 0.5, 1), nil
	}
	scale := d.unit
	if d.players == 2 {
		scale /= 2 // what one side loses the other gets
	}
	return turned(r.Difference, 0, scale), nil
}

// turned is scale times how far below par an estimate is.
func turned(e stats.Estimate, par, scale float64) stats.Estimate {
	e.Value, e.Low, e.High = float64(scale*(par-e.Value)), float64(scale*(par-e.High)), float64(scale*(par-e.Low))
	return e
}
