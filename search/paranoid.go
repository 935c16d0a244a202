package search

import (
	"context"
	"math/rand/v2"

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
	p := &paranoid{cfg: c}
	p.text = textbook{prune: c.Prune != NoPrune, through: true}
	p.text.beyond, p.all.Pos = &p.text, &p.text.pos
	p.Begin(0)
	return p, nil
}

// paranoid is the textbook's search of a game of two: the one who plans is Max,
// all others are Min, or the other way round where player 0 tells what both get.
type paranoid struct {
	cfg  config
	rng  *rand.Rand
	all  position.Players
	text textbook
	max  game.Player   // who is Max
	own  position.View // of the one who plans
}

var _ Agent = (*paranoid)(nil)

func (p *paranoid) Begin(seed uint64) {
	p.rng = newRand(seed)
	p.all.Begin(&p.cfg.bound, seed)
}

func (p *paranoid) Search(ctx context.Context, s game.State) (Result, error) {
	defer p.all.Bind(ctx, &p.cfg.bound, s)()
	p.max, p.own, p.text.observer, p.text.stats = p.all.Planner(), position.OfMax, nil, Stats{}
	if p.cfg.Observer != nil && (p.max == 0 || p.all.Mirror) {
		// Where another plans alone against more than one, nothing is known of player 0.
		p.text.observer = windowless{p.cfg.Observer}
	}
	if p.max == 1 && p.all.Mirror && !p.all.Pos.Nature.Others {
		p.max, p.own = 0, position.OfMin
	}
	p.text.bindFrontier(p.cfg.Observer == nil)
	exact := p.cfg.Complete || p.cfg.Ties == Random
	return iterate(&p.all, &p.cfg, &p.text.stats, func(depth int) Result {
		r := p.answer(depth, exact)
		if len(r.Root) > 0 {
			picked(&p.all, &r, &p.cfg, p.rng)
		}
		return r
	})
}

// windowless is an Observer that is informed of no windows.
type windowless struct{ Observer }

func (w windowless) Rule(r Rule, weights []float64) {
	if o, ok := w.Observer.(RuleObserver); ok {
		o.Rule(r, weights)
	}
}

// values are all players' given the planner's; nil if that does not determine them.
func (p *paranoid) values(v float64) []float64 {
	switch {
	case p.all.Count == 1:
		return []float64{v}
	case !p.all.Mirror:
		return nil
	case p.all.Planner() == 1:
		return []float64{0 - v, v}
	}
	return []float64{v, 0 - v}
}

// answer searches the root to a depth, as maxnTree.answer does.
func (p *paranoid) answer(depth int, exact bool) Result {
	pos := p.all.Pos
	pos.Me, pos.Turned = p.max, p.all.Mirror && p.max == 1
	defer func() { pos.Me, pos.Turned = 0, false }()
	before := pos.Effort.Estimates
	r := Result{Move: game.NoMove, Depth: depth}
	p.all.Depth, pos.Effort.Least = depth, depth
	p.text.pv.restart()
	if p.all.Mover < 0 || pos.State.Turn() == game.Nobody {
		r.Value = p.value(depth, -inf)
		r.PV = append(r.PV, p.text.pv.lines[0]...)
	} else {
		p.root(&r, depth, exact)
	}
	r.Values = p.values(r.Value)
	conclude(&p.all, &r, &p.text.stats, before)
	return r
}

// value is the present position's to the planner, or a bound if at most alpha.
func (p *paranoid) value(depth int, alpha float64) float64 {
	v := p.text.search(p.own, depth, alpha, inf)
	if v == 0 {
		return 0 // never -0
	}
	return v
}

// root searches each of the mover's moves, with exact in an open window.
func (p *paranoid) root(r *Result, depth int, exact bool) {
	pos := p.all.Pos
	if !pos.Effort.Visit() {
		return
	}
	if pos.State.Turn() >= 0 {
		depth--
	}
	pos.Moves = pos.State.Moves(pos.Moves[:0])
	defer func() { pos.Moves, p.text.pv.ply = pos.Moves[:0], 0 }()
	p.text.pv.down()
	r.Value = -inf
	for i := range len(pos.Moves) {
		m := pos.Moves[i]
		alpha := -inf
		if !exact && p.text.prune {
			alpha = r.Value
		}
		pos.Play(m)
		v := p.value(depth, alpha)
		pos.Undo()
		if pos.Effort.Stopped() {
			return
		}
		kind := Exact
		if v <= alpha && i > 0 {
			kind = Upper
		}
		r.Root = append(r.Root, RootMove{m, v, kind})
		if v > r.Value || i == 0 {
			r.Value, r.Move = v, m
			r.PV = append(append(r.PV[:0], m), p.text.pv.lines[1]...)
		}
	}
	if p.text.observer != nil {
		role := position.Maximum
		if p.own == position.OfMin {
			role = position.Minimum
		}
		observe(p.text.observer, pos, role, r.Depth, p.own.Of(r.Value), -inf, inf, false)
	}
}
