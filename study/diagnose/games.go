package diagnose

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"plyfit/game"
	"plyfit/game/play"
	"plyfit/models"
	"plyfit/search"
	"plyfit/work"
)

// A played is a game of the evaluation against itself.
type played struct {
	decisions []game.State // positions with a choice of moves
	plies     int          // number of decisions before any were dropped
	values    []float64    // values of the evaluation during the game, from player 0's point of view
	outcome   float64      // utility of player 0
	cut       bool         // whether the game was truncated and has no outcome
}

// A sample is a decision from a game. Its weight is the number of the game's decisions that it
// represents.
type sample struct {
	game   int
	weight float64
	state  game.State
}

// Limits of the number of games.
const (
	fewestGames = 30
	mostGames   = 600
)

// Streams of random numbers.
const (
	pilotGames uint64 = iota
	measuredGames
	valuedGames
	samples
	matchLuck
	trialLuck
	mendedLuck // for the calibrated planner, whose gain and loss must be independent
)

// random returns the random number generator for one game in a stream.
func (d *diagnosis) random(stream uint64, i int) *rand.Rand {
	return rand.New(rand.NewPCG(game.Seed(d.Seed, game.StreamDiagnose, stream, uint64(i)), 1))
}

// play plays the games at depth 1, from which the slope is computed, and the games whose decisions
// are measured. If games are long, the latter are the first games at depth 1.
func (d *diagnosis) play(ctx context.Context) (err error) {
	if d.valued, err = d.playAll(ctx, "games one decision ahead", valuedGames, 1, d.capped(0, 1500)); err != nil {
		return err
	}
	most := d.capped(d.Games, mostGames)
	units, err := d.spending.cost(len(d.pilot), func() error {
		_, err := d.probe(ctx, d.Depth, 0)
		return err
	})
	if err != nil {
		return err
	}
	if units*plies(d.valued)*fewestGames > float64(2*playShare*d.spending.budget) { // games at the planners' depth would be too expensive
		d.games = d.valued[:min(most, len(d.valued))]
		d.less("positions come from depth-1 games, because games are long")
	} else if d.games, err = d.playAll(ctx, "games", measuredGames, d.Depth, most); err != nil {
		return err
	}
	d.report.Games, d.report.Valued = len(d.games), len(d.valued)
	return nil
}

// playAll plays at least fewestGames games, and more if this stage's share of the budget allows it,
// but never more than the given maximum.
func (d *diagnosis) playAll(ctx context.Context, stage string, stream uint64, depth, most int) (games []played, err error) {
	type player struct {
		agent search.Agent
		eval  search.Evaluator // a separate evaluator, because a search tracks its own line
	}
	playTo := func(n int) error {
		from := len(games)
		games = append(games, make([]played, n-from)...)
		return work.Each(ctx, d.Workers, n-from, func() (player, error) {
			a, err := d.agent(d.Evaluation.New(), planner{false, raw, depth})
			return player{a, d.Evaluation.New()}, err
		}, func(ctx context.Context, p player, i int) (err error) {
			i += from
			games[i], err = d.one(ctx, p.agent, p.eval, d.random(stream, i))
			if stream == valuedGames && i >= d.capped(d.Games, mostGames) {
				games[i].decisions = nil // not needed for measurements
			}
			return err
		}, d.progress(stage, n-from))
	}
	first := min(12, most) // determines how many games the budget allows
	units, err := d.spending.cost(first, func() error { return playTo(first) })
	if n := min(most, max(fewestGames, int(float64(playShare*d.spending.budget)/units))); err == nil && n > first {
		err = playTo(n)
	}
	return games, err
}

// one plays a single game. It keeps at most 32 decisions by repeatedly dropping every second one.
func (d *diagnosis) one(ctx context.Context, agent search.Agent, eval search.Evaluator, r *rand.Rand) (g played, err error) {
	s := d.World.New()
	opening := play.Opening{Least: d.Openings, Most: d.Openings, Tries: 1000, MaxPlies: d.World.MaxPlies, DecideSlip: true}
	if !opening.Draw(s, r) {
		return g, fmt.Errorf("diagnose: %s: %d random decisions always end the game", d.World.Spec, d.Openings)
	}
	e := play.Episode{Luck: &play.Dice{Random: r}}
	e.Begin(s, len(opening.Moves), d.World.MaxPlies)
	after := d.Evaluation.Leaves == models.Afterstate
	for e.Next() {
		if len(s.Moves(nil)) > 1 {
			g.decisions = append(g.decisions, s.Clone())
		}
		if !after {
			g.values = append(g.values, eval.Evaluate(game.Base(s), 0))
		}
		agent.Begin(0)
		m, err := search.Move(ctx, agent, s)
		if err != nil {
			return g, err
		}
		e.Play(m)
		if e.Decide(); after && s.Turn() == game.Chance {
			g.values = append(g.values, eval.Evaluate(game.Base(s), 0))
		}
	}
	for g.plies = len(g.decisions); len(g.decisions) > 32; {
		n := 0
		g.decisions = slices.DeleteFunc(g.decisions, func(game.State) bool { n++; return n%2 == 0 })
	}
	if g.cut = e.Truncated(); !g.cut {
		g.outcome = s.Utility(0)
	}
	return g, nil
}

// draw samples at most the given number of decisions from each game, evenly spaced from a random
// start.
func (d *diagnosis) draw(most int) {
	for i, g := range d.games {
		n := len(g.decisions)
		if n == 0 {
			continue
		}
		m := min(most, n)
		from := float64(d.random(samples, i).Float64()) // rounded before the addition
		for k := range m {
			at := int((float64(k) + from) * float64(n) / float64(m))
			d.samples = append(d.samples, sample{i, float64(g.plies) / float64(m), g.decisions[min(at, n-1)]})
		}
	}
	d.report.Positions = len(d.samples)
}
