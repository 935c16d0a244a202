package search

import (
	"cmp"

	"plyfit/game"
	"plyfit/internal/marks"
	"plyfit/search/assume"
	"plyfit/search/internal/position"
)

// pvs is the fast search: principal variation search with a transposition table, ordered moves, and
// the game's knowledge of its end. Numbers are in the mover's view ([position.View]), so one loop
// serves both sides.
//
// It has the values of textbook whatever the table holds: values of one depth are used only for
// that depth, and those that no estimate touched for greater ones.
type pvs struct {
	text textbook // the position, the line, the frontier and what is beyond the horizon

	table  *table            // nil: none
	busy   *marks.Set        // what threads are at; nil: there are no others
	salt   uint64            // of the table's keys: whose values it holds
	solver game.Solver       // kept from search to search; nil: there was none yet
	visits func(int64) int64 // of the effort
	order  orderer
	known  oracles
	guess  selective

	cuts  bool   // decisions are left early, and bounds of the end are used
	flat  bool   // at the frontier it is not worth to remember or to order anything
	scout bool   // null windows
	slips bool   // decisions that may slip are summed up at once
	star1 bool   // chance nodes are left early
	star2 bool   // after probing
	spans []span // of the chance nodes along the line
}

type span struct{ lo, hi float64 }

// cuts reports whether a value inside s needs no search in a window, and the bound in its place.
func (s span) cuts(alpha, beta float64) (v float64, ok bool) {
	switch {
	case s.hi <= alpha:
		return s.hi, true
	case s.lo >= beta || s.lo >= s.hi:
		return s.lo, true
	}
	return 0, false
}

func (s span) and(lo, hi float64) span { return span{max(s.lo, lo), min(s.hi, hi)} }

// node is an inner node of the search, its numbers in the view own.
type node struct {
	role  position.Role
	own   position.View
	depth int // decisions before the horizon
	below int // those of its children
	first int // where its moves stand in Position.Moves, if they are listed
	front bool
	key   uint64
	try   game.Move // what the table would have searched first
}

// search is the value of the present position if inside the window, else a bound on the same side
// (fail-soft), both in the view from, the caller's.
func (s *pvs) search(from position.View, depth int, alpha, beta float64) float64 {
	pos := &s.text.pos
	if !pos.Effort.Visit() {
		return 0
	}
	s.text.pv.clear()
	pos.Effort.Reach(depth)
	r, counts := pos.Role(pos.State.Turn(), depth)
	own := r.View()
	if own != from {
		alpha, beta = -beta, -alpha
	}
	var v float64
	switch {
	case r == position.Over:
		v = pos.Utility()
	case r == position.Leaf:
		v = s.text.leaf(alpha, beta)
	default:
		n := node{role: r, own: own, depth: depth, below: depth, first: len(pos.Moves), try: game.NoMove}
		if counts {
			n.below--
		}
		n.front = n.below == 0 && r != position.Average && s.flat && !s.slips
		least := pos.Effort.Least
		pos.Effort.Least = depth // of this node alone: what is stored of it says how far it looked
		v = s.inner(&n, alpha, beta)
		pos.Effort.Reach(least)
	}
	if s.text.observer != nil && !pos.Effort.Stopped() {
		lo, hi := own.Window(alpha, beta)
		observe(s.text.observer, pos, r, depth, own.Of(v), lo, hi, s.text.known(r))
	}
	if own != from {
		v = -v
	}
	return v
}

