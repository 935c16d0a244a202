package search

import "plyfit/game"

// pvs is the fast search: principal variation search with a transposition table,
// ordered moves, and what the game itself knows of its end. It has the values of
// textbook. Numbers are in the mover's view ([view]), so that one loop serves both
// sides.
//
// Values of one depth answer only for that depth, and those that no estimate
// touched for greater ones: so the result is that of textbook whatever the table
// holds.
type pvs struct {
	text textbook // the position, the line, the frontier and what is beyond the horizon

	table *table // nil: none
	busy  *busy  // what other threads are at; nil: there are none
	salt  uint64 // of the table's keys: whose values it holds
	order orderer
	known oracles

	cuts  bool   // decisions are left early, and bounds of the end are used
	flat  bool   // at the frontier it is not worth to remember or to order anything
	scout bool   // null windows
	star1 bool   // chance nodes are left early
	star2 bool   // after probing
	spans []span // of the chance nodes along the line
}

// oracles know values without a search.
type oracles struct {
	narrower game.MovePruner // nil: none, or not to be used
	solver   game.Solver     // likewise
	foreseer Foreseer        // likewise
}

// span is an interval that holds a value.
type span struct{ lo, hi float64 }

// cuts reports whether a value inside s needs no search in a window, and the
// bound that stands for it.
func (s span) cuts(alpha, beta float64) (v float64, ok bool) {
	switch {
	case s.hi <= alpha:
		return s.hi, true
	case s.lo >= beta || s.lo >= s.hi:
		return s.lo, true
	}
	return 0, false
}

// and is what two spans have in common.
func (s span) and(lo, hi float64) span { return span{max(s.lo, lo), min(s.hi, hi)} }

// node is an inner node of the search, its numbers in the view own.
type node struct {
	role  role
	own   view
	depth int // decisions before the horizon
	below int // those of its children
	first int // where its moves stand in position.moves, if they are listed
	front bool
	key   uint64
	try   game.Move // what the table would have searched first
}

// search is the value of the present position, if that lies inside the window,
// else a bound of it on the same side (fail-soft). Both are in the view from, the
// caller's.
func (s *pvs) search(from view, depth int, alpha, beta float64) float64 {
	pos := &s.text.pos
	if !pos.effort.visit() {
		return 0
	}
	s.text.pv.clear()
	pos.effort.reach(depth)
	r, counts := pos.role(pos.state.Turn(), depth)
	own := r.view()
	if own != from {
		alpha, beta = -beta, -alpha
	}
	var v float64
	switch {
	case r == over:
		v = pos.utility()
	case r == leaf:
		v = s.text.leaf(alpha, beta)
	default:
		n := node{role: r, own: own, depth: depth, below: depth, first: len(pos.moves), try: game.NoMove}
		if counts {
			n.below--
		}
		n.front = n.below == 0 && r != average && s.flat
		v = s.inner(&n, alpha, beta)
	}
	if s.text.observer != nil && !pos.effort.meter.stopped {
		lo, hi := own.window(alpha, beta)
		pos.observe(s.text.observer, depth, own.of(v), lo, hi)
	}
	if own != from {
		v = -v
	}
	return v
}

// inner is search at a node with moves: what is known of its value is narrowed
// down by the bounds of the game's end and by the table, and its moves are
// searched where that is not enough.
func (s *pvs) inner(n *node, alpha, beta float64) float64 {
	pos := &s.text.pos
	ends, known := s.enclose(n)
	if s.cuts {
		if v, ok := known.cuts(alpha, beta); ok {
			pos.moves = pos.moves[:n.first]
			return v
		}
	}
	if s.known.solver != nil && n.role != average {
		lo, hi := n.own.window(alpha, beta)
		if v, nodes, ok := s.known.solver.Solve(pos.me, n.depth, lo, hi); ok {
			pos.effort.nodes += nodes
			pos.effort.least = 0 // to the end, however far that is
			pos.moves = pos.moves[:n.first]
			return n.own.of(v)
		}
	}
	estimates, path := pos.effort.estimates, pos.nature.path
	if s.table != nil && !n.front {
		if s.probe(n, &known) {
			if v, ok := known.cuts(alpha, beta); ok {
				pos.effort.stats.TableCuts++
				pos.moves = pos.moves[:n.first]
				return v
			}
		}
	}
	a, b := -inf, inf
	if s.cuts {
		a, b = max(alpha, known.lo), min(beta, known.hi)
	}
	var v float64
	var best game.Move
	switch {
	case n.front:
		v, best = s.text.frontier(n.own, a, b, n.below < n.depth)
	case n.role != average:
		v, best = s.decide(n, a, b)
	default:
		if v, ok := s.foresee(n, known); ok {
			return v
		}
		v, best = s.chance(n, a, b, ends)
	}
	pos.nature.path = path
	if pos.effort.meter.stopped {
		return v
	}
	// Rounding at chance nodes may carry an average a last digit out of its bounds.
	v = max(known.lo, min(known.hi, v))
	if s.table != nil && !n.front {
		s.store(n, known, v, a, b, best, pos.effort.estimates == estimates)
	}
	return v
}

