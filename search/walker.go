package search

import (
	"context"
	"math"

	"plyfit/game"
	"plyfit/models"
)

// walker is what every walk over a tree needs: the position, what its nodes
// are taken for, how its leaves are judged, and when to stop. Values are the
// utility of player me, who is player 0 wherever one number tells both
// players' values.
type walker struct {
	state   game.State   // the planned position, played and undone in place
	base    game.State   // the same without wrappers
	slip    *game.Slip   // state, where it is one
	chancer game.Chancer // nil: no chance nodes
	bounder game.Bounder // nil: none
	noisy   game.Noisy   // nil: no quiescence
	short   bool         // nobody watches, or looks beyond the last decision: that is the fringe's
	peeker  game.Peeker  // nil: moves must be made to see what they lead to

	nature natureIs
	me     game.Player
	shape  game.Shape
	policy *policyCache // nil: nobody follows one
	others bool         // the other players follow the policy, too
	flip   bool         // me is player 1 of two who share a fixed sum: values are turned round for the world outside

	eval       Evaluator
	tracker    Tracker // eval, where it is one
	pushed     []bool  // with slip: whether each Play told the tracker
	ignorant   bool    // eval says blank of every position
	constant   bool    // and there are no bounds to clamp that to
	blank      float64
	points     bool // the game is one of points: what one has is a bound, and an estimate
	strict     bool // estimates lie strictly inside the bounds, so that a value at a bound is proven
	afterstate bool
	minProb    float64
	samples    int
	seed       uint64
	observer   Observer

	prune bool // alpha-beta in the textbook walk

	// Of the grown-up walk:
	grown    bool          // that it is one
	unsorted bool          // at the fringe it is not worth to remember or to order anything
	cuts     bool          // decisions are left early, and bounds of the end are used
	prune1   bool          // so are chance nodes: Star1
	prune2   bool          // after probing: Star2
	scout    bool          // null windows
	table    *table        // nil: none
	busy     *busy         // what other threads are at; nil: there are none
	view     uint64        // whose values it holds: those of me
	narrower game.Narrower // nil: none, or not to be used
	solver   game.Solver   // likewise
	foreseer Foreseer      // likewise
	order    orderer
	edges    []span // of the chance nodes along the line
	ply      int
	line     [][]game.Move // by ply: the line that was best from there on

	moves []game.Move // all lists of moves along the line, one after the other
	probs []float64   // likewise of probabilities of the policy
	prob  float64     // of the chance moves along the line
	meter meter
	nodes int64
	guess int64 // leaves (or remembered values) that were not certain
	least int   // decisions that were left before the horizon, where fewest were
	stats Stats
}

// prepare sets w up for a search of the planned position s.
func (w *walker) prepare(ctx context.Context, c *Config, s game.State, nature natureIs, me game.Player, sh game.Shape) {
	w.state, w.base = s, game.Base(s)
	w.slip, _ = s.(*game.Slip)
	w.chancer, _ = game.As[game.Chancer](s)
	w.bounder, _ = game.As[game.Bounder](s)
	if c.Quiescence {
		w.noisy, _ = game.As[game.Noisy](s)
	}
	w.nature, w.me, w.shape = nature, me, sh
	w.view = uint64(me) * 0x9e3779b97f4a7c15
	w.flip = me == 1 && sh.Players == 2 && sh.Sum != game.General
	w.eval = c.Eval
	w.tracker, _ = c.Eval.(Tracker)
	if w.tracker != nil {
		w.tracker.Reset(w.base)
	}
	w.ignorant, w.constant, w.blank = false, false, 0
	_, w.points = game.As[game.Scorer](s)
	if z, ok := c.Eval.(zero); ok && !w.points {
		w.ignorant, w.constant = true, w.bounder == nil
		w.blank = z.Evaluate(w.base, me) // the middle: the same for both
	}
	w.strict = !w.points && (!w.ignorant || w.constant && w.blank > sh.Min && w.blank < sh.Max)
	w.short = w.noisy == nil && c.Observer == nil
	w.peeker = nil
	if w.constant {
		w.peeker, _ = s.(game.Peeker) // not one inside a wrapper, which does more
	}
	w.afterstate = c.Leaf == models.Afterstate
	w.minProb, w.samples = c.MinProb, c.Samples
	w.observer = c.Observer
	w.moves, w.probs, w.pushed = w.moves[:0], w.probs[:0], w.pushed[:0]
	w.prob = 1
	w.edges, w.ply = w.edges[:0], 0
	if len(w.line) == 0 {
		w.line = make([][]game.Move, 1)
	}
	w.line[0] = w.line[0][:0]
	w.nodes, w.guess, w.stats = 0, 0, Stats{}
	w.meter.start(ctx, c.Time, c.Nodes)
}

