package arena

import (
	"math"
	"slices"

	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/internal/elementary"
)

// A tally counts pairs in order and determines whether the test has decided.
type tally struct {
	cfg    Config
	layout layout

	pairs, games        int
	wins, draws, losses int
	truncated           int
	adjudicated         int
	faults              [2]FaultCounts
	alike               int // number of pairs whose games are identical, move for move
	distinct            map[Hash]struct{}

	population  Population
	openings    *stats.OpeningCounts
	points      stats.Clustered    // A's points per game, by pair
	squares     stats.Clustered    // squares of these points
	difference  stats.Clustered    // A's utility minus B's per game, by pair
	got         [2]stats.Clustered // utilities of A and B per game, by pair
	pentanomial stats.Pentanomial
	seats       []seatTally // by seat; nil if seats are not compared

	llr      float64
	decision stats.Decision

	trace []Point
	every int // number of pairs between points of the trace; doubled whenever the trace becomes too long
}

// A Point is the running estimate after a number of pairs.
type Point struct {
	Pairs    int            `json:"pairs"`
	Openings int            `json:"openings"`
	Score    stats.Estimate `json:"score"`
	LLR      float64        `json:"llr,omitempty"`
}

// tracePoints is the maximum number of points in the trace. If it is exceeded, every other point is
// removed.
const tracePoints = 400

func newTally(cfg Config, l layout) *tally {
	t := &tally{cfg: cfg, layout: l, distinct: map[Hash]struct{}{}, openings: stats.NewOpeningCounts(),
		population: cfg.Openings.population(), decision: stats.Open, every: 1}
	for _, found := range l.seatTwins() {
		t.seats = append(t.seats, seatTally{twins: found})
	}
	return t
}

// over reports whether the test has decided.
func (t *tally) over() bool { return t.decision != stats.Open }

