package arena

import (
	"fmt"
	"strings"

	"plyfit/arena/stats"
	"plyfit/internal/text"
)

// Conclusion says who is better.
type Conclusion string

const (
	BetterA   Conclusion = "A"         // A is
	BetterB   Conclusion = "B"         // B is
	Undecided Conclusion = "undecided" // the games do not tell
	// Same means that both made the same moves in all pairs, so that more such games show no
	// difference: they are one player there, or treat all moves as equal.
	Same Conclusion = "same"
	// Nothing means no conclusion: faults of one side, which reflect its connection and not its
	// play, ended a tenth of the games or more.
	Nothing Conclusion = "nothing"
)

// Result is what a match has to say.
type Result struct {
	Game   string `json:"game"`
	A      string `json:"a"`
	B      string `json:"b"`
	Nature string `json:"nature,omitempty"` // who made nature's moves
	Mode   Mode   `json:"mode"`
	Seed   uint64 `json:"seed"`

	Pairs       int `json:"pairs"`         // finished
	Planned     int `json:"planned_pairs"` // at most
	Games       int `json:"games"`
	Distinct    int `json:"distinct_games"`    // by where the agents took over and all moves from there
	Independent int `json:"independent_pairs"` // pairs, independent of each other, that would tell as much
	Openings    int `json:"openings"`          // that differ, by the position that the agents took over
	Alike       int `json:"alike_pairs"`       // pairs whose games are the same, move for move: A and B played as one

	// Population is what the figures are of: what varies between matches of the kind.
	Population Population `json:"population"`

	// Wins, Draws and Losses are A's games; in a game of one, pairs in which A got more.
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`

	Conclusion Conclusion `json:"verdict"`
	// P is the probability of a figure so far from equality among equals, 1 without an interval.
	// If several comparisons were corrected together ([Correct]), Family is their number and
	// Corrected P's result.
	P         float64 `json:"p"`
	Family    int     `json:"comparisons,omitempty"`
	Corrected float64 `json:"p_holm,omitempty"`
	Sentence  string  `json:"sentence"` // what it all means

	// IdentityA and IdentityB are the specs with their models' digests, if the names do not tell.
	IdentityA string `json:"identity_a,omitempty"`
	IdentityB string `json:"identity_b,omitempty"`

	Measure Measure `json:"measure"` // what decides
	// Score is the estimate that decides: Points or Difference.
	Score      stats.Estimate `json:"score"`
	Points     stats.Estimate `json:"points"`     // A's share of the points, in [0, 1]
	UtilityA   stats.Estimate `json:"utility_a"`  // A's mean, a game and seat, in the game's units
	UtilityB   stats.Estimate `json:"utility_b"`  // B's
	Difference stats.Estimate `json:"difference"` // what A gets more than B, pair by pair

	Seats []SeatResult `json:"seats,omitempty"` // in games of three

	Versus *stats.Versus `json:"versus,omitempty"` // in games of two
	SPRT   *SPRTResult   `json:"sprt,omitempty"`

	Truncated   int         `json:"truncated"`             // games cut off at the limit of plies
	Adjudicated int         `json:"adjudicated,omitempty"` // games ended by rule
	FaultsA     FaultCounts `json:"faults_a"`              // games that A lost other than by playing
	FaultsB     FaultCounts `json:"faults_b"`

	Notes []string `json:"notes,omitempty"` // what a reader must know beside the figures

	// Trace is the running estimate, 200 to 400 points along the match. Its intervals hold one by
	// one, not all together: stopping a match when they are favourable needs an SPRT.
	Trace []Point `json:"trace,omitempty"`

	met       stats.Encounter
	openings  *stats.OpeningCounts
	countable bool // games that are cut off are counted as they stand
}

// SPRTResult is where the sequential test stands.
type SPRTResult struct {
	Test     stats.SPRT     `json:"test"`
	LLR      float64        `json:"llr"`
	Lower    float64        `json:"lower"` // H0 is accepted here
	Upper    float64        `json:"upper"` // H1
	Decision stats.Decision `json:"decision"`
	// Corrected accounts for the test, which could end the match early. It is nil while the match
	// goes on, if the planned number of pairs is unknown, and below [stats.FewestStopped]
	// independent pairs.
	Corrected *Corrected `json:"corrected,omitempty"`
}

// Corrected holds a match's figures as [stats.SPRT.Stopped] corrects them.
type Corrected struct {
	Score stats.Estimate  `json:"score"`         // as Result.Score
	Elo   *stats.Estimate `json:"elo,omitempty"` // if points decide
}

// Best returns the score, corrected for the test if there is one, and Elo, nil if there is none.
func (r *Result) Best() (score stats.Estimate, elo *stats.Estimate) {
	switch {
	case r.SPRT != nil && r.SPRT.Corrected != nil:
		return r.SPRT.Corrected.Score, r.SPRT.Corrected.Elo
	case r.Versus != nil:
		return r.Score, &r.Versus.Elo
	}
	return r.Score, nil
}

func (r *Result) neutral() float64 {
	if r.Measure == Wins {
		return 0.5
	}
	return 0
}

func (r *Result) conclude() {
	even, s := r.neutral(), r.Score
	switch {
	case r.Games == 0 || r.faulty() != nil:
		r.Conclusion = Nothing
	case r.Alike == r.Pairs:
		r.Conclusion = Same
	case s.Bounded && s.Low > even:
		r.Conclusion = BetterA
	case s.Bounded && s.High < even:
		r.Conclusion = BetterB
	default:
		r.Conclusion = Undecided
	}
	if t := r.SPRT; t != nil && r.Conclusion != Nothing && r.Conclusion != Same {
		// The test decides, not an interval reread while the match ran.
		switch {
		case t.Decision == stats.AcceptHigh && t.Test.Low >= 0:
			r.Conclusion = BetterA
		case t.Decision == stats.AcceptLow && t.Test.High <= 0:
			r.Conclusion = BetterB
		default:
			r.Conclusion = Undecided
		}
	}
	r.Sentence = r.sentence()
	r.Notes = r.notes()
}

// mostFaults is the share of games, as one in so many, that one side's faults may end before there
// is no verdict.
const mostFaults = 10

// faulty is the side whose faults ended a tenth of the games or more, the worse of two; nil:
// neither.
func (r *Result) faulty() (side *FaultCounts) {
	side = &r.FaultsA
	if r.FaultsB.All() > side.All() {
		side = &r.FaultsB
	}
	if side.All() == 0 || side.All()*mostFaults < r.Games {
		return nil
	}
	return side
}

// figure is the estimate that decides, as a reader wants it.
func (r *Result) figure() string {
	s, elo := r.Best()
	if r.Measure == Wins {
		text := s.Percent() + " of the points"
		if elo != nil && elo.Bounded {
			text += ", Elo " + elo.Format("%.1f", 1)
		}
		return text
	}
	if s.Known && !s.Bounded {
		return fmt.Sprintf(s.Decimals(), s.Value) + " more a game"
	}
	return s.Format(s.Decimals(), 1) + " more a game"
}

// played counts games and pairs, and openings where they repeat.
func (r *Result) played() string {
	line := fmt.Sprintf("%s (%s)", text.Counted(r.Games, "game"), text.Counted(r.Pairs, "pair"))
	switch {
	case r.Population == Listed:
		line += fmt.Sprintf(" from %s, which are all that is asked about", text.Counted(r.Openings, "opening"))
	case r.Population == Sampled && r.Openings < r.Pairs:
		line += " from " + text.Counted(r.Openings, "opening")
	}
	return line
}

func (r *Result) sentence() string {
	if r.Conclusion == Nothing {
		if r.Games == 0 {
			return "Nothing was decided: no game was played."
		}
		if r.FaultsA.All()+r.FaultsB.All() == r.Games {
			return fmt.Sprintf("Nothing was decided: all %d games ended by faults (%s: %v; %s: %v).", r.Games, r.A, r.FaultsA, r.B, r.FaultsB)
		}
		name, faults := r.A, r.faulty()
		if faults == &r.FaultsB {
			name = r.B
		}
		return fmt.Sprintf("Nothing was decided: %d of the %d games ended by faults of %s (%v), which say nothing of how it plays.", faults.All(), r.Games, name, *faults)
	}
	if r.Conclusion == Same {
		return fmt.Sprintf("%s and %s made the same moves in %s: they are one player there, or take all moves for equal, and no such games tell them apart.", r.A, r.B, r.played())
	}
	if r.SPRT != nil {
		return r.testSentence()
	}
	switch r.Conclusion {
	case BetterA:
		return fmt.Sprintf("%s is better than %s: %s in %s.", r.A, r.B, r.figure(), r.played())
	case BetterB:
		return fmt.Sprintf("%s is worse than %s: %s in %s.", r.A, r.B, r.figure(), r.played())
	}
	if !r.Score.Bounded {
		return fmt.Sprintf("Not decided: %s against %s: %s in %s; %s.", r.A, r.B, r.figure(), r.played(), r.Score.Lacks)
	}
	if r.corrected() {
		return fmt.Sprintf("Not decided: %s against %s: %s in %s; %s.", r.A, r.B, r.figure(), r.played(), r.CorrectedText())
	}
	if r.Measure == Wins {
		return fmt.Sprintf("Not decided: %s against %s: %s in %s; the interval holds 50%%.", r.A, r.B, r.figure(), r.played())
	}
	return fmt.Sprintf("Not decided: %s against %s: %s in %s; the interval holds 0.", r.A, r.B, r.figure(), r.played())
}

func (r *Result) testSentence() string {
	t := r.SPRT
	unit := "normalised Elo"
	if t.Test.Scale == stats.LogisticElo {
		unit = "Elo"
	}
	finding, taken, other, bound, risk := "", t.Test.High, t.Test.Low, t.Upper, t.Test.Alpha
	switch {
	case t.Decision == stats.AcceptHigh && t.Test.Low >= 0:
		finding = "is better than " + r.B
	case t.Decision == stats.AcceptHigh:
		finding = fmt.Sprintf("is not worse than %s by %g %s", r.B, -t.Test.Low, unit)
	case t.Decision == stats.AcceptLow && t.Test.High <= 0:
		finding = "is worse than " + r.B
	case t.Decision == stats.AcceptLow:
		finding = fmt.Sprintf("is not better than %s by %g %s", r.B, t.Test.High, unit)
	}
	if t.Decision == stats.AcceptLow {
		taken, other, bound, risk = other, taken, t.Lower, t.Test.Beta
	}
	if t.Decision != stats.Open {
		return fmt.Sprintf("%s %s: after %s the sequential test accepts a difference of %g %s and rejects one of %g, with a risk of error of %g%% (LLR %.2f, wanted %.2f); %s.",
			r.A, finding, r.played(), taken, unit, other, 100*risk, t.LLR, bound, r.figure())
	}
	text := fmt.Sprintf("Not decided after %s: LLR %.2f lies between %.2f and %.2f (%s against %s: %s)",
		r.played(), t.LLR, t.Lower, t.Upper, r.A, r.B, r.figure())
	if r.Score.Lacks != "" {
		text += "; " + r.Score.Lacks
	}
	return text + "."
}

// uncorrected removes the intervals that take no account of the test.
func (r *Result) uncorrected() {
	for _, e := range []*stats.Estimate{&r.Points, &r.UtilityA, &r.UtilityB, &r.Difference} {
		e.Bounded = false
	}
	if r.Versus != nil {
		v := *r.Versus
		v.Elo.Bounded, v.NormalisedElo.Bounded = false, false
		v.LOS = stats.Estimate{Lacks: "a test decides"}
		r.Versus = &v
	}
}

func likely(p float64) string {
	switch {
	case p > 0.999:
		return "more than 99.9%"
	case p < 0.001:
		return "less than 0.1%"
	}
	return fmt.Sprintf("%.1f%%", 100*p)
}

// known is a name with its identity.
func known(name, identity string) string {
	if identity == "" {
		return name
	}
	return fmt.Sprintf("%s (%s)", name, identity)
}

// Text is the result as a table and its sentence, for people.
func (r Result) Text() string {
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-16s %s\n", name, fmt.Sprintf(format, args...))
	}
	if t := r.SPRT; t != nil && t.Corrected != nil {
		r.uncorrected()
	}
	row("game", "%s", r.Game)
	row("A", "%s", known(r.A, r.IdentityA))
	row("B", "%s", known(r.B, r.IdentityB))
	if r.Nature != "" {
		row("nature", "%s", r.Nature)
	}
	openings := ", " + text.Counted(r.Openings, "opening")
	if r.Population == OneStart {
		openings = ""
	}
	row("played", "%s (%s), %d distinct%s, from seed %d", text.Counted(r.Games, "game"), text.Counted(r.Pairs, "pair"), r.Distinct, openings, r.Seed)
	unit := "games"
	if r.Mode == Solo {
		unit = "pairs"
	}
	row("A's "+unit, "%d won, %d drawn, %d lost", r.Wins, r.Draws, r.Losses)
	if r.Mode == Duel {
		row("points", "%s", r.Points.Percent())
	}
	row("mean of A", "%s", r.UtilityA.Format(r.UtilityA.Decimals(), 1))
	row("mean of B", "%s", r.UtilityB.Format(r.UtilityB.Decimals(), 1))
	row("A minus B", "%s", r.Difference.Format(r.Difference.Decimals(), 1))
	for _, s := range r.Seats {
		row(fmt.Sprintf("in seat %d", s.Seat), "%s, others being equal: A %s, B %s", s.Difference.Format(s.Difference.Decimals(), 1),
			s.UtilityA.Format(s.UtilityA.Decimals(), 1), s.UtilityB.Format(s.UtilityB.Decimals(), 1))
	}
	if v := r.Versus; v != nil {
		p := v.Pentanomial
		row("pairs", "LL %v, LD %v, DD+WL %v, WD %v, WW %v", p[0], p[1], p[2], p[3], p[4])
		row("Elo", "%s", v.Elo.Format("%.1f", 1))
		row("normalised Elo", "%s", v.NormalisedElo.Format("%.1f", 1))
		if v.LOS.Known {
			row("superiority", "%s likely", likely(v.LOS.Value))
		} else {
			row("superiority", "%s", v.LOS)
		}
	}
	if t := r.SPRT; t != nil {
		row("test", "%v against %v %s Elo, LLR %.4f, decided at %.4f and %.4f: %s", t.Test.Low, t.Test.High, t.Test.Scale, t.LLR, t.Lower, t.Upper, t.Decision)
		if t.Corrected != nil {
			row("corrected", "%s", r.figure())
		}
	}
	if r.FaultsA.All()+r.FaultsB.All() > 0 {
		row("faults of A", "%v", r.FaultsA)
		row("faults of B", "%v", r.FaultsB)
	}
	for _, n := range r.Notes {
		row("note", "%s", n)
	}
	b.WriteString(r.Sentence + "\n")
	return b.String()
}
