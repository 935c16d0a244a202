package search

import (
	"cmp"

	"plyfit/game"
	"plyfit/internal/marks"
	"plyfit/search/assume"
	"plyfit/search/internal/position"
)

// pvs is the fast search: principal variation search with a transposition table, move ordering and
// the game's own endgame knowledge. Values are from the mover's point of view ([position.View]), so
// the same loop serves both sides.
//
// Without unproven cuts, pvs computes the same values as textbook, whatever the table contains. It
// then uses a table entry only at the depth of the entry, or also at greater depths if the entry
// does not rest on an estimate.
type pvs struct {
	text textbook // position, principal variation, frontier and search beyond the horizon

	table  *table            // nil if there is none
	busy   *marks.Set        // moves that other threads are searching; nil with a single thread
	salt   uint64            // part of the table's keys; identifies the player whose values are stored
	solver game.Solver       // kept between searches; nil if none has been created yet
	visits func(int64) int64 // Visits method of the effort
	order  orderer
	known  oracles
	guess  selective

	cuts  bool   // prune decisions, and use bounds on the utilities below a position
	flat  bool   // the frontier is too cheap to use the table and move ordering
	scout bool   // use null windows
	slips bool   // use [pvs.slip] at decisions that may slip
	star1 bool   // prune chance nodes
	star2 bool   // probe before searching chance nodes
	spans []span // spans of the chance nodes along the current line
}

// A span is an interval that contains a value.
type span struct{ lo, hi float64 }

// cuts reports whether the window (alpha, beta) makes it unnecessary to search for a value that
// lies inside s. If so, v is the bound to return.
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

// A node is an inner node of the search. Its values are from the point of view in the field own.
type node struct {
	role  position.Role
	own   position.View
	depth int // number of decisions from the node to the horizon
	below int // number of decisions from the node's children to the horizon
	first int // index of the first move in Position.Moves, if the node's moves are listed
	front bool
	key   uint64
	try   game.Move // best move stored in the table
}

// search returns the value of the current position if it is inside the window, otherwise a bound on
// the same side (fail-soft). The window and the value are from the caller's point of view (the
// parameter from).
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
		pos.Effort.Least = depth // reset for this node, so that its entry records how far the node's own search looked ahead
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

// inner searches a node that has moves. It narrows the range of possible values using the game's
// bounds and the table. If this does not determine the result, it searches the moves.
func (s *pvs) inner(n *node, alpha, beta float64) float64 {
	pos := &s.text.pos
	useTable := s.table != nil && !n.front
	if useTable {
		n.key = s.place()
		if s.table.large { // load the bucket while the bounds and moves are computed
			s.table.prefetch(n.key)
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
	if useTable {
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
			if g = s.staticOf(n, a, b); s.failsHigh(n, g, a, b) {
				pos.Moves = pos.Moves[:n.first]
				pos.Effort.Estimates++ // not a proof
				v, best = b, game.NoMove
				break
			}
			var ok bool
			if v, ok = s.failsLow(n, g, a, b); ok {
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
	// Rounding at chance nodes may put an average slightly outside the bounds.
	v = max(known.lo, min(known.hi, v))
	if useTable {
		s.store(n, known, v, a, b, best, pos.Effort.Estimates == estimates)
	}
	return v
}

// enclose returns two ranges. The first contains the utility of every end of the game below the
// position, and the second contains the value of the position itself. If the game can narrow the
// second range, enclose also lists the moves.
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

// solve obtains the value from the game's solver. In some games this is faster than a search.
func (s *pvs) solve(n *node, alpha, beta float64) (v float64, ok bool) {
	if !s.known.solves || n.role == position.Average {
		return 0, false
	}
	lo, hi := n.own.Window(alpha, beta)
	v, ok = s.playOut(n.depth, lo, hi)
	return n.own.Of(v), ok || s.text.pos.Effort.Stopped()
}

// playOut lets the solver search the position. lo and hi are the window for the value to
// Position.Me.
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

// probe looks up the node n in the table and narrows the given span with the entry's bounds. It
// reports whether the span changed.
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

// store adds the result of a search in the window (alpha, beta) to the table.
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

// foresee returns the value of a chance node from the evaluation's own search, if that search can
// reach the same depth.
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

// beyond returns the value of the current position, a chance node, as computed by the evaluation's
// own search.
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

// decide searches the moves of a decision with principal variation search (Marsland and Campbell
// 1982; Reinefeld 1983, NegaScout). The first move is searched with the full window. All other
// moves are searched with a null window (alpha, alpha+), and again with the full window if they
// turn out to be better.
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
		if l.sorted && i < l.deferred-1 {
			pick(pos.Moves[i:l.deferred], s.order.ranks[l.ranked+i-n.first:l.ranked+l.deferred-n.first])
		}
		m := pos.Moves[i]
		if l.shared {
			m, l.deferred = s.enter(n, l, i)
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

// keep starts the line with the move m, whose value exceeds alpha. If the value is only a bound,
// keep clears the line.
func (s *pvs) keep(n *node, m game.Move, exact bool) {
	if exact && n.below < n.depth {
		s.text.pv.extend(m)
		return
	}
	// The line is unknown. Clear it so that the table's moves are used instead.
	s.text.pv.lines[s.text.pv.ply-1] = s.text.pv.lines[s.text.pv.ply-1][:0]
}

// bind prepares s for the position to which s.text.pos is bound. The parameter thread is the number
// of the helper to which s belongs, or 0 if it belongs to none.
func (s *pvs) bind(c *config, thread int) {
	pos := &s.text.pos
	s.bindTable(c.Table, thread)
	s.order.reset(pos.State, c.Order == Natural)
	if thread > 0 {
		s.order.stir(uint64(thread))
	}
	n := &pos.Nature
	opposes := n.Kind == assume.NatureOpposes
	s.flat = s.text.near && (pos.Static.Constant || s.order.natural || s.order.ranker == nil)
	s.scout = s.cuts && s.table != nil && c.Order == Auto && (n.Chancer == nil || opposes)
	s.bindStar(c)
	// Only searches that visit the whole tree in the game's own order combine the replies to slips.
	s.slips = pos.Slip != nil && !s.cuts && s.order.natural && n.Kind == assume.NatureAverages && !n.Others && n.MinProb == 0 && n.Samples == 0 && c.Observer == nil
	s.guess.bind(pos, c, s.scout)
	s.known = oracles{}
	if s.text.near {
		s.known.bindForeseer(pos, c, thread > 0)
	}
	if s.cuts {
		s.bindSolver(c)
	}
}

// bindSolver binds the game's solver to the position if there are no chance moves and both sides
// play their best moves. The search's own table then stays small, because the solver has its own.
// With an observer, which must receive every node, the solver only narrows bounds and does not skip
// nodes.
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

// bindTable starts a new search in the table. It creates the table if there is none yet and the
// option megabytes is not negative.
func (s *pvs) bindTable(megabytes, thread int) {
	if s.table == nil && megabytes >= 0 {
		s.table = newTable(cmp.Or(megabytes, defaultTable))
	}
	if s.table != nil && thread == 0 {
		s.table.age++ // entries from earlier searches are now replaced first
		s.table.used = 0
	}
	s.salt = uint64(s.text.pos.Me) * 0x9e3779b97f4a7c15
}