// inner is search at a node with moves: it narrows the value by the bounds of the game's end and by
// the table, and searches the moves if that is not enough.
func (s *pvs) inner(n *node, alpha, beta float64) float64 {
	pos := &s.text.pos
	asked := s.table != nil && !n.front
	if asked {
		n.key = s.place()
		if s.table.far { // it comes while the bounds and moves are computed
			s.table.ahead(n.key)
		}
	}
	ends, known := s.enclose(n)
	if s.cuts {
		if v, ok := known.cuts(alpha, beta); ok {
			pos.Moves = pos.Moves[:n.first]
			return v
		}
	}
	if v, ok := s.solve(n, alpha, beta); ok {
		pos.Moves = pos.Moves[:n.first]
		return v
	}
	estimates, path := pos.Effort.Estimates, pos.Nature.Path
	if asked {
		if s.probe(n, &known) {
			if v, ok := known.cuts(alpha, beta); ok {
				s.text.stats.TableCuts++
				pos.Moves = pos.Moves[:n.first]
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
	case s.slips && n.role != position.Average:
		v, best = s.slip(n)
	case n.front:
		v, best = s.text.frontier(n.own, a, b, n.below < n.depth)
	case n.role != position.Average:
		var g static
		if s.guess.on {
			if g = s.ask(n, a, b); s.holds(n, g, a, b) {
				pos.Moves = pos.Moves[:n.first]
				pos.Effort.Estimates++ // no proof
				v, best = b, game.NoMove
				break
			}
			var ok bool
			if v, ok = s.drops(n, g, a, b); ok {
				pos.Moves = pos.Moves[:n.first]
				best = game.NoMove
				break
			}
		}
		v, best = s.decide(n, g, a, b)
	default:
		if v, ok := s.foresee(n, known); ok {
			return v
		}
		v, best = s.chance(n, a, b, ends)
	}
	pos.Nature.Path = path
	if pos.Effort.Stopped() {
		return v
	}
	// Rounding at chance nodes may carry an average a last digit out of its bounds.
	v = max(known.lo, min(known.hi, v))
	if asked {
		s.store(n, known, v, a, b, best, pos.Effort.Estimates == estimates)
	}
	return v
}

// enclose returns two ranges: ends holds the value of every end of the game below the position,
// known that of the position itself. Where the game can narrow known, the moves are listed.
func (s *pvs) enclose(n *node) (ends, known span) {
	pos := &s.text.pos
	ends.lo, ends.hi = pos.Shape.Min, pos.Shape.Max
	if s.cuts && pos.Bounder != nil {
		ends.lo, ends.hi = pos.Bounds()
	}
	ends.lo, ends.hi = n.own.Window(ends.lo, ends.hi)
	known = ends
	if s.known.solver != nil && n.below > 0 && n.role != position.Average {
		var lo, hi float64
		var plies int
		pos.Moves, lo, hi, plies = s.known.solver.Narrow(pos.Moves, pos.Me)
		pos.Effort.Reach(max(0, n.depth-plies))
		known = known.and(n.own.Window(lo, hi))
	}
	return ends, known
}

// solve asks the game itself for the value, which some games find faster than a search.
func (s *pvs) solve(n *node, alpha, beta float64) (v float64, ok bool) {
	if !s.known.solves || n.role == position.Average {
		return 0, false
	}
	lo, hi := n.own.Window(alpha, beta)
	v, ok = s.playOut(n.depth, lo, hi)
	return n.own.Of(v), ok || s.text.pos.Effort.Stopped()
}

// playOut has the solver play the position out, in a window of Position.Me's numbers.
func (s *pvs) playOut(depth int, lo, hi float64) (v float64, ok bool) {
	pos, stats := &s.text.pos, &s.text.stats
	v, left, ok := s.known.solver.Solve(pos.Me, depth, lo, hi, s.visits)
	if ok {
		pos.Effort.Reach(depth - left)
	}
	nodes, probes, hits, cuts := s.known.solver.Spent()
	pos.Effort.Nodes += nodes
	stats.Probes, stats.Hits, stats.TableCuts = stats.Probes+probes, stats.Hits+hits, stats.TableCuts+cuts
	return v, ok
}

func (s *pvs) place() uint64 {
	if s.guess.board != nil {
		return s.table.key(s.guess.board.BoardHash(), s.salt)
	}
	return s.table.key(s.text.pos.State.Hash(), s.salt)
}

// probe looks n up in the table, and reports whether that narrows known.
func (s *pvs) probe(n *node, known *span) bool {
	pos := &s.text.pos
	s.text.stats.Probes++
	e, ok := s.table.probe(n.key, n.depth)
	if !ok {
		return false
	}
	s.text.stats.Hits++
	n.try = e.move
	if !(e.answers(n.depth) || s.guess.on && int(e.depth) > n.depth) || !(e.lo > known.lo || e.hi < known.hi) {
		return false
	}
	if e.proof == estimated {
		pos.Effort.Estimates++
	} else {
		pos.Effort.Reach(n.depth - int(e.proof))
	}
	*known = known.and(e.lo, e.hi)
	return true
}

// store remembers what a search in the window (alpha, beta) found.
func (s *pvs) store(n *node, known span, v, alpha, beta float64, best game.Move, complete bool) {
	e := entry{span: known, move: best, depth: stored(n.depth), proof: estimated}
	if complete && s.guess.board == nil {
		e.proof = stored(n.depth - s.text.pos.Effort.Least)
	}
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
	if s.known.foreseer == nil || n.depth > s.known.reach {
		return 0, false
	}
	if v, ok = s.beyond(n.depth); !ok {
		return 0, false
	}
	v = max(known.lo, min(known.hi, v))
	if s.table != nil && !s.text.pos.Effort.Stopped() {
		s.table.store(n.key, entry{span: span{v, v}, move: n.try, depth: stored(n.depth), proof: estimated})
	}
	return v, true
}

// beyond is the value of the present position, a chance node, as the evaluation searches it.
func (s *pvs) beyond(depth int) (v float64, ok bool) {
	pos, stats := &s.text.pos, &s.text.stats
	if depth == 0 {
		return pos.Evaluate(), pos.State.Turn() == game.Chance
	}
	v, evaluations, least, ok := s.known.foreseer.Foresee(pos.Base, depth, s.visits)
	pos.Effort.Reach(least)
	pos.Effort.Estimates += evaluations
	pos.Effort.Evaluations += evaluations
	probes, hits := s.known.foreseer.Probed()
	stats.Probes, stats.Hits, stats.TableCuts = stats.Probes+probes, stats.Hits+hits, stats.TableCuts+hits
	return v, ok
}

// decide is the loop over the moves at a decision: principal variation search (Marsland and
// Campbell 1982; Reinefeld 1983, NegaScout). The first move gets the window, the others a null
// window (alpha, alpha+), and the full one again if they are better.
func (s *pvs) decide(n *node, g static, alpha, beta float64) (float64, game.Move) {
	pos := &s.text.pos
	var (
		best = -inf
		move = game.NoMove
		l    = s.list(n)
		last = len(pos.Moves)
	)
	s.text.pv.down()
	for i := n.first; i < last; i++ {
		if l.sorted && i < l.now-1 {
			pick(pos.Moves[i:l.now], s.order.ranks[l.ranked+i-n.first:l.ranked+l.now-n.first])
		}
		m := pos.Moves[i]
		if l.shared {
			m, l.now = s.enter(n, l, i)
		}
		gain := s.guess.gain(n, g, m)
		pos.Play(m)
		hi, below := beta, n.below
		scout := s.scout && i > n.first
		if s.guess.on && l.sorted {
			var skip bool
			if below, skip = s.reduce(n, g, i-n.first, s.order.ranks[l.ranked+i-n.first], gain, alpha, scout); skip {
				pos.Undo()
				pos.Effort.Estimates++
				best = max(best, alpha)
				continue
			}
		}
		if scout {
			hi = min(beta, position.Above(alpha))
		}
		v := s.search(n.own, below, alpha, hi)
		if below < n.below && v > alpha && !pos.Effort.Stopped() {
			below = n.below
			v = s.search(n.own, below, alpha, hi)
		}
		if scout && v >= hi && v < beta && !pos.Effort.Stopped() {
			v = s.search(n.own, below, alpha, beta)
		}
		pos.Undo()
		if l.shared {
			s.busy.Leave(markOf(n.key, m))
		}
		if pos.Effort.Stopped() {
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
				s.text.stats.BetaCuts++
			}
			if !s.order.natural {
				s.order.cut(m, s.text.pv.ply-1, n.own, n.depth)
			}
			break
		}
	}
	s.text.pv.up()
	pos.Moves, s.order.ranks = pos.Moves[:n.first], s.order.ranks[:l.ranked]
	return best, move
}

// keep makes m, better than alpha, the line's first move, if exact with a known line.
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
	s.order.reset(pos.State, c.Order == Natural)
	if thread > 0 {
		s.order.stir(uint64(thread))
	}
	opposes := pos.Nature.Kind == assume.NatureOpposes
	s.flat = s.text.near && (pos.Static.Constant || s.order.natural || s.order.ranker == nil)
	s.scout = s.cuts && s.table != nil && c.Order == Auto && (pos.Nature.Chancer == nil || opposes)
	s.bindStar(c)
	s.bindSlip(c)
	s.guess.bind(pos, c, s.scout)
	s.known = oracles{}
	if s.text.near {
		s.known.bindForeseer(pos, c, thread > 0)
	}
	if s.cuts {
		s.bindSolver(c)
	}
}

// bindSolver has a solver of the game take the position, if nature has no part in it and both sides
// play their best. Its table takes the place of the search's: one of the two stays small. It skips
// nodes, which an observer must be told of; then it only narrows.
func (s *pvs) bindSolver(c *config) {
	pos := &s.text.pos
	if pos.Slip != nil || pos.Nature.Chancer != nil || pos.Nature.Others {
		return
	}
	if maker, ok := game.As[game.Solvable](pos.State); ok && s.solver == nil {
		s.solver = maker.NewSolver(cmp.Or(c.Table, defaultTable))
	}
	if s.solver != nil {
		s.solver.Bind(pos.State)
		s.known.solver, s.known.solves = s.solver, c.Observer == nil
	}
}

// bindTable begins another search in the table, which it makes where there is none
// yet and one is wanted: megabytes are those of the options.
func (s *pvs) bindTable(megabytes, thread int) {
	if s.table == nil && megabytes >= 0 {
		s.table = newTable(cmp.Or(megabytes, defaultTable))
	}
	if s.table != nil && thread == 0 {
		s.table.next()
	}
	s.salt = uint64(s.text.pos.Me) * 0x9e3779b97f4a7c15
}
