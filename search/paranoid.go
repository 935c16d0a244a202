package search

import (
	"plyfit/game"
	"plyfit/search/internal/position"
)

// NewParanoid returns a paranoid agent (Sturtevant and Korf, On Pruning Techniques for Multi-Player
// Games, AAAI 2000). It assumes that all other players cooperate against the planner. A position
// therefore has a single value, and alpha-beta can prune. Chance nodes are averaged or treated
// according to o.Assume, and are never pruned.
//
// At a chance node the planner is player 0. Result.Values is nil unless a single value determines
// all players' values, as it does in single-player games and in two-player zero-sum games.
//
// Limits work as in [NewMaxN]. NoPrune disables alpha-beta.
func NewParanoid(o Options) (Agent, error) {
	c, err := o.broad("paranoid")
	if err != nil {
		return nil, err
	}
	p := new(paranoid)
	p.text = textbook{prune: c.Prune != NoPrune, through: true}
	p.text.beyond, p.all.Pos = p.text.search, &p.text.pos
	return newMany(c, &p.all, &p.text.stats, p), nil
}

// paranoid uses [textbook] to search the game as a two-player game in which the planner is Max and
// all others are Min. If player 0's value determines the values of both players, Max is player 0
// even if player 1 is the planner.
type paranoid struct {
	all  position.Players
	text textbook
	max  game.Player   // player whose utility is maximised
	own  position.View // view of the planner
}

func (p *paranoid) bind(c *config) {
	p.max, p.own, p.text.observer, p.text.stats = p.all.Planner(), position.OfMax, nil, Stats{}
	if c.Observer != nil && (p.max == 0 || p.all.Mirror) {
		// If the planner is another player, alone against several opponents, player 0's value is
		// unknown.
		p.text.observer = windowless{c.Observer}
	}
	if p.max == 1 && p.all.Mirror && !p.all.Pos.Nature.Others {
		p.max, p.own = 0, position.OfMin
	}
	p.text.bindFrontier(c.Observer == nil)
}

// windowless hides the windows of visits from an Observer.
type windowless struct{ Observer }

func (w windowless) Node(n *Visit) {
	n.Windowed = false
	w.Observer.Node(n)
}

func (p *paranoid) begin(int) (end func()) {
	pos := p.all.Pos
	pos.Me, pos.Turned = p.max, p.all.Mirror && p.max == 1
	p.text.pv.restart()
	return func() { pos.Me, pos.Turned = 0, false }
}

func (p *paranoid) value(ply, depth int, floor float64) (v float64, bound bool) {
	if p.text.pv.ply < ply {
		p.text.pv.down()
	}
	if !p.text.prune {
		floor = -inf
	}
	v = p.text.search(p.own, depth, floor, inf) + 0 // turns -0 into 0
	return v, v <= floor
}

// found implements [tree]. The result values is nil unless the planner's value determines the
// values of all players.
func (p *paranoid) found(ply int, v float64) (values []float64, line []game.Move) {
	line = p.text.pv.lines[ply]
	switch {
	case p.all.Count == 1:
		return []float64{v}, line
	case !p.all.Mirror:
		return nil, line
	case p.all.Planner() == 1:
		return []float64{0 - v, v}, line
	}
	return []float64{v, 0 - v}, line
}

func (p *paranoid) root(r *Result) {
	if p.text.observer != nil {
		role := position.Maximum
		if p.own == position.OfMin {
			role = position.Minimum
		}
		observe(p.text.observer, p.all.Pos, role, r.Depth, p.own.Of(r.Value), -inf, inf, false)
	}
}
