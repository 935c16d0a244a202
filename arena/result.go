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

// A Conclusion states which entrant is better.
type Conclusion string

const (
	BetterA   Conclusion = "A"         // A is better
	BetterB   Conclusion = "B"         // B is better
	Undecided Conclusion = "undecided" // the games do not show which entrant is better
	// Same means that both entrants made the same moves in all pairs, so that more games of this
	// kind would not show a difference.
	Same Conclusion = "same"
	// Nothing means that there is no conclusion, because one entrant's faults ended at least a
	// tenth of the games. Such faults do not reflect its playing strength.
	Nothing Conclusion = "nothing"
)

// Result is the result of a match.
type Result struct {
	Game   string `json:"game"`
	A      string `json:"a"`
	B      string `json:"b"`
	Nature string `json:"nature,omitempty"` // agent that made nature's moves
	Mode   Mode   `json:"mode"`
	Seed   uint64 `json:"seed"`

	Pairs       int `json:"pairs"`         // finished pairs
	Planned     int `json:"planned_pairs"` // maximum number of pairs
	Games       int `json:"games"`
	Distinct    int `json:"distinct_games"`    // number of games that differ in the position after the opening or in a later move
	Independent int `json:"independent_pairs"` // number of independent pairs that would be equally informative
	Openings    int `json:"openings"`          // number of distinct positions after the opening
	Alike       int `json:"alike_pairs"`       // number of pairs whose games are identical, move for move

	// Population is the set of games to which the estimates refer.
	Population Population `json:"population"`

	// Wins, Draws and Losses count A's games. In single-player games, they count pairs, and A wins
	// a pair if its utility is higher or if only B has a fault.
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`

	Conclusion Conclusion `json:"verdict"`
	// P is the p-value: the probability that equal entrants would get a score at least this far
	// from even. It is 1 if there is no interval. If [Correct] has adjusted several comparisons,
	// Family is the number of comparisons and Corrected is the adjusted p-value.
	P         float64 `json:"p"`
	Family    int     `json:"comparisons,omitempty"`
	Corrected float64 `json:"p_holm,omitempty"`
	Sentence  string  `json:"sentence"` // summary of the match

	// IdentityA and IdentityB are the specs, including model digests. They are empty if they equal
	// the names.
	IdentityA string `json:"identity_a,omitempty"`
	IdentityB string `json:"identity_b,omitempty"`

	Measure Measure `json:"measure"` // quantity that decides the match
	// Score is the estimate that decides the match: Points or Difference.
	Score      stats.Estimate `json:"score"`
	Points     stats.Estimate `json:"points"`     // A's fraction of the points, from 0 to 1
	UtilityA   stats.Estimate `json:"utility_a"`  // A's mean utility per game and seat, in the game's units
	UtilityB   stats.Estimate `json:"utility_b"`  // B's mean utility
	Difference stats.Estimate `json:"difference"` // mean difference between A and B per game and seat

	Seats []SeatResult `json:"seats,omitempty"` // in three-player games only

	Versus *stats.Versus `json:"versus,omitempty"` // in two-player games only
	SPRT   *SPRTResult   `json:"sprt,omitempty"`   // if the match has a test

	Truncated   int         `json:"truncated"`             // number of games that reached the maximum number of plies
	Adjudicated int         `json:"adjudicated,omitempty"` // number of games that ended by adjudication
	FaultsA     FaultCounts `json:"faults_a"`              // games that A lost by faults
	FaultsB     FaultCounts `json:"faults_b"`              // games that B lost by faults

	Notes []string `json:"notes,omitempty"` // remarks that are needed to interpret the result

	// Trace contains the estimate at up to about 400 points during the match. Each interval is
	// valid on its own, but they are not valid jointly. To stop a match when the result is
	// favourable, use an SPRT.
	Trace []Point `json:"trace,omitempty"`

	encounter stats.Encounter
	openings  *stats.OpeningCounts
}

// SPRTResult is the state of the sequential test.
type SPRTResult struct {
	Test     stats.SPRT     `json:"test"`
	LLR      float64        `json:"llr"`
	Lower    float64        `json:"lower"` // H0 is accepted at or below this value
	Upper    float64        `json:"upper"` // H1 is accepted at or above this value
	Decision stats.Decision `json:"decision"`
	// Corrected contains the estimates corrected for early stopping. It is nil while the match is
	// running, if the planned number of pairs is unknown, if all pairs have the same score, or if
	// there are fewer than [stats.FewestStopped] independent pairs.
	Corrected *Corrected `json:"corrected,omitempty"`
}

// Corrected contains the estimates of a match as corrected by [stats.SPRT.Stopped].
type Corrected struct {
	Score stats.Estimate  `json:"score"`         // corresponds to Result.Score
	Elo   *stats.Estimate `json:"elo,omitempty"` // nil unless the measure is Wins
}

// Best returns the score, corrected for the test if possible, and the Elo difference, which is nil
// if there is none.
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
		// The conclusion comes from the test, not from an interval that was inspected repeatedly
		// during the match.
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

// A match has no conclusion if the faults of an entrant end at least one in mostFaults games.
const mostFaults = 10

// faulty returns the fault counts of the entrant whose faults ended a tenth of the games or more.
// If this applies to both entrants, it returns the larger counts; if it applies to neither, it
// returns nil.
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

// figure formats the estimate that decides the match.
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

// Faults returns the faults of both entrants.
func (r *Result) Faults() FaultCounts { return r.FaultsA.Plus(r.FaultsB) }

// uncorrected removes the intervals that do not account for the test.
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

// Text formats the result as a table, followed by its sentence.
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

// Correct adjusts the conclusions of several matches for multiple comparisons (Holm 1979). If all
// players are equal, the probability that any of the matches reports a better player is at most 5%.
// Matches that have a sequential test or no interval are not included and keep their conclusions.
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

// CorrectedText explains why the correction left the match undecided. It returns an empty string
// for other matches.
func (r *Result) CorrectedText() string {
	if r.Conclusion != Undecided || r.Family <= 1 || r.P > 0.05 {
		return ""
	}
	return fmt.Sprintf("p %.2g alone, %.2g as one of %d comparisons (Holm)", r.P, r.Corrected, r.Family)
}

// Table returns the result as a single-row table, for publications.
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