// play and undo move the position and tell the tracker.
func (w *walker) play(m game.Move) {
	if w.tracker != nil {
		w.push(m)
	}
	w.state.Play(m)
}

func (w *walker) undo() {
	w.state.Undo()
	if w.tracker != nil {
		w.pop()
	}
}

// push tells the tracker of m, unless it is only chosen and yet to slip.
func (w *walker) push(m game.Move) {
	if w.slip != nil {
		_, pending := w.slip.Intended()
		moves := pending || w.base.Turn() < 0
		w.pushed = append(w.pushed, moves)
		if !moves {
			return
		}
	}
	w.tracker.Push(w.base, m)
}

func (w *walker) pop() {
	if w.slip != nil {
		moved := w.pushed[len(w.pushed)-1]
		w.pushed = w.pushed[:len(w.pushed)-1]
		if !moved {
			return
		}
	}
	w.tracker.Pop()
}

// utility is the value of a finished position.
func (w *walker) utility() float64 { return w.state.Utility(w.me) }

// evaluate is the static value of a position that is not over, kept inside what
// its end can be worth: strictly ([inside]), but for two kinds of estimates that
// may stand at a bound. In games of points the points that one has are one. Zero
// says the middle of the range, or the bound that is nearest to it.
func (w *walker) evaluate() float64 {
	w.stats.Evaluations++
	if w.constant {
		w.guess++
		return w.blank
	}
	var v float64
	if w.flip {
		v = total(w.shape) - w.eval.Evaluate(w.base, 0)
	} else {
		v = w.eval.Evaluate(w.base, w.me)
	}
	lo, hi := w.bounds()
	if lo < hi {
		w.guess++
	}
	if w.points || w.ignorant {
		return clamp(v, lo, hi)
	}
	return inside(v, lo, hi)
}

// bounds enclose the value of the present position.
func (w *walker) bounds() (lo, hi float64) {
	lo, hi = w.shape.Min, w.shape.Max
	if w.bounder != nil {
		l, h := w.bounder.Bounds(w.me)
		if l > lo {
			lo = l
		}
		if h < hi {
			hi = h
		}
	}
	return lo, hi
}

// averages tells whether there may be nodes whose value is an average.
func (w *walker) averages() bool {
	return w.chancer != nil && w.nature != natureOpposes || w.others
}

// extreme tells whether v, the value of the present position, is the most or the
// least that w.me can get from here, as exactly as averages are known, and who
// would have to force that. In games of points, and where nothing is left to win
// or lose, ok is false.
func (w *walker) extreme(v float64) (side role, target float64, ok bool) {
	lo, hi := w.bounds()
	near := 0.0
	if w.averages() {
		near = rounding(v)
	}
	switch {
	case w.points || !(lo < hi):
		return over, 0, false
	case v >= hi-near && v < math.Inf(1):
		return maximum, hi, true
	case v <= lo+near && v > math.Inf(-1):
		return minimum, lo, true
	}
	return over, 0, false
}

// role is what a node is to the search.
type role int8

const (
	over    role = iota // a finished game
	leaf                // to be evaluated
	maximum             // a decision of me, or of nature in my favour
	minimum             // a decision against me
	average             // a chance node, or a decision that follows a policy
)

