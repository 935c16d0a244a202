package arena

import (
	"math"
	"slices"

	"plyfit/game"
)

// tally counts pairs as they come, in order, and knows when the match is over.
type tally struct {
	cfg    Config
	layout layout

	pairs, resumed, games int
	wins, draws, losses   int
	truncated             int
	adjudicated           int
	faults                [2]FaultCounts
	playedOut             int // games without a fault
	distinct              map[Hash]struct{}

	points      sums // of A, a game, by pair
	difference  sums // what A got more than B, a game, by pair
	got         [2]sums
	pentanomial Pentanomial

	// What repeats itself is no new evidence: pairs from the same position,
	// with no luck in them, that end in the same games.
	groups map[Hash]uint64 // by the position they began at: the games of the first
	lucky  int             // pairs with luck in them
	varied bool            // two pairs from one position went differently

	llr      float64
	decision Decision

	trace []Point
	every int // pairs between two points of the trace; doubled when there are many
}

// Decision is where a sequential test stands.
type Decision string

const (
	Open       Decision = "open" // more pairs are wanted
	AcceptLow  Decision = "H0"   // the difference of SPRT.Low is accepted
	AcceptHigh Decision = "H1"   // that of SPRT.High
)

// Point is the running estimate after so many pairs.
type Point struct {
	Pairs int      `json:"pairs"`
	Score Estimate `json:"score"`
	LLR   float64  `json:"llr,omitempty"`
}

// tracePoints is how many points the running estimate is kept at, at most; when
// there are more, every other one goes.
const tracePoints = 400

func newTally(cfg Config, l layout) *tally {
	return &tally{cfg: cfg, layout: l, distinct: map[Hash]struct{}{}, groups: map[Hash]uint64{},
		decision: Open, every: 1}
}

// over tells whether the test has decided.
func (t *tally) over() bool { return t.decision != Open }