// enclose is what any end from the present position on is worth, and what the
// position itself is worth. Where the game narrows that down the moves are listed.
func (s *pvs) enclose(n *node) (ends, known span) {
	pos := &s.text.pos
	ends.lo, ends.hi = pos.shape.Min, pos.shape.Max
	if s.cuts && pos.bounder != nil {
		ends.lo, ends.hi = pos.bounds()
	}
	ends.lo, ends.hi = n.own.window(ends.lo, ends.hi)
	known = ends
	if s.known.narrower != nil && n.below > 0 && n.role != average {
		var lo, hi float64
		pos.moves, lo, hi = s.known.narrower.PruneMoves(pos.moves, pos.me)
		pos.effort.reach(max(0, n.depth-2)) // it knows what a move and its answer come to
		known = known.and(n.own.window(lo, hi))
	}
	return ends, known
}

// probe asks the table, and reports whether it narrows known.
func (s *pvs) probe(n *node, known *span) bool {
	pos := &s.text.pos
	n.key = s.table.key(pos.state.Hash(), s.salt)
	pos.effort.stats.Probes++
	e, ok := s.table.probe(n.key, n.depth)
	if !ok {
		return false
	}
	pos.effort.stats.Hits++
	n.try = e.move
	if !e.answers(n.depth) || !(e.lo > known.lo || e.hi < known.hi) {
		return false
	}
	if !e.complete {
		pos.effort.estimates++
	}
	*known = known.and(e.lo, e.hi)
	return true
}

// store remembers what a search in the window (alpha, beta) found.
func (s *pvs) store(n *node, known span, v, alpha, beta float64, best game.Move, complete bool) {
	e := entry{span: known, move: best, depth: stored(n.depth), complete: complete}
	if v > alpha || v >= beta {
		e.lo = v
	}
	if v < beta || v <= alpha {
		e.hi = v
	}
	if best == game.NoMove {
		e.move = n.try
	}
	s.table.store(n.key, e)
}

// foresee asks the evaluation for the value of a chance node, where it searches as
// far as the search would.
func (s *pvs) foresee(n *node, known span) (v float64, ok bool) {
	if s.known.foreseer == nil || n.depth != 1 {
		return 0, false
	}
	v, nodes, evaluations, ok := s.known.foreseer.Foresee(s.text.pos.base)
	if !ok {
		return 0, false
	}
	s.text.pos.effort.nodes += nodes
	s.text.pos.effort.estimates += evaluations
	s.text.pos.effort.stats.Evaluations += evaluations
	v = max(known.lo, min(known.hi, v))
	if s.table != nil {
		s.table.store(n.key, entry{span: span{v, v}, move: n.try, depth: stored(n.depth)})
	}
	return v, true
}

