package mcts

import (
	"math"

	"plyfit/game"
	"plyfit/internal/elementary"
)

// With a prior, sums hold what the evaluation says of a node until its first visit,
// and NaN where it says nothing: that is then the value of the first visit.

// recall takes the value of a first visit from sums; false: there is none.
func (t *uct) recall(at int32) bool {
	if t.opt.PriorTemperature == 0 {
		return false
	}
	sums := t.sums[int(at)*t.width : (int(at)+1)*t.width]
	known := !math.IsNaN(sums[0])
	if known {
		copy(t.got, sums)
		if t.all.Mirror {
			t.got[1] = 0 - t.got[0]
		}
	}
	clear(sums)
	return known
}

// foresee evaluates the children of a node that has just got them, and gives them
// their priors where somebody chooses. false: it was stopped, and the node has no
// children.
func (t *uct) foresee(at int32, turn game.Player) bool {
	pos, n := t.all.Pos, &t.store[at]
	who := t.chooser(at, turn)
	for c := n.first; c < n.first+n.count; c++ {
		sums := t.sums[int(c)*t.width : (int(c)+1)*t.width]
		sums[0] = math.NaN()
		if who.drawn {
			continue // a draw needs no values, and pays for one at a time
		}
		if !pos.Effort.Visit() {
			t.store, t.sums = t.store[:n.first], t.sums[:int(n.first)*t.width]
			n.first, n.count = 0, 0
			return false
		}
		pos.Play(t.store[c].move)
		switch turn := pos.State.Turn(); {
		case turn == game.Nobody:
			t.all.Utilities(t.got)
			copy(sums, t.got)
		case t.all.Leaf(turn, 0):
			t.all.Evaluate(t.got)
			copy(sums, t.got)
		}
		pos.Undo()
		t.widen(sums)
	}
	if !who.drawn {
		t.prefer(n, who)
	}
	return true
}

// widen takes values into the range met, where that is what counts.
func (t *uct) widen(values []float64) {
	if !t.running || math.IsNaN(values[0]) {
		return
	}
	for p, v := range values {
		t.lo[p], t.hi[p] = min(t.lo[p], v), max(t.hi[p], v)
	}
}

// prefer gives the children of n their priors: the softmax of their values, of which
// one that is not known counts as the mean of the others.
func (t *uct) prefer(n *uctNode, who chooser) {
	p, opposed := t.view(who)
	known, sum, most := 0, 0.0, math.Inf(-1)
	for c := n.first; c < n.first+n.count; c++ {
		if v := t.sums[int(c)*t.width+p]; !math.IsNaN(t.sums[int(c)*t.width]) {
			q := t.share(v, p, opposed)
			known, sum, most = known+1, sum+q, max(most, q)
		}
	}
	if known == 0 {
		for c := n.first; c < n.first+n.count; c++ {
			t.store[c].prob = 1 / float64(n.count)
		}
		return
	}
	total, mean := 0.0, sum/float64(known)
	for c := n.first; c < n.first+n.count; c++ {
		q := mean
		if !math.IsNaN(t.sums[int(c)*t.width]) {
			q = t.share(t.sums[int(c)*t.width+p], p, opposed)
		}
		weight := elementary.Exp((q - most) / t.opt.PriorTemperature)
		t.store[c].prob = weight
		total += weight
	}
	for c := n.first; c < n.first+n.count; c++ {
		t.store[c].prob /= total
	}
}

// view is by whose sums a chooser goes, and whether he wants them little: with a sum
// of zero those of player 0 alone are kept.
func (t *uct) view(who chooser) (p int, opposed bool) {
	if t.all.Mirror && who.player == 1 {
		return 0, true // his share is what player 0 leaves
	}
	return int(who.player), who.opposed
}

// share is a value of player p as a part of the range, from 0 to 1 for a chooser.
func (t *uct) share(v float64, p int, opposed bool) float64 {
	q := 0.5
	if t.hi[p] > t.lo[p] { // else nothing is known of the range yet: all are alike
		q = float64((v - t.lo[p]) * (1 / (t.hi[p] - t.lo[p])))
	}
	if opposed {
		q = 1 - q
	}
	return q
}

// puct is the child of n of the largest upper confidence bound: what the visits
// say, or before the first what the evaluation does, and what the prior leaves open.
func (t *uct) puct(n *uctNode, who chooser) int32 {
	p, opposed := t.view(who)
	want := who.proof()
	root := math.Sqrt(float64(n.visits))
	best, most := n.first, math.Inf(-1)
	for c := n.first; c < n.first+n.count; c++ {
		child := &t.store[c]
		if child.proof == -want {
			continue
		}
		q, visits := 0.5, float64(child.visits)
		switch v := t.sums[int(c)*t.width+p]; {
		case child.visits > 0:
			q = t.share(v/visits, p, opposed)
		case !math.IsNaN(t.sums[int(c)*t.width]):
			q = t.share(v, p, opposed)
		}
		if u := q + float64(t.opt.Exploration*child.prob*root/(1+visits)); u > most {
			best, most = c, u
		}
	}
	return best
}