// outcome returns A's points in a game (1, 1/2 or 0), the mean utility of A's seats, and that of
// B's seats.
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
		points = float64(g.Fault.By) // 0 points for a fault of A, 1 point for a fault of B
	case best[sideA] > best[sideB]:
		points = 1
	case best[sideA] < best[sideB]:
		points = 0
	}
	return points, mean(sideA), mean(sideB)
}

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
	luck, games, alike := 0, uint64(0), true
	for i := range r.Games {
		g := &r.Games[i]
		t.games++
		t.distinct[g.Hash] = struct{}{}
		luck += g.Luck
		alike = alike && g.Hash == r.Games[0].Hash && g.Fault == nil
		games = game.Seed(games, uint64(g.Hash))
		if g.Truncated {
			t.truncated++
		}
		if g.Adjudicated {
			t.adjudicated++
		}
		if g.Fault != nil {
			t.faults[g.Fault.By].Add(string(g.Fault.Kind), g.Fault.What)
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
	if alike {
		t.alike++
	}
	switch t.layout.mode {
	case Solo:
		total = soloPoints(r.Games)
		t.count(total)
	case Duel:
		t.pentanomial.Add(total)
		fallthrough
	default:
		total /= float64(len(r.Games))
	}
	opening, before := t.openings.Add(uint64(r.From), luck, games)
	for _, q := range []struct {
		of *stats.Clustered
		x  float64
	}{{&t.points, total}, {&t.squares, float64(total * total)}, {&t.difference, got[sideA] - got[sideB]}, {&t.got[sideA], got[sideA]}, {&t.got[sideB], got[sideB]}} {
		q.of.Add(q.x, t.openings, opening, before)
	}
	for seat := range t.seats {
		t.seats[seat].add(seat, r.Games, t.openings, opening, before)
	}
	if test := t.cfg.SPRT; test != nil {
		t.llr = t.ratio(test)
		t.decision = test.Decide(t.llr)
	}
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

// estimate returns the population mean of a quantity with its interval.
func (t *tally) estimate(q *stats.Clustered, in stats.Span) stats.Estimate {
	if t.population == Sampled {
		return q.Estimate(t.openings, in)
	}
	return q.Moments.Estimate(t.openings.Unlike(), in)
}

// spread returns the precision of the estimated mean of a quantity.
func (t *tally) spread(q *stats.Clustered) stats.Spread {
	if t.population == Sampled {
		return q.Spread(t.openings)
	}
	return q.SpreadOf(t.openings.Unlike())
}

func (t *tally) decisive() *stats.Clustered {
	if t.cfg.Measure == Wins {
		return &t.points
	}
	return &t.difference
}

// ratio returns the log-likelihood ratio of the test, or 0 if there are too few openings for an
// interval.
func (t *tally) ratio(test *stats.SPRT) float64 {
	q := t.decisive()
	if t.population == Sampled && !t.openings.Own() {
		u := q.Spread(t.openings)
		// A variance that is estimated many times is sometimes too small by chance. However, pairs
		// that share openings cannot be more informative than independent pairs.
		u.Err = math.Max(u.Err, q.Deviation()/math.Sqrt(float64(t.pairs)))
		switch {
		case u.Units < stats.FewestPairs:
			return 0
		case t.cfg.Measure == Wins:
			return test.ClusteredLLR(t.pentanomial, u)
		}
		return test.ClusteredTLLR(q.Mean(), q.Deviation(), u)
	}
	n := t.pairs
	if t.population != Sampled {
		n = t.openings.Unlike()
	}
	if t.cfg.Measure == Wins {
		return test.LLR(t.pentanomial.Scaled(float64(n) / float64(t.pairs)))
	}
	return test.TLLR(n, q.Mean(), q.Deviation())
}

// independent returns the number of independent pairs that would be as informative as the pairs
// played.
func (t *tally) independent() int {
	if t.pairs == 0 {
		return 0
	}
	return max(1, int(math.Round(t.spread(t.decisive()).Effective)))
}

// encounter returns the match summary from which ratings are computed.
func (t *tally) encounter() stats.Encounter {
	u := t.spread(&t.points)
	e := stats.Encounter{Pairs: float64(u.Units), Score: t.points.Mean()}
	if t.population == Sampled && u.Err > 0 && !t.openings.Own() {
		e.Pairs = math.Min(float64(t.pairs), t.points.Deviation()*t.points.Deviation()/(u.Err*u.Err))
	}
	return e
}

// score returns the estimate that decides the match: A's fraction of the points, or the difference
// between A and B.
func (t *tally) score() stats.Estimate {
	if t.cfg.Measure == Wins {
		return t.share()
	}
	return t.apart()
}

func (t *tally) share() stats.Estimate { return t.estimate(&t.points, stats.Span{Low: 0, High: 1}) }

// p returns the p-value: the probability that equal entrants would get a score at least this far
// from even. It is below 0.05 if the interval does not contain even.
func (t *tally) p(r *Result) float64 {
	q := t.decisive()
	u, gap := t.spread(q), math.Abs(q.Mean()-r.neutral())
	switch {
	case !r.Score.Bounded || gap == 0:
		return 1
	case u.Err > 0:
		return elementary.Round(2 * stats.Above(gap/u.Err, u.Freedom))
	}
	return min(1, elementary.Round(2*elementary.Pow(0.5, float64(u.Units)))) // all units are equal
}

// apart returns the mean difference between A and B.
func (t *tally) apart() stats.Estimate { return t.estimate(&t.difference, t.layout.apart()) }

func (t *tally) mean(side int) stats.Estimate {
	return t.estimate(&t.got[side], t.layout.span())
}

// span returns the range of utilities.
func (l layout) span() stats.Span {
	return stats.Span{Low: l.shape.Min, High: l.shape.Max, Score: l.scored}
}

// apart returns the range of the difference between two utilities.
func (l layout) apart() stats.Span {
	u := l.span()
	if !u.Finite() {
		return stats.Anywhere
	}
	return stats.Span{Low: u.Low - u.High, High: u.High - u.Low, Score: u.Score}
}

func (t *tally) point() Point { return Point{t.pairs, t.openings.Len(), t.score(), t.llr} }

func (t *tally) progress() Progress {
	return Progress{Pairs: t.pairs, Openings: t.openings.Len(), Of: t.cfg.Pairs,
		Wins: t.wins, Draws: t.draws, Losses: t.losses, Measure: t.cfg.Measure, Running: t.score, LLR: t.llr,
		Faults: t.faults[sideA].Plus(t.faults[sideB])}
}

func (t *tally) result() Result {
	r := Result{
		Game: t.cfg.Game.Spec, A: t.cfg.A.Name, B: t.cfg.B.Name, Mode: t.layout.mode, Seed: t.cfg.Seed,
		Pairs: t.pairs, Planned: t.cfg.Pairs, Games: t.games, Distinct: len(t.distinct),
		Population: t.population, Openings: t.openings.Len(), Independent: t.independent(), Alike: t.alike,
		Wins: t.wins, Draws: t.draws, Losses: t.losses,
		Measure: t.cfg.Measure, Score: t.score(), Points: t.share(),
		UtilityA: t.mean(sideA), UtilityB: t.mean(sideB), Difference: t.apart(), Seats: t.bySeat(),
		Truncated: t.truncated, Adjudicated: t.adjudicated, FaultsA: t.faults[sideA], FaultsB: t.faults[sideB],
		encounter: t.encounter(), openings: t.openings,
	}
	if t.cfg.A.ID() != r.A {
		r.IdentityA = t.cfg.A.ID()
	}
	if t.cfg.B.ID() != r.B {
		r.IdentityB = t.cfg.B.ID()
	}
	if t.cfg.Nature != nil {
		r.Nature = t.cfg.Nature.Name
	}
	if t.layout.mode == Duel {
		shared := t.population == Sampled && !t.openings.Own()
		var ratio stats.Spread
		if t.pentanomial.Deviation() > 0 {
			ratio = t.spread(t.points.Influence(&t.squares, t.pentanomial, t.openings))
		}
		r.Versus = stats.NewVersus(t.pentanomial, t.share(), t.spread(&t.points), ratio, shared)
	}
	if test := t.cfg.SPRT; test != nil {
		lower, upper := test.Bounds()
		r.SPRT = &SPRTResult{Test: *test, LLR: t.llr, Lower: lower, Upper: upper, Decision: t.decision, Corrected: t.corrected()}
	}
	r.Trace = slices.Clone(t.trace)
	if len(r.Trace) > 0 && r.Trace[len(r.Trace)-1].Pairs != t.pairs {
		r.Trace = append(r.Trace, t.point())
	}
	r.P = t.p(&r)
	r.conclude()
	return r
}

// corrected returns the estimates that account for the test, or nil in the cases listed at
// [SPRTResult.Corrected].
func (t *tally) corrected() *Corrected {
	q, n := t.decisive(), float64(t.independent())
	if t.cfg.Pairs == 0 || !t.over() && t.pairs < t.cfg.Pairs || n < stats.FewestStopped || q.Deviation() == 0 {
		return nil
	}
	share := n / float64(t.pairs) // fraction of the pairs that is independent
	f := stats.NormalTilted(n, q.Mean(), q.Deviation())
	if t.cfg.Measure == Wins {
		f = t.pentanomial.Scaled(share).Tilted()
	}
	c := Corrected{Score: t.cfg.SPRT.Stopped(f, int(math.Round(share*float64(t.cfg.Pairs))))}
	if t.cfg.Measure == Wins {
		e := c.Score
		e.Value, e.Low, e.High = stats.Elo(e.Value), stats.Elo(e.Low), stats.Elo(e.High)
		c.Elo = &e
	}
	return &c
}