// decide is the loop over the moves of one who chooses: principal variation
// search (Marsland and Campbell 1982; Reinefeld 1983, NegaScout). The first move
// gets the window, the others a null window (alpha, alpha+), which tells only
// whether they are better, and the window again if they are.
func (s *pvs) decide(n *node, alpha, beta float64) (float64, game.Move) {
	pos := &s.text.pos
	var (
		best = -inf
		move = game.NoMove
		l    = s.list(n)
		last = len(pos.moves)
	)
	s.text.pv.down()
	for i := n.first; i < last; i++ {
		if l.sorted && i < l.now-1 {
			pick(pos.moves[i:l.now], s.order.ranks[l.ranked+i-n.first:l.ranked+l.now-n.first])
		}
		m := pos.moves[i]
		if l.shared {
			m, l.now = s.enter(n, l, i)
		}
		pos.play(m)
		hi := beta
		scout := s.scout && i > n.first
		if scout {
			hi = min(beta, above(alpha))
		}
		v := s.search(n.own, n.below, alpha, hi)
		if scout && v >= hi && v < beta && !pos.effort.meter.stopped {
			v = s.search(n.own, n.below, alpha, beta)
		}
		pos.undo()
		if l.shared {
			s.busy.leave(n.key, m)
		}
		if pos.effort.meter.stopped {
			break
		}
		if !(v > best) {
			continue
		}
		best = v
		if v > alpha {
			move = m
			s.keep(n, m, v < beta)
			if s.cuts {
				alpha = v
			}
		}
		if alpha >= beta {
			if i < last-1 {
				pos.effort.stats.BetaCuts++
			}
			if !s.order.natural {
				s.order.cut(m, s.text.pv.ply-1, n.own, n.depth)
			}
			break
		}
	}
	s.text.pv.up()
	pos.moves, s.order.ranks = pos.moves[:n.first], s.order.ranks[:l.ranked]
	return best, move
}

// keep makes m, which was better than alpha, the first move of the line, where its
// value is exact and its own line is known.
func (s *pvs) keep(n *node, m game.Move, exact bool) {
	if exact && n.below < n.depth {
		s.text.pv.extend(m)
		return
	}
	// As good as the table said at most: the line is the table's.
	s.text.pv.lines[s.text.pv.ply-1] = s.text.pv.lines[s.text.pv.ply-1][:0]
}

// bind sets s up for the position that s.text.pos is bound to. thread is the number
// of the helper that s is, 0 for none.
func (s *pvs) bind(c *config, thread int) {
	pos := &s.text.pos
	s.bindTable(c.Table, thread)
	s.order.reset(pos.state, c.Order == Natural)
	if thread > 0 {
		s.order.stir(uint64(thread))
	}
	opposes := pos.nature.kind == natureOpposes
	s.flat = s.text.near && (pos.static.constant || s.order.natural || s.order.ranker == nil)
	s.scout = s.cuts && s.table != nil && c.Order == Auto && (pos.nature.chancer == nil || opposes)
	s.bindStar(c)
	s.known = oracles{}
	if c.Samples == 0 && c.MinProb == 0 && s.text.near {
		s.known.bindForeseer(pos, c.Eval)
	}
	if s.cuts {
		s.known.bindGame(pos, c.Observer != nil)
	}
}

// bindTable begins another search in the table, which it makes where there is none
// yet and one is wanted: megabytes are those of the options.
func (s *pvs) bindTable(megabytes, thread int) {
	if s.table == nil && megabytes >= 0 {
		if megabytes == 0 {
			megabytes = defaultTable
		}
		s.table = newTable(megabytes)
	}
	if s.table != nil && thread == 0 {
		s.table.next()
	}
	s.salt = uint64(s.text.pos.me) * 0x9e3779b97f4a7c15
}

// bindForeseer takes eval for a [Foreseer] in games of one and chance, where all of
// nature's moves count.
func (o *oracles) bindForeseer(pos *position, eval Evaluator) {
	n := &pos.nature
	if pos.static.strict || pos.shape.Players != 1 || n.kind != natureAverages || n.policy != nil || pos.slip != nil || !pos.static.afterstate {
		return
	}
	// It heeds the position's own bounds: they have to lie within the game's,
	// and all do where the root's do.
	lo, hi := pos.shape.Min, pos.shape.Max
	if pos.bounder != nil {
		lo, hi = pos.bounder.Bounds(pos.me)
	}
	if lo >= pos.shape.Min && hi <= pos.shape.Max {
		o.foreseer, _ = eval.(Foreseer)
	}
}

// bindGame asks the game, where nature has no hand in it and both sides play their
// best. A solver skips nodes, which an observer wants to hear of.
func (o *oracles) bindGame(pos *position, observed bool) {
	if pos.slip != nil || pos.nature.chancer != nil || pos.nature.others {
		return
	}
	o.narrower, _ = game.As[game.MovePruner](pos.state)
	if !observed {
		o.solver, _ = game.As[game.Solver](pos.state)
	}
}
