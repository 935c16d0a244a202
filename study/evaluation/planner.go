package evaluation

import (
	"context"
	"fmt"
	"math"

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/policy"
	"plyfit/study"
)

// planner searches to a fixed depth with a damaged evaluation, in any world.
type planner struct {
	search.Agent
	view *view
	slip float64 // that it assumes; 0: none
}

// tableMegabytes is the size of an expectimax planner's table.
const tableMegabytes = 4

// Planner returns an agent that searches depth decisions with the damaged evaluation: minimax if it
// averages nothing in the world that it assumes, else expectimax. Of equally good moves it plays the
// first.
func (u *Subject) Planner(assumes study.World, depth int, d Damage) (search.Agent, error) {
	if d.Kind == Random {
		return policy.NewRandom(), nil
	}
	if depth -= d.Less(); depth < 1 {
		return nil, fmt.Errorf("%s: depth %d: want more than %d", u.Base.Spec, depth+d.Less(), d.Less())
	}
	g := *u.Base.Game
	g.Min, g.Max = math.Inf(-1), math.Inf(1) // a damage may exceed the game's own
	v := &view{eval: u.Evaluation, arg: u.Argument(u.Model), damaged: u.Damaged(u.Finish(d))}
	// Without pruning, ordering and deepening, which moves tie is a matter of their values alone.
	o := search.Options{Game: &g, Eval: v, Leaf: u.Evaluation.Leaves, Depth: depth, Ties: search.Plain, Order: search.Natural}
	make := search.NewAlphaBeta
	if o.Table = -1; assumes.Averages(u.Base.Chancy()) {
		make, o.Prune, o.Table = search.NewExpectimax, search.NoPrune, tableMegabytes
	}
	a, err := make(o)
	return &planner{a, v, assumes.Slip}, err
}

// Search implements [search.Agent].
func (p *planner) Search(ctx context.Context, s game.State) (search.Result, error) {
	seen := p.view.bind(game.Base(s).Clone())
	if p.slip > 0 {
		seen = game.NewSlip(seen, p.slip)
	}
	return p.Agent.Search(ctx, seen)
}
