package arena

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"plyfit/arena/stats"
	"plyfit/internal/report"
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
	r.Sentence = say("sentence", r)
	r.Notes = nil
	for note := range strings.Lines(say("notes", r)) {
		if note = strings.TrimSpace(note); note != "" {
			r.Notes = append(r.Notes, note)
		}
	}
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

// Faults are those of both sides.
func (r *Result) Faults() FaultCounts { return r.FaultsA.Plus(r.FaultsB) }

// Countable reports whether games that are cut off are counted as they stand.
func (r *Result) Countable() bool { return r.countable }

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

// Text is the result as a table and its sentence, for people.
func (r Result) Text() string {
	if t := r.SPRT; t != nil && t.Corrected != nil {
		r.uncorrected()
	}
	return say("screen", &r)
}

//go:embed result.txt
var parts string

var say = report.Prose(parts, template.FuncMap{
	"counted": text.Counted, "figure": (*Result).figure, "likely": likely,
	"show":       func(e stats.Estimate) string { return e.Format(e.Decimals(), 1) },
	"minus":      func(x float64) float64 { return -x },
	"percent":    func(x float64) string { return fmt.Sprintf("%g%%", 100*x) },
	"repetitive": func(r *Result) bool { return float64(r.Independent) < 0.9*float64(r.Pairs) },
})

// Correct concludes several matches together: at most one in twenty families of matches between
// equals has a better side (Holm 1979). Matches decided by a sequential test or without a figure
// keep their conclusion and do not count.
func Correct(results ...*Result) {
	var family []*Result
	var p []float64
	for _, r := range results {
		if c := r.Conclusion; r.SPRT == nil && (c == BetterA || c == BetterB || c == Undecided) && r.Score.Bounded {
			family, p = append(family, r), append(p, r.P)
		}
	}
	if len(family) < 2 {
		return
	}
	for k, adjusted := range stats.Holm(p) {
		r := family[k]
		r.Family, r.Corrected = len(family), adjusted
		if adjusted > 0.05 {
			r.Conclusion = Undecided
		}
		r.Sentence = say("sentence", r)
	}
}

// corrected reports whether the match decides nothing among others, although alone it would.
func (r *Result) corrected() bool {
	return r.Conclusion == Undecided && r.Family > 1 && r.P <= 0.05
}

// CorrectedText says why such a match decides nothing; "" for others.
func (r *Result) CorrectedText() string {
	if !r.corrected() {
		return ""
	}
	return fmt.Sprintf("p %.2g alone, %.2g as one of %d comparisons (Holm)", r.P, r.Corrected, r.Family)
}

// Table is the result in a row, for papers: what decides first.
func (r *Result) Table() report.Table {
	t := report.Table{Head: []string{"game", "A", "B", "pairs", "wins", "draws", "losses", "A's points", "A's utility", "B's utility", "difference"}, Words: 3,
		Caption: r.Sentence + " With 95% intervals."}
	score, elo := r.Best()
	points, difference := score, r.Difference
	if r.Measure == Utility {
		points, difference = r.Points, score
	}
	row := []string{r.Game, r.A, r.B, fmt.Sprint(r.Pairs), fmt.Sprint(r.Wins), fmt.Sprint(r.Draws), fmt.Sprint(r.Losses), points.Format(points.Decimals(), 1)}
	for _, e := range []stats.Estimate{r.UtilityA, r.UtilityB, difference} {
		row = append(row, e.Format(e.Decimals(), 1))
	}
	if elo != nil {
		t.Head, row = append(t.Head, "Elo"), append(row, elo.Format("%.1f", 1))
	}
	t.Rows = [][]string{row}
	return t
}
