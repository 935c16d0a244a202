package search

import (
	"plyfit/game"
	"plyfit/search/internal/position"
)

// NewParanoid is the paranoid agent (Sturtevant and Korf, On Pruning Techniques for Multi-Player
// Games, AAAI 2000): it assumes that all other players only want the planner to lose, so that one
// number values a position and alpha-beta prunes. Chance nodes are averaged, or follow o.Assume,
// and cut nothing.
//
// At a chance node player 0 plans. Result.Values is nil unless one value determines all: in games
// of one, and of two with a sum of zero.
//
// Limits are used as [NewMaxN] does; NoPrune switches alpha-beta off.
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

// paranoid is the textbook's search of a game of two: the player who plans is Max,
// all others are Min, or the other way round if player 0's value tells what both get.
type paranoid struct {
	all  position.Players
	text textbook
	max  game.Player   // who is Max
	own  position.View // of the player who plans
}

func (p *paranoid) bind(c *config) {
	p.max, p.own, p.text.observer, p.text.stats = p.all.Planner(), position.OfMax, nil, Stats{}
	if c.Observer != nil && (p.max == 0 || p.all.Mirror) {
		// If another player plans alone against several, nothing is known of player 0.
		p.text.observer = windowless{c.Observer}
	}
	if p.max == 1 && p.all.Mirror && !p.all.Pos.Nature.Others {
		p.max, p.own = 0, position.OfMin
	}
	p.text.bindFrontier(c.Observer == nil)
}

// windowless is an Observer that is informed of no windows.
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
	v = p.text.search(p.own, depth, floor, inf) + 0 // 0 for -0
	return v, v <= floor
}

// found implements [tree]: the values are nil unless the planner's determines them.
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
