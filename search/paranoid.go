package search

import (
	"context"
	"math"
	"math/rand/v2"

	"plyfit/game"
)

// NewParanoid is the paranoid agent (Sturtevant and Korf, On Pruning Techniques
// for Multi-Player Games, AAAI 2000): whoever else plays is taken to care for
// nothing but the loss of the one who plans, so that one number tells what a
// position is worth and alpha-beta prunes. Chance nodes are averaged, or what
// c.Assume says; nothing is cut on account of them.
//
// At a chance node player 0 plans. Result.Values is nil unless one value tells
// them all: in games of one, and of two with a sum of zero.
//
// Limits are used as [NewMaxN] does; Prune NoPrune switches alpha-beta off.
// Order, Table, Threads, Quiescence and MinProb are not used.
func NewParanoid(c Config) (Agent, error) {
	if err := c.broaden("paranoid"); err != nil {
		return nil, err
	}
	p := &paranoid{cfg: c}
	p.Begin(0)
	return p, nil
}

type paranoid struct {
	cfg  Config
	rng  *rand.Rand
	tree paranoidTree
}

var _ Agent = (*paranoid)(nil)

func (p *paranoid) Begin(seed uint64) {
	p.rng = newRand(seed)
	p.tree.begin(&p.cfg, seed)
}

func (p *paranoid) Search(ctx context.Context, s game.State) (Result, error) {
	t := &p.tree
	defer t.open(ctx, &p.cfg, s)()
	t.self, t.prunes = t.hero(), p.cfg.Prune != NoPrune
	exact := p.cfg.Complete || p.cfg.Ties == Random
	return t.deepen(&p.cfg, t.guesswork, func(depth int) Result {
		r := t.answer(depth, exact)
		if len(r.Root) > 0 {
			k := choose(r.Root, r.Value, t.direct(&r), p.cfg.Ties, p.rng)
			if m := r.Root[k].Move; m != r.Move {
				r.Move, r.PV = m, append(r.PV[:0], m)
			}
			if p.cfg.Complete {
				r.Best = equals(r.Root, r.Value, r.Best)
			}
		}
		return r
	})
}

// paranoidTree walks a tree in which every node has the hero's value. It
// opens positions and keeps lines as max^n does.
type paranoidTree struct {
	maxnTree
	self   game.Player // the hero
	prunes bool
}

// values are what all players get, given what the hero gets; nil where the
// latter does not tell.
func (t *paranoidTree) values(v float64) []float64 {
	switch {
	case t.players == 1:
		return []float64{v}
	case !t.mirror:
		return nil
	case t.self == 1:
		return []float64{0 - v, v}
	}
	return []float64{v, 0 - v}
}

// answer searches the root to a depth, as maxnTree.answer does.
func (t *paranoidTree) answer(depth int, exact bool) Result {
	before := t.guess
	r := Result{Move: game.NoMove, Depth: depth}
	t.looked, t.least = depth, depth
	if t.mover < 0 || t.state.Turn() == game.Nobody {
		r.Value = t.search(0, depth, math.Inf(-1), math.Inf(1))
		r.PV = append(r.PV, t.levels[0].pv...)
	} else {
		t.root(&r, depth, exact)
	}
	r.Values = t.values(r.Value)
	t.conclude(&r, before)
	return r
}

func (t *paranoidTree) root(r *Result, depth int, exact bool) {
	if !t.visit() {
		return
	}
	if t.state.Turn() >= 0 {
		depth--
	}
	t.moves = t.state.Moves(t.moves[:0])
	defer func() { t.moves = t.moves[:0] }()
	t.level(1)
	r.Value = math.Inf(-1)
	for i := range len(t.moves) {
		m := t.moves[i]
		alpha := math.Inf(-1)
		if !exact && t.prunes {
			alpha = r.Value
		}
		t.play(m)
		v := t.search(1, depth, alpha, math.Inf(1))
		t.undo()
		if t.meter.stopped {
			return
		}
		kind := Exact
		if v <= alpha && i > 0 {
			kind = Upper
		}
		r.Root = append(r.Root, RootMove{m, v, kind})
		if v > r.Value || i == 0 {
			r.Value, r.Move = v, m
			r.PV = append(append(r.PV[:0], m), t.levels[1].pv...)
		}
	}
	t.report(r.Depth, r.Value, math.Inf(-1), math.Inf(1))
}