// role tells what the present node is, where it is turn's move depth decisions
// before the horizon, and whether its moves count in the depth.
func (w *walker) role(turn game.Player, depth int) (r role, counts bool) {
	switch {
	case turn == game.Nobody:
		return over, false
	case turn == game.Chance:
		if depth == 0 && w.afterstate && (w.slip == nil || w.base.Turn() == game.Chance) {
			return leaf, false
		}
		if w.nature != natureOpposes {
			return average, false
		}
		if w.chancer.For() == w.me {
			return minimum, false
		}
		return maximum, false
	case depth == 0:
		return leaf, false
	case turn == w.me:
		return maximum, true
	case w.others:
		return average, true
	}
	return minimum, true
}

// reach notes that a node is depth decisions before the horizon.
func (w *walker) reach(depth int) {
	if depth < w.least {
		w.least = depth
	}
}

// visit counts a node; false: the search has to stop.
func (w *walker) visit() bool {
	w.nodes++
	return w.nodes < w.meter.next || !w.meter.look(w.nodes)
}

// judge is the value of a finished game or of a leaf.
func (w *walker) judge(r role, alpha, beta float64) float64 {
	switch {
	case r == over:
		return w.utility()
	case w.noisy != nil:
		return w.quiesce(alpha, beta)
	}
	return w.evaluate()
}

// weights appends to w.probs the probabilities of moves at an average node.
// Sampled ones are shares of the draws, most of them zero.
func (w *walker) weights(moves []game.Move) {
	begin := len(w.probs)
	switch {
	case w.policy != nil && (w.state.Turn() >= 0 || w.nature == natureFollows && w.base.Turn() == game.Chance):
		// A slip is nobody's choice: it keeps its probabilities.
		w.probs = w.policy.probs(w.state, w.base, moves, w.probs)
	case w.nature == natureUniform:
		for range moves {
			w.probs = append(w.probs, 1/float64(len(moves)))
		}
	default:
		for _, m := range moves {
			w.probs = append(w.probs, w.chancer.Prob(m))
		}
	}
	if p := w.probs[begin:]; w.samples > 0 && len(p) > w.samples {
		w.sample(p)
	}
}

// sample replaces probabilities by the frequencies of w.samples draws, which
// depend on the position and the seed and on nothing else.
func (w *walker) sample(p []float64) {
	cumulative := make([]float64, len(p))
	sum := 0.0
	for i, x := range p {
		sum += x
		cumulative[i] = sum
		p[i] = 0
	}
	random := game.Mix(w.state.Hash() ^ w.seed)
	for range w.samples {
		random = game.Mix(random)
		x := float64(random>>11) / (1 << 53) * sum
		i := 0
		for i < len(p)-1 && cumulative[i] <= x {
			i++
		}
		p[i] += 1 / float64(w.samples)
	}
	w.guess++
}

// policyCache asks a policy once a position.
type policyCache struct {
	policy game.Policy
	known  map[uint64][]float64
}

// maxPolicies is how many positions a policyCache remembers before it starts
// anew: some 100 MB of policies over ten moves.
const maxPolicies = 1 << 20

func (c *policyCache) probs(s, base game.State, moves []game.Move, dst []float64) []float64 {
	key := s.Hash()
	p, ok := c.known[key]
	if !ok || len(p) != len(moves) {
		p = c.policy.Probs(base, moves, nil)
		if len(c.known) >= maxPolicies {
			clear(c.known)
		}
		c.known[key] = p
	}
	return append(dst, p...)
}

// tolerance is how far apart two values may lie and be as good as each other.
func tolerance(v float64) float64 { return float64(1e-9 * math.Max(1, math.Abs(v))) }

// rounding is how far apart equal values may lie that were summed up in another
// order. It is what a move is chosen by: estimates beyond a bound differ by less
// than tolerance ([inside]), and the better one is played.
func rounding(v float64) float64 { return float64(1e-14 * math.Max(1, math.Abs(v))) }

// total is what the utilities of two players of a fixed sum add up to.
func total(sh game.Shape) float64 {
	if sh.Sum == game.Constant {
		return sh.Min + sh.Max
	}
	return 0
}
