package loop

import (
	_ "embed"
	"fmt"
	"math"
	"strings"
	"text/template"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/internal/report"
)

//go:embed report.txt
var sentences string

// say executes a template in report.txt.
var say = report.Prose(sentences, template.FuncMap{
	"called": func(evaluation string) string { return longName[evaluation] },
	"share":  shareText, "show": plusMinus, "percent": func(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) },
})

// Verdict returns the run's main finding. It also mentions the planners whose matches lead to a
// different conclusion, and those with which both evaluations make the same moves.
func (o *Result) Verdict() string {
	findings := o.findings()
	if len(findings) == 0 {
		return o.learner()
	}
	var first *Contest
	var others, same []string
	for i := range o.Contests {
		switch t := &o.Contests[i]; {
		case len(o.Exploits) > 0 || !o.meetsRival(t) || t.Game != o.Options.World.Spec || t.Result.Conclusion == arena.Nothing:
		case t.Result.Conclusion == arena.Same:
			same = append(same, t.Planner)
		case first == nil:
			first = t
		case t.Result.Conclusion != first.Result.Conclusion:
			others = append(others, t.Planner)
		}
	}
	if first == nil {
		return findings[0]
	}
	verdict := o.comparison(first)
	if len(others) > 0 {
		verdict += " The conclusion differs under " + strings.Join(others, " and ") + "."
	}
	if len(same) > 0 {
		verdict += " Under " + strings.Join(same, " and ") + " both evaluations make the same moves."
	}
	return verdict
}

// Table returns the table on which the verdict is based.
func (o *Result) Table() report.Table {
	if len(o.Exploits) > 0 {
		return exploitTable(o.Exploits)
	}
	return EvaluationTables(o.Contests)[0]
}

// findings returns the conclusions of the run as sentences. They compare the learned evaluation
// with its opponent in the run's world and in the twin, compare planners, and name training stages
// that diverged. If the distance from an equilibrium is known, the sentences about it come first.
func (o *Result) findings() []string {
	out := exploitFindings(o.Exploits)
	for i := range o.Contests {
		t := &o.Contests[i]
		switch {
		case t.Planners():
			if said := plannerFinding(t); said != "" {
				out = append(out, said)
			}
		case o.meetsRival(t):
			if t.Game == o.Options.World.Spec && len(o.Exploits) > 0 {
				out = append(out, o.headToHead(t))
			} else {
				out = append(out, o.comparison(t))
			}
		}
	}
	for k := range o.Stages {
		if s := &o.Stages[k]; s.Middle {
			out = append(out, s.guardSentence(k))
		}
	}
	return out
}

// comparison compares the learned evaluation with the opponent and, if this adds information, with
// zero.
func (o *Result) comparison(t *Contest) string {
	said := finding(t, "U")
	if t.Game != o.Options.World.Spec {
		said = finding(t, "In "+t.World.Label()+", u")
	}
	if zero := o.zeroFinding(t); zero != "" {
		said += " " + zero
	}
	return said
}

// correct adjusts, for multiple testing, all comparisons mentioned in a sentence.
func (o *Result) correct() {
	var said []*arena.Result
	for i := range o.Contests {
		if t := &o.Contests[i]; t.Planners() || o.meetsRival(t) {
			said = append(said, &t.Result)
		}
	}
	arena.Correct(said...)
}

// meetsRival reports whether a contest compares the learned evaluation with the run's opponent.
func (o *Result) meetsRival(t *Contest) bool { return t.A == "learned" && t.B == o.Options.opponent() }

// longName maps an evaluation to its name in sentences.
var longName = map[string]string{"learned": "the learned evaluation", "handwritten": "the hand-written evaluation", "zero": "the zero evaluation"}

// shortName maps an evaluation to its name in tables and figures.
var shortName = map[string]string{"learned": "learned", "handwritten": "hand-written", "zero": "zero"}

// finding returns the conclusion of a match between evaluations. The sentence begins with start,
// which ends with the first letter of the word "under".
func finding(t *Contest, start string) string { return start + say("evaluations", t) }

