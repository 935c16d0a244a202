package diagnose

import (
	"context"
	"fmt"
	"math"

	"plyfit/arena"
	"plyfit/game"
	"plyfit/search"
	"plyfit/stats"
)

// Pairs of a match: no more are wanted, and fewer say nothing.
const (
	mostPairs   = 1000
	fewestPairs = 40
	anchorPairs = 100 // of those with no evaluation, whose loss is large
	trialPairs  = 4   // which tell what a pair takes
	cheapPairs  = 4   // times as many where nobody searches further
)

// Where fewer pairs than this go to either side, their scatter says too little: in 24
// diagnoses of tic-tac-toe with 80 pairs the loss lay outside of its interval 5 times.
const (
	fewDecided = 20
	worstPair  = 0.5 // of the points
)

// fixture is a match of a planner against itself, a against b.
type fixture struct {
	name    string
	planner func(lens, int) (search.Agent, error)
	a, b    entrant
	most    int     // pairs
	weight  float64 // of what the budget has left
	loss    *stats.Estimate
	pairs   *int // nil: nobody asks
}

// entrant is what a planner sees through, and how far it searches.
type entrant struct {
	lens  lens
	depth int
}

// contest plays the matches that the budget has room for: of each planner against itself
// searching further, of expectimax calibrated against itself as it is, and of expectimax
// against itself one decision further.
func (d *diagnosis) contest(ctx context.Context) error {
	e, m := &d.report.Expectimax, (*Loss)(nil)
	most := d.capped(d.Pairs, mostPairs)
	anchors := min(most, d.capped(0, anchorPairs))
	own, further, further1 := entrant{raw, d.Depth}, entrant{raw, d.Depth + d.further}, entrant{raw, d.Depth + 1}
	var ply, mended stats.Estimate
	fixtures := []fixture{{"expectimax", d.expectimax, own, further, most, 3, &e.Loss, &e.Pairs}}
	if d.chancy {
		m = &Loss{}
		d.report.Minimax = m
		fixtures = append(fixtures, fixture{"minimax", d.minimax, own, further, most, 2, &m.Loss, &m.Pairs})
	}
	if d.chancy && d.link != d.straight(link{slope: 1}) {
		fixtures = append(fixtures, fixture{"calibrated", d.expectimax, own, entrant{calibrated, d.Depth}, cheapPairs * most, 2, &mended, nil})
	}
	if d.further > 1 {
		fixtures = append(fixtures, fixture{"expectimax one decision further", d.expectimax, own, further1, most, 3, &ply, nil})
	}
	fixtures = append(fixtures, fixture{"expectimax with no evaluation", d.expectimax, entrant{blind, d.Depth}, further, anchors, 1, &e.Blind, nil})
	if d.chancy {
		fixtures = append(fixtures, fixture{"minimax with no evaluation", d.minimax, entrant{blind, d.Depth}, further, anchors, 1, &m.Blind, nil})
	}
	if !d.room(most) {
		return nil
	}
	weights := 0.0
	for _, f := range fixtures {
		weights += f.weight
	}
	for i, f := range fixtures {
		before := d.spending.spent()
		if _, err := d.match(ctx, f, 5, trialPairs); err != nil {
			return err
		}
		a := d.spending.spent()
		room := (d.spending.budget - a) * f.weight / weights / ((a - before + 1) / trialPairs)
		weights -= f.weight
		least := min(f.most, fewestPairs)
		pairs := min(f.most, max(int(room), least))
		if i == 0 && int(room) < least {
			return nil // the others take as long
		}
		loss, err := d.match(ctx, f, 4, pairs)
		if err != nil {
			return err
		}
		*f.loss = loss
		if f.pairs != nil {
			*f.pairs = pairs
		}
	}
	if d.further == 1 {
		ply = e.Loss
	}
	if d.chancy {
		e.Scale = mended
	}
	d.report.Advice = append(d.report.Advice, Advice{Do: fmt.Sprintf("search one decision further: depth=%d", d.Depth+1), Gain: ply})
	return nil
}

// room reports whether a match may have room, by what searches took at the sample.
func (d *diagnosis) room(most int) bool {
	nodes, plies := 0.0, 0.0
	for _, c := range d.found {
		nodes += float64(c.nodes[expectimaxRaw]+c.search) / float64(len(d.found))
	}
	for _, g := range d.games {
		plies += float64(g.plies) / float64(len(d.games))
	}
	pair := float64(plies * (float64(d.spending.own*nodes) + 2*searchUnits))
	return pair*float64(min(most, fewestPairs)/2) < 0.3*(d.spending.budget-d.spending.spent())
}

// match plays so many pairs of a fixture, with common luck: what a loses a game to b, in
// the unit of the report.
func (d *diagnosis) match(ctx context.Context, f fixture, stream uint64, pairs int) (stats.Estimate, error) {
	of := func(e entrant) search.Factory {
		return search.Factory{Name: fmt.Sprintf("%d decisions", e.depth), New: func() (search.Agent, error) { return f.planner(e.lens, e.depth) }}
	}
	r, err := arena.Run(ctx, arena.Config{
		Game: d.World.Game, A: of(f.a), B: of(f.b), Pairs: pairs, Workers: d.Workers,
		Seed: game.Seed(d.Seed, game.StreamDiagnose, stream), Openings: arena.Openings{Plies: d.Openings},
		Progress: func(p arena.Progress) { d.Progress(f.name, p.Pairs, p.Of) },
	})
	if err != nil {
		return stats.Estimate{}, err
	}
	if n := r.FaultsA.All() + r.FaultsB.All(); n > 0 {
		return stats.Estimate{}, fmt.Errorf("diagnose: %d games of %s ended by a fault", n, f.name)
	}
	if r.Measure == arena.Wins {
		loss := turned(r.Points, 0.5, 1)
		if v := r.Versus; v == nil || v.Pentanomial.Pairs()-v.Pentanomial[2] < fewDecided {
			loss = missed(loss, worstPair, r.Pairs)
		}
		return loss, nil
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

// missed is an estimate of n pairs of which few differ: by the rule of three pairs of
// another kind may come up three times in as many, and be lost or won by so much.
func missed(e stats.Estimate, worst float64, n int) stats.Estimate {
	more := float64(3 * worst / float64(n))
	half := math.Sqrt(float64(e.Error()*e.Error()) + float64(more*more))
	return stats.Estimate{Value: e.Value, Known: true, Low: e.Value - half, High: e.Value + half, Bounded: true}
}
