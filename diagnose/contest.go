package diagnose

import (
	"context"
	"fmt"

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
	var err error
	if e.Pairs, e.Loss, err = d.match(ctx, "expectimax", d.expectimax, raw, d.further, each(expectimaxRaw)+further, mostPairs); err != nil {
		return err
	}
	if e.Pairs > 0 {
		if _, e.Blind, err = d.match(ctx, "expectimax with no evaluation", d.expectimax, blind, d.further, each(expectimaxBlind)+further, anchorPairs); err != nil {
			return err
		}
	}
	if d.chancy {
		m := new(Loss)
		d.report.Minimax = m
		if m.Pairs, m.Loss, err = d.match(ctx, "minimax", d.minimax, raw, d.further, each(minimaxRaw)+each(minimaxFurther), mostPairs); err != nil {
			return err
		}
		if m.Pairs > 0 {
			if _, m.Blind, err = d.match(ctx, "minimax with no evaluation", d.minimax, blind, d.further, each(minimaxBlind)+each(minimaxFurther), anchorPairs); err != nil {
				return err
			}
		}
	}
	var ply stats.Estimate
	pairs := e.Pairs
	if ply = e.Loss; d.further > 1 {
		if pairs, ply, err = d.match(ctx, "expectimax one decision further", d.expectimax, raw, 1, each(expectimaxRaw)+each(expectimaxPly), mostPairs); err != nil {
			return err
		}
	}
	if pairs > 0 {
		d.report.Advice = append(d.report.Advice, Advice{fmt.Sprintf("search one decision further: depth=%d", d.Depth+1), ply})
	}
	return nil
}

// match has a planner play the evaluation searching further, with common luck: what it
// loses a game, in the unit of the report. A decision of both sides takes so many
// nodes. No pairs are played where there is room for too few.
func (d *diagnosis) match(ctx context.Context, name string, planner func(lens, int) (search.Agent, error), l lens, further int, nodes float64, most int) (int, stats.Estimate, error) {
	decisions := 0.0
	for _, g := range d.games {
		decisions += float64(g.plies) / float64(len(d.games))
	}
	pairs := d.Pairs
	if pairs == 0 {
		pairs = min(most, int(d.limits.match/(nodes*decisions+1)))
	}
	if pairs < fewestPairs {
		return 0, stats.Estimate{Lacks: "games are too long to play enough of them"}, nil
	}
	of := func(l lens, depth int) search.Factory {
		return search.Factory{Name: fmt.Sprintf("%d decisions", depth), New: func() (search.Agent, error) { return planner(l, depth) }}
	}
	r, err := arena.Run(ctx, arena.Config{
		Game: d.World.Game, A: of(l, d.Depth), B: of(raw, d.Depth+further), Pairs: pairs, Workers: d.Workers,
		Seed: game.Seed(d.Seed, game.StreamDiagnose, 4), Openings: arena.Openings{Plies: d.Openings},
		Progress: func(p arena.Progress) { d.Progress(name, p.Pairs, p.Of) },
	})
	if err != nil {
		return 0, stats.Estimate{}, err
	}
	if n := r.FaultsA.All() + r.FaultsB.All(); n > 0 {
		return 0, stats.Estimate{}, fmt.Errorf("diagnose: %d games of %s ended by a fault", n, name)
	}
	if r.Measure == arena.Wins {
		return pairs, turned(r.Points, 0.5, 1), nil
	}
	scale := d.unit
	if d.players == 2 {
		scale /= 2 // what one side loses the other gets
	}
	return pairs, turned(r.Difference, 0, scale), nil
}

// turned is scale times how far below par an estimate is.
func turned(e stats.Estimate, par, scale float64) stats.Estimate {
	e.Value, e.Low, e.High = float64(scale*(par-e.Value)), float64(scale*(par-e.High)), float64(scale*(par-e.Low))
	return e
}
