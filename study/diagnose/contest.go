package diagnose

import (
	"context"
	"fmt"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/search"
)

// Numbers of pairs in a match.
const (
	mostPairs   = 1000
	fewestPairs = 40 // minimum number of pairs for a meaningful result
	trialPairs  = 4  // number of pairs played to estimate the cost of a pair
)

type fixture struct {
	name   string
	a, b   planner
	most   int     // maximum number of pairs
	weight float64 // relative share of the remaining budget
	luck   uint64
	loss   *stats.Estimate // result: loss of the first planner
	pairs  *int            // result: number of pairs played
}

// contest plays the matches that the budget allows. Each planner plays, with and without an
// evaluation, against a deeper search of its own kind. Expectimax also plays against a calibrated
// version of itself and against a version that searches one decision deeper.
func (d *diagnosis) contest(ctx context.Context) error {
	e, m, more, other := &d.report.Expectimax, &Loss{}, d.report.Further, new(int)
	if d.chancy {
		d.report.Minimax = m
	}
	most := d.capped(d.Pairs, mostPairs)
	if !d.room(most) {
		return nil
	}
	anchors := min(most, d.capped(0, 100)) // a few are sufficient, because the loss without an evaluation is large
	own, further, minimax := d.planner(false, raw, 0), d.planner(false, raw, more), d.planner(true, raw, more)
	var ply, mended stats.Estimate
	fixtures, weights := []fixture{}, 0.0
	add := func(played bool, f fixture) {
		if played {
			fixtures, weights = append(fixtures, f), weights+f.weight
		}
	}
	add(true, fixture{"expectimax", own, further, most, 3, matchLuck, &e.Loss, &e.Pairs})
	add(d.chancy, fixture{"minimax", d.planner(true, raw, 0), minimax, most, 2, matchLuck, &m.Loss, &m.Pairs})
	add(d.chancy && d.link != d.identity(), fixture{"calibrated", own, d.planner(false, calibrated, 0), 4 * most, 2, mendedLuck, &mended, other})
	add(more > 1, fixture{"expectimax one decision further", own, d.planner(false, raw, 1), most, 3, matchLuck, &ply, other})
	add(true, fixture{"expectimax with no evaluation", d.planner(false, blind, 0), further, anchors, 1, matchLuck, &e.Blind, other})
	add(d.chancy, fixture{"minimax with no evaluation", d.planner(true, blind, 0), minimax, anchors, 1, matchLuck, &m.Blind, other})
	for i, f := range fixtures {
		units, err := d.spending.cost(trialPairs, func() error {
			_, err := d.match(ctx, f, trialLuck, trialPairs)
			return err
		})
		if err != nil {
			return err
		}
		room := int((d.spending.budget - d.spending.spent()) * f.weight / weights / units)
		weights -= f.weight
		least := min(f.most, fewestPairs)
		if i == 0 && room < least {
			return nil // the other matches take about as long, so there is no room for them either
		}
		*f.pairs = min(f.most, max(room, least))
		if *f.loss, err = d.match(ctx, f, f.luck, *f.pairs); err != nil {
			return err
		}
	}
	if more == 1 {
		ply = e.Loss
	}
	if d.chancy {
		e.Scale = mended
	}
	d.report.Advice = append(d.report.Advice, Advice{Do: fmt.Sprintf("search one decision deeper: depth=%d", d.Depth+1), Gain: ply})
	return nil
}

// room reports whether the budget is likely to allow a match, based on the cost of searches at the
// sampled positions.
func (d *diagnosis) room(most int) bool {
	nodes := 0.0
	for _, c := range d.found {
		nodes += float64(c.nodes) / float64(len(d.found))
	}
	pair := float64(plies(d.games) * (float64(d.spending.own*nodes) + 2*searchUnits))
	return pair*float64(min(most, fewestPairs)/2) < 0.3*(d.spending.budget-d.spending.spent())
}

// match plays pairs of games with common luck and returns a's loss per game in the report's unit.
func (d *diagnosis) match(ctx context.Context, f fixture, luck uint64, pairs int) (stats.Estimate, error) {
	of := func(p planner) search.Factory {
		return search.Factory{Name: fmt.Sprintf("%d decisions", p.depth), New: func() (search.Agent, error) { return d.agent(d.Evaluation.New(), p) }}
	}
	r, err := arena.Run(ctx, arena.Config{
		Game: d.World.Game, A: of(f.a), B: of(f.b), Pairs: pairs, Workers: d.Workers,
		Seed: game.Seed(d.Seed, game.StreamDiagnose, luck), Openings: arena.Openings{Plies: d.Openings},
		Progress: func(p arena.Progress) { d.Progress(f.name, p.Pairs, p.Of) },
	})
	if err != nil {
		return stats.Estimate{}, err
	}
	if n := r.FaultsA.All() + r.FaultsB.All(); n > 0 {
		return stats.Estimate{}, fmt.Errorf("diagnose: %d games of %s ended with a fault", n, f.name)
	}
	if r.Measure == arena.Wins {
		return r.Versus.Pentanomial.OneMore(r.Points.Map(-1, 0.5)), nil
	}
	scale := d.unit
	if d.World.Players == 2 {
		scale /= 2 // one player's loss is the other player's gain
	}
	return r.Difference.Map(-scale, 0), nil
}