// search is alpha-beta in its fail-soft form: the result is exact inside
// (alpha, beta), an upper bound at alpha and below, a lower bound at beta and
// above. A node is left when the hero has beta, or the others alpha, already.
func (t *paranoidTree) search(ply, depth int, alpha, beta float64) (v float64) {
	if !t.visit() {
		return 0
	}
	t.reach(depth)
	lv := &t.levels[ply]
	lv.pv = lv.pv[:0]
	turn := t.state.Turn()
	switch {
	case turn == game.Nobody:
		t.utilities(lv.value)
		v = lv.value[t.self]
	case depth <= 0 && (turn >= 0 || t.afterstate && t.base.Turn() == game.Chance):
		v = t.expected()
	default:
		v = t.inner(ply, depth, turn, alpha, beta)
	}
	if !t.meter.stopped {
		t.report(depth, v, alpha, beta)
	}
	return v
}

// expected is what the evaluation expects for the hero.
func (t *paranoidTree) expected() float64 {
	if t.mirror {
		v := t.walker.evaluate()
		if t.self == 1 {
			v = 0 - v
		}
		return v
	}
	t.me = t.self
	v := t.walker.evaluate()
	t.me = 0
	return v
}

func (t *paranoidTree) inner(ply, depth int, turn game.Player, alpha, beta float64) (v float64) {
	t.level(ply + 1)
	from, at := len(t.moves), len(t.probs)
	t.moves = t.state.Moves(t.moves)
	moves := t.moves[from:]
	if turn >= 0 {
		depth--
	}
	switch {
	case t.follows(turn) || turn == game.Chance && t.nature != natureOpposes:
		v = t.average(ply, depth, moves)
	case turn == game.Chance:
		v = t.decide(ply, depth, t.chancer.For() != t.self, moves, alpha, beta)
	default:
		v = t.decide(ply, depth, turn == t.self, moves, alpha, beta)
	}
	t.moves, t.probs = t.moves[:from], t.probs[:at]
	return v
}

// decide is a node of the hero, who maximizes, or of the coalition.
func (t *paranoidTree) decide(ply, depth int, maximize bool, moves []game.Move, alpha, beta float64) float64 {
	best := math.Inf(1)
	if maximize {
		best = math.Inf(-1)
	}
	for i, m := range moves {
		t.play(m)
		v := t.search(ply+1, depth, alpha, beta)
		t.undo()
		if t.meter.stopped {
			return 0
		}
		if v != best && maximize == (v > best) || i == 0 {
			best = v
			lv := &t.levels[ply]
			lv.pv = append(append(lv.pv[:0], m), t.levels[ply+1].pv...)
		}
		if !t.prunes {
			continue
		}
		if maximize {
			alpha = max(alpha, best)
		} else {
			beta = min(beta, best)
		}
		if alpha >= beta {
			if i < len(moves)-1 {
				t.stats.BetaCuts++
			}
			break
		}
	}
	return best
}

// average is a node at which the moves have probabilities. Its children are
// searched with an open window: what they are worth is needed, not how they
// compare.
func (t *paranoidTree) average(ply, depth int, moves []game.Move) float64 {
	at := len(t.probs)
	t.weights(moves)
	probs := t.probs[at:]
	sum := 0.0
	for i, m := range moves {
		if probs[i] == 0 {
			continue
		}
		t.play(m)
		v := t.search(ply+1, depth, math.Inf(-1), math.Inf(1))
		t.undo()
		if t.meter.stopped {
			return 0
		}
		sum += float64(probs[i] * v)
	}
	return sum
}

// report tells the observer of the node at hand, in player 0's view: where
// another plans alone against more than one, nothing is known of player 0.
func (t *paranoidTree) report(depth int, v, alpha, beta float64) {
	if t.observer == nil || t.self != 0 && !t.mirror {
		return
	}
	kind := kindOf(v, alpha, beta)
	if t.self == 1 {
		v = 0 - v
		if kind != Exact {
			kind = Lower + Upper - kind
		}
	}
	t.tell(depth, v, kind)
}
