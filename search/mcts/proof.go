package mcts

// prove updates a node after one of its children was proven: the chooser takes what he wants most,
// and gets the opposite if nothing else is left; nature's draws are proven if all are alike.
func (t *uct) prove(at uctStep) {
	n := &t.store[at.node]
	const unset = 2
	common := int8(unset) // the proof that all children share
	for _, c := range t.store[n.first : n.first+n.count] {
		switch {
		case at.want == 0 && c.prob == 0: // is never drawn
		case at.want != 0 && c.proof == at.want:
			n.proof = at.want
			return
		case common == unset:
			common = c.proof
		case common != c.proof:
			common = 0
		}
	}
	n.proof = common
}

// certain is what player 0 gets where there is a proof.
func (t *uct) certain(proof int8) float64 {
	if proof > 0 {
		return t.hi[0]
	}
	return t.lo[0]
}

// proof is the one that the chooser wants most; 0: no one chooses.
func (c chooser) proof() int8 {
	switch {
	case c.drawn:
		return 0
	case (c.player == 0) != c.opposed:
		return 1
	}
	return -1
}

// compare ranks two moves for a proof: positive if a is better, 0 if they are alike.
func (t *uct) compare(a, b int32, want int8) int {
	p, q := int(t.store[a].proof*want), int(t.store[b].proof*want)
	if p != q || p > 0 {
		return p - q
	}
	return int(t.store[a].visits) - int(t.store[b].visits)
}
