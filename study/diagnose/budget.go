package diagnose

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync/atomic"

	"plyfit/features"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/search"
)

// Work is measured in units rather than in time, so that the same seed leads to the same report on
// every machine. A node costs one unit per legal move and a quarter of a unit per term of the
// evaluation, because the cost of a node grows with both. For thirteen games with 0.12 to 1.5 µs
// per node, the estimate is correct within a factor of 2, except for minesweeper, which takes 2.4
// times as long.
const (
	unitsPerSecond = 30e6
	searchUnits    = 200 // cost of starting a search

	DefaultBudget = 60 // in estimated CPU seconds
	leastBudget   = 1  // minimum budget; a smaller one would not lead to any conclusion

	// Shares of the budget. Matches get the remainder.
	playShare   = 0.06      // for each of the two kinds of games
	regretShare = 0.33      // for the choices and their regrets
	searchShare = 1. / 8000 // maximum share for the deeper search at one position
)

// spending contains the budget and the cost so far, in units.
type spending struct {
	budget      float64
	node        float64      // cost of a node
	own         float64      // cost of an expectimax node with the unmodified evaluation
	used, nodes atomic.Int64 // totals so far
}

func (s *spending) spent() float64 { return float64(s.used.Load()) }

// cost runs a function that processes n items, and returns the mean cost of an item in units.
func (s *spending) cost(n int, do func() error) (units float64, err error) {
	before := s.spent()
	err = do()
	return (s.spent() - before + 1) / float64(max(1, n)), err
}

// reckon determines what a node costs in this world and with this evaluation.
func (d *diagnosis) reckon() {
	e, moves, terms := d.Evaluation, 0.0, 0.0
	n := float64(len(d.pilot))
	for _, s := range d.pilot {
		moves += float64(len(s.Moves(nil))) / n
		if e.Set != nil {
			s = game.Base(s)
			terms += float64(len(features.Own(e.Set).Extract(s, e.Set.View(s), nil))) / n
		}
	}
	d.spending.node = moves + float64(0.25*terms)
	d.spending.own = d.spending.node
	if _, all := e.New().(*features.Foresight); all {
		d.spending.own /= 20 // the evaluation searches the tree by itself
	}
}

// choose determines the search depths. The cost of the deeper search, which is measured at
// positions from random games, must not exceed its share of the budget.
func (d *diagnosis) choose(ctx context.Context) error {
	d.drawPilot()
	if len(d.pilot) == 0 {
		return fmt.Errorf("diagnose: %s: no position with a choice between moves was found", d.World.Spec)
	}
	d.reckon()
	depths := []int{d.Depth}
	if d.Depth == 0 {
		depths = []int{2, 1}
	}
	most := int64(math.Ceil(float64(searchShare*d.spending.budget*float64(len(d.pilot))) / d.spending.node))
	for _, depth := range depths {
		for _, further := range []int{2, 1} {
			if ok, err := d.probe(ctx, depth+further, most); err != nil {
				return err
			} else if !ok {
				continue
			}
			if depth < depths[0] {
				d.less("planners search to depth %d, not %d", depth, depths[0])
			}
			if further < 2 {
				d.less("the reference search is %d decision deeper, not 2", further)
			}
			if less := d.report.Spent.Less; len(less) > 0 {
				d.note("The budget of %.4g CPU seconds is too small for the usual questions: %s.", d.Budget, strings.Join(less, "; "))
			}
			d.Depth, d.report.Depth, d.report.Further = depth, depth, further
			return nil
		}
	}
	last := depths[len(depths)-1]
	want := fmt.Sprintf("a --budget above %.0f", d.Budget)
	if last > 1 {
		want += " or a lower --depth"
	}
	return fmt.Errorf("diagnose: %s: a search of depth %d takes more than %.2g s per move; want %s", d.World.Spec, last+1, float64(searchShare*d.Budget), want)
}

func (d *diagnosis) drawPilot() {
	for i := range 16 {
		r, s := d.random(pilotGames, i), d.World.New()
		o := play.Opening{Least: 3 * (i / 2), Most: 3 * (i / 2), Tries: 3, DecideSlip: true}
		o.Draw(s, r) // the start position is used if the game ends in all tries
		e := play.Episode{Luck: &play.Dice{Random: r}}
		e.Begin(s, 0, d.World.MaxPlies)
		for e.Next() {
			moves := s.Moves(nil)
			if len(moves) > 1 {
				d.pilot = append(d.pilot, s.Clone())
				break
			}
			e.Play(moves[0])
		}
	}
}

// probe searches the pilot positions and reports whether their total number of nodes is within a
// limit (the parameter most); 0 means no limit.
func (d *diagnosis) probe(ctx context.Context, depth int, most int64) (bool, error) {
	a, err := d.agent(d.Evaluation.New(), planner{false, raw, depth})
	if err != nil {
		return false, fmt.Errorf("diagnose: %w", err)
	}
	defer search.Close(a)
	a.Limit(depth, most)
	total := int64(0)
	for _, s := range d.pilot {
		a.Begin(0)
		r, err := a.Search(ctx, s)
		if err != nil {
			return false, err
		}
		if total += r.Nodes; most > 0 && (total > most || r.Depth < depth && !r.Exact) {
			return false, nil
		}
	}
	return true, nil
}

// plies returns the mean number of decisions in a game.
func plies(games []played) (mean float64) {
	for _, g := range games {
		mean += float64(g.plies) / float64(len(games))
	}
	return mean
}

func (d *diagnosis) less(format string, args ...any) {
	d.report.Spent.Less = append(d.report.Spent.Less, fmt.Sprintf(format, args...))
}

// capped returns the requested number, or the default if the request is 0. The default grows with
// the budget.
func (d *diagnosis) capped(asked, usual int) int {
	if asked > 0 {
		return asked
	}
	return max(1, int(float64(usual)*d.Budget/DefaultBudget))
}

// account fills in the costs in the report.
func (d *diagnosis) account() {
	s := &d.report.Spent
	s.Budget, s.Nodes = d.Budget, d.spending.nodes.Load()
	s.Seconds = math.Round(float64(d.spending.spent()/unitsPerSecond*10)) / 10
	if n := d.capped(d.Games, mostGames); d.report.Games < n {
		d.less("%d games, not %d", d.report.Games, n)
	}
	if n := d.capped(d.Pairs, mostPairs); d.report.Expectimax.Pairs > 0 && d.report.Expectimax.Pairs < n {
		d.less("%d pairs of games, not %d", d.report.Expectimax.Pairs, n)
	}
}