// outcome is what one game was worth: points of A (1, 1/2, 0) and the mean
// utility of either entrant's seats.
func (l layout) outcome(g *GameRecord) (points, a, b float64) {
	best := [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	var sum [3]float64
	var seats [3]int
	for p, side := range g.Seats {
		best[side] = math.Max(best[side], g.Utility[p])
		sum[side] += g.Utility[p]
		seats[side]++
	}
	mean := func(side int) float64 { return sum[side] / float64(max(1, seats[side])) }
	points = 0.5
	switch {
	case g.Fault != nil:
		points = float64(g.Fault.By) // A's fault is 0 points, B's one
	case g.Truncated: // a draw
	case best[sideA] > best[sideB]:
		points = 1
	case best[sideA] < best[sideB]:
		points = 0
	}
	return points, mean(sideA), mean(sideB)
}

// soloPoints compares the two games of a pair in a game of one.
func soloPoints(games []GameRecord) float64 {
	a, b := &games[0], &games[1]
	switch {
	case (a.Fault != nil) != (b.Fault != nil):
		if a.Fault != nil {
			return 0
		}
		return 1
	case a.Utility[0] > b.Utility[0]:
		return 1
	case a.Utility[0] < b.Utility[0]:
		return 0
	}
	return 0.5
}

func (t *tally) add(r *PairRecord) {
	t.pairs++
	total, got := 0.0, [2]float64{}
	luck, games := 0, uint64(0)
	for i := range r.Games {
		g := &r.Games[i]
		t.games++
		t.distinct[g.Hash] = struct{}{}
		luck += g.Luck
		games = game.Seed(games, uint64(g.Hash))
		if g.Truncated {
			t.truncated++
		}
		if g.Adjudicated {
			t.adjudicated++
		}
		if g.Fault != nil {
			t.faults[g.Fault.By].add(g.Fault)
		} else {
			t.playedOut++
		}
		if t.layout.mode == Solo {
			got[i] = g.Utility[0]
			continue
		}
		points, a, b := t.layout.outcome(g)
		t.count(points)
		total += points
		got[sideA] += a / float64(len(r.Games))
		got[sideB] += b / float64(len(r.Games))
	}
	switch t.layout.mode {
	case Solo:
		total = soloPoints(r.Games)
		t.count(total)
		t.points.add(total)
	case Duel:
		t.pentanomial.Add(total)
		fallthrough
	default:
		t.points.add(total / float64(len(r.Games)))
	}
	t.difference.add(got[sideA] - got[sideB])
	t.got[sideA].add(got[sideA])
	t.got[sideB].add(got[sideB])
	if first, seen := t.groups[r.From]; luck > 0 {
		t.lucky++
	} else if !seen {
		t.groups[r.From] = games
	} else if first != games {
		t.varied = true
	}
	t.judge()
	if t.pairs%t.every == 0 {
		t.trace = append(t.trace, t.point())
	}
	if len(t.trace) > tracePoints {
		t.every *= 2
		t.trace = slices.DeleteFunc(t.trace, func(p Point) bool { return p.Pairs%t.every != 0 })
	}
}

func (t *tally) count(points float64) {
	switch points {
	case 1:
		t.wins++
	case 0:
		t.losses++
	default:
		t.draws++
	}
}

// independent is how many of the pairs are evidence: all of them, unless those
// without luck repeat themselves move for move from each position, as
// deterministic agents do; then one a position.
func (t *tally) independent() int {
	if t.varied {
		return t.pairs
	}
	return t.lucky + len(t.groups)
}

// evidence is the pentanomial that tests and Elo may use.
func (t *tally) evidence() Pentanomial {
	return t.pentanomial.scaled(float64(t.independent()) / float64(max(1, t.pairs)))
}

// judge asks the sequential test.
func (t *tally) judge() {
	test := t.cfg.SPRT
	if test == nil {
		return
	}
	if t.cfg.Measure == Wins {
		t.llr = test.LLR(t.evidence())
	} else {
		t.llr = test.TLLR(t.independent(), t.difference.mean, t.difference.deviation())
	}
	switch lower, upper := test.Bounds(); {
	case t.llr <= lower:
		t.decision = AcceptLow
	case t.llr >= upper:
		t.decision = AcceptHigh
	}
}

// score is the estimate that decides: A's share of the points, or what it got
// more than B.
func (t *tally) score() Estimate {
	if t.cfg.Measure == Wins {
		return t.share()
	}
	return t.apart()
}

// share is A's share of the points.
func (t *tally) share() Estimate { return t.points.estimate(t.independent(), span{0, 1}) }

// apart is what A got more than B.
func (t *tally) apart() Estimate {
	in := anywhere
	if u := t.layout.span(); u.finite() {
		in = span{u.lo - u.hi, u.hi - u.lo}
	}
	return t.difference.estimate(t.independent(), in)
}

// mean is what one side got.
func (t *tally) mean(side int) Estimate {
	return t.got[side].estimate(t.independent(), t.layout.span())
}

// span is what a utility can lie in.
func (l layout) span() span { return span{l.shape.Min, l.shape.Max} }

func (t *tally) point() Point { return Point{t.pairs, t.score(), t.llr} }

func (t *tally) progress() Progress {
	return Progress{Pairs: t.pairs, Of: t.cfg.Pairs, Resumed: t.resumed, Games: t.games,
		Wins: t.wins, Draws: t.draws, Losses: t.losses, Measure: t.cfg.Measure, Running: t.score(), LLR: t.llr,
		Faults: t.faults[sideA].plus(t.faults[sideB])}
}

// result sums up.
func (t *tally) result() Result {
	n := t.independent()
	r := Result{
		Game: t.cfg.Game.Spec, A: t.cfg.A.Name, B: t.cfg.B.Name, Mode: t.layout.mode, Seed: t.cfg.Seed,
		Pairs: t.pairs, Planned: t.cfg.Pairs, Games: t.games, Distinct: len(t.distinct), Independent: n,
		Wins: t.wins, Draws: t.draws, Losses: t.losses,
		Measure: t.cfg.Measure, Score: t.score(), Points: t.share(),
		UtilityA: t.mean(sideA), UtilityB: t.mean(sideB), Difference: t.apart(),
		Truncated: t.truncated, Adjudicated: t.adjudicated, FaultsA: t.faults[sideA], FaultsB: t.faults[sideB],
		playedOut: t.playedOut, deviation: t.points.deviation(),
	}
	if t.cfg.A.identity() != r.A {
		r.IdentityA = t.cfg.A.identity()
	}
	if t.cfg.B.identity() != r.B {
		r.IdentityB = t.cfg.B.identity()
	}
	if t.cfg.Nature != nil {
		r.Nature = t.cfg.Nature.Name
	}
	if t.layout.mode == Duel {
		evidence := t.evidence()
		r.Versus = &Versus{Pentanomial: t.pentanomial, Elo: evidence.Elo(), NormalisedElo: evidence.NormalisedElo(), LOS: evidence.LOS()}
	}
	if test := t.cfg.SPRT; test != nil {
		lower, upper := test.Bounds()
		r.SPRT = &SPRTResult{Test: *test, LLR: t.llr, Lower: lower, Upper: upper, Decision: t.decision}
	}
	r.Trace = slices.Clone(t.trace)
	if len(r.Trace) > 0 && r.Trace[len(r.Trace)-1].Pairs != t.pairs {
		r.Trace = append(r.Trace, t.point())
	}
	r.judge()
	return r
}