// contest returns the contest between a and b in the same world and with the same planner as t, or
// nil if there is none.
func (o *Result) contest(t *Contest, a, b string) *Contest {
	for i := range o.Contests {
		if c := &o.Contests[i]; c.A == a && c.B == b && c.Game == t.Game && c.Planner == t.Planner {
			return c
		}
	}
	return nil
}

// zeroFinding compares t, the contest of learned against hand-written, with the results against the
// zero evaluation. It returns a sentence if the learned evaluation beats the hand-written one but
// not zero, or if the three results are not transitive, and otherwise "".
func (o *Result) zeroFinding(t *Contest) string {
	written, learned := o.contest(t, "handwritten", "zero"), o.contest(t, "learned", "zero")
	if t.B == "zero" || written == nil {
		return ""
	}
	if learned == nil { // in a single-player game both evaluations play with the same random numbers, so their means can be compared
		l, z := t.Result.UtilityA, written.Result.UtilityB
		least, _ := l.Ends()
		if _, most := z.Ends(); t.Result.Conclusion == arena.BetterA && l.Known && z.Known && least <= most {
			return say("not zero alone", map[string]stats.Estimate{"Learned": l, "Zero": z})
		}
		return ""
	}
	says := ""
	direct := t.Result.Conclusion
	low, high := learned.Result.Score.Ends()
	least, most := written.Result.Score.Ends()
	switch {
	case direct == arena.BetterA && learned.Result.Conclusion == arena.BetterB:
		says = "But it is weaker than the zero evaluation: "
	case direct == arena.BetterA && learned.Result.Conclusion != arena.BetterA:
		says = "But it does not beat the zero evaluation: "
	case direct == arena.BetterA && high < least, direct == arena.BetterB && low > most:
		says = "The three results are not transitive: learned has "
	default:
		return ""
	}
	return say("zero", struct {
		Says                     string
		Direct, Learned, Written *arena.Result
	}{says, &t.Result, &learned.Result, &written.Result})
}

// plannerFinding compares two planners that use the learned evaluation. It returns "" if both
// always make the same moves.
func plannerFinding(t *Contest) string {
	if t.Result.Conclusion == arena.Same {
		return ""
	}
	return say("planners", t)
}

// exploitFindings returns one sentence for each planner. It compares the evaluations' losses
// against their worst opponents.
func exploitFindings(all []Exploit) (out []string) {
	type rival struct {
		Exploit
		Beside string
	}
	for _, learned := range all {
		if learned.Eval != "learned" {
			continue
		}
		var rivals []rival
		for _, other := range all {
			if other.Planner == learned.Planner && other.Eval != "learned" {
				rivals = append(rivals, rival{other, []string{"less than", "about as much as", "more than"}[1+learned.compare(&other)]})
			}
		}
		out = append(out, say("exploited", struct {
			Exploit
			Rivals []rival
		}{learned, rivals}))
	}
	return out
}

// headToHead describes a match without giving a verdict. It is used if evaluations are ranked by
// their losses to the worst opponents.
func (o *Result) headToHead(t *Contest) string {
	const start = "Head to head, which measures the result against one opponent only, u"
	if c := t.Result.Conclusion; c == arena.BetterA || c == arena.BetterB {
		return start + say("score", t)
	}
	return finding(t, start)
}

// compare returns -1 if e loses significantly less than the other evaluation, 1 if it loses
// significantly more, and 0 otherwise.
func (e *Exploit) compare(other *Exploit) int {
	_, mine := e.Lost.Ends()
	_, its := other.Lost.Ends()
	mine, its = mine-e.Lost.Value, its-other.Lost.Value
	margin := math.Sqrt(float64(mine*mine) + float64(its*its))
	switch gap := e.Lost.Value - other.Lost.Value; {
	case gap < -margin-1e-9:
		return -1
	case gap > margin+1e-9:
		return 1
	}
	return 0
}
