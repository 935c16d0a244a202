package diagnose

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"plyfit/game"
	"plyfit/game/play"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/assume"
)

// lens is how a planner's leaves are valued.
type lens int

const (
	raw        lens = iota // by the evaluation
	calibrated             // by the evaluation on the scale of outcomes
	same                   // by the evaluation through a calibration that changes nothing
	blind                  // by what is there where nothing is known
)

// tableMegabytes suffice for searches of some ten thousand nodes.
const tableMegabytes = 1

func (d *diagnosis) options(l lens, depth int) search.Options {
	e := d.Evaluation
	o := search.Options{Game: d.World.Game, Leaf: e.Leaves, Depth: depth, Table: tableMegabytes}
	switch l {
	case blind:
		o.Eval, o.Leaf = search.Zero(d.World.Base()), models.Decision
	case raw:
		o.Eval = e.New()
	case same:
		o.Eval = d.straight(link{slope: 1}).over(e.New())
	case calibrated:
		o.Eval = d.link.over(e.New())
	}
	return o
}

// expectimax averages over nature's moves.
func (d *diagnosis) expectimax(l lens, depth int) (search.Agent, error) {
	return search.NewExpectimax(d.options(l, depth))
}

// minimax takes dice and tiles for an adversary's, and knows no slips.
func (d *diagnosis) minimax(l lens, depth int) (search.Agent, error) {
	o := d.options(l, depth)
	o.Assume = assume.Assumption{Kind: assume.Base}
	return search.NewAlphaBeta(o)
}

// each does n pieces of work with so many workers, each made by make. What is done
// depends on the piece alone.
func each[W any](ctx context.Context, d *diagnosis, stage string, n int, make func() (W, error), do func(ctx context.Context, w W, i int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var mu sync.Mutex
	done := 0
	var all sync.WaitGroup
	for range min(d.Workers, n) {
		all.Go(func() {
			w, err := make()
			for err == nil && ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err = do(ctx, w, i); err == nil {
					mu.Lock()
					done++
					d.Progress(stage, done, n)
					mu.Unlock()
				}
			}
			if err != nil {
				stop(err) // the first one counts
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// limits are how much is spent on what, in nodes.
type limits struct {
	search float64 // the search further at one position, at most
	play   float64 // games against itself
	regret float64 // choices and what they give away
	match  float64 // each match
}

// What keeps most games below a minute and a half of one core: a node takes some ten
// times as long where dice are rolled or tiles fall as in games without.
var (
	usual   = limits{search: 40e3, play: 6e6, regret: 40e6, match: 40e6}
	rolling = limits{search: 20e3, play: 3e6, regret: 12e6, match: 6e6}
)

// choose sets how far is searched: so that the search further, at positions that random
// games meet, takes no more nodes than the limit on average.
func (d *diagnosis) choose(ctx context.Context) error {
	positions := d.pilot()
	if len(positions) == 0 {
		return fmt.Errorf("diagnose: %s: no position found with a choice between moves", d.World.Spec)
	}
	depths := []int{d.Depth}
	if d.Depth == 0 {
		depths = []int{2, 1}
	}
	for _, depth := range depths {
		for _, further := range []int{2, 1} {
			ok, err := d.affordable(ctx, positions, depth+further)
			if err != nil {
				return err
			}
			if ok {
				d.Depth, d.further = depth, further
				d.report.Depth, d.report.Further = depth, further
				return nil
			}
		}
	}
	last := depths[len(depths)-1]
	return fmt.Errorf("diagnose: %s: searching %d decisions takes more than %.0f nodes a move: want --depth %s", d.World.Spec, last+1, d.limits.search, map[bool]string{true: "of less", false: "1 of a smaller game"}[last > 1])
}

// long reports whether games as deep as the planners search take too many nodes.
func (d *diagnosis) long(ctx context.Context) (bool, error) {
	a, err := d.expectimax(raw, d.Depth)
	if err != nil {
		return false, err
	}
	positions := d.pilot()
	nodes, plies := 0.0, 0.0
	for _, s := range positions {
		a.Begin(0)
		r, err := a.Search(ctx, s)
		if err != nil {
			return false, err
		}
		nodes += float64(r.Nodes) / float64(len(positions))
	}
	for _, g := range d.valued {
		plies += float64(g.plies) / float64(len(d.valued))
	}
	return nodes*plies*fewestGames > 2*d.limits.play, nil
}

// pilot are positions of random games.
func (d *diagnosis) pilot() (out []game.State) {
	for i := range 16 {
		r := rand.New(rand.NewPCG(game.Seed(d.Seed, game.StreamDiagnose, 0, uint64(i)), 1))
		s := d.World.New()
		o := play.Opening{Least: 3 * (i / 2), Most: 3 * (i / 2), Tries: 3, DecideSlip: true}
		o.Draw(s, r) // where all tries end the game it is the start
		e := play.Episode{Luck: &play.Dice{Random: r}}
		e.Begin(s, 0, d.World.MaxPlies)
		for e.Next() {
			moves := s.Moves(nil)
			if len(moves) > 1 {
				out = append(out, s.Clone())
				break
			}
			e.Play(moves[0])
		}
	}
	return out
}

// affordable reports whether the search further takes few enough nodes.
func (d *diagnosis) affordable(ctx context.Context, positions []game.State, depth int) (bool, error) {
	o := d.options(raw, depth)
	o.Nodes = int64(d.limits.search) * int64(len(positions))
	a, err := search.NewExpectimax(o)
	if err != nil {
		return false, fmt.Errorf("diagnose: %w", err)
	}
	defer search.Close(a)
	total := int64(0)
	for _, s := range positions {
		a.Begin(0)
		r, err := a.Search(ctx, s)
		if err != nil {
			return false, err
		}
		if total += r.Nodes; total > o.Nodes || r.Depth < depth && !r.Exact {
			return false, nil
		}
	}
	return true, nil
}
