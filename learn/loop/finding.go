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

// say fills in a part of report.txt.
var say = report.Prose(sentences, template.FuncMap{
	"called": func(evaluation string) string { return called[evaluation] },
	"share":  shareText, "show": plusMinus, "percent": func(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) },
})

// Verdict is the first finding, with the planners under which the matches conclude otherwise or both
// evaluations make the same moves, which is no conclusion.
func (o *Result) Verdict() string {
	said := o.findings()
	if len(said) == 0 {
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
		return said[0]
	}
	verdict := o.comparison(first)
	if len(others) > 0 {
		verdict += " Not so under " + strings.Join(others, " and ") + "."
	}
	if len(same) > 0 {
		verdict += " Under " + strings.Join(same, " and ") + " both make the same moves."
	}
	return verdict
}

// Table is the table that the verdict follows from.
func (o *Result) Table() report.Table {
	if len(o.Exploits) > 0 {
		return exploitTable(o.Exploits)
	}
	return EvaluationTables(o.Contests)[0]
}

// findings are the run's conclusions in sentences: for each planner the learned evaluation against
// the hand-written and the zero one, the same in the twin, and the planners compared there. A
// known distance from an equilibrium comes first.
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

// comparison compares the learned evaluation with the opponent and, where that adds something, with zero.
func (o *Result) comparison(t *Contest) string {
	said := finding(t, "U")
	if t.Game != o.Options.World.Spec {
		said = finding(t, "In "+t.Game+", u")
	}
	if zero := o.zeroFinding(t); zero != "" {
		said += " " + zero
	}
	return said
}

// correct draws the conclusions of all comparisons that have a sentence together.
func (o *Result) correct() {
	var said []*arena.Result
	for i := range o.Contests {
		if t := &o.Contests[i]; t.Planners() || o.meetsRival(t) {
			said = append(said, &t.Result)
		}
	}
	arena.Correct(said...)
}

// meetsRival reports whether a contest measures the learned evaluation against the run's opponent.
func (o *Result) meetsRival(t *Contest) bool { return t.A == "learned" && t.B == o.Options.opponent() }

// called are evaluations as sentences name them.
var called = map[string]string{"learned": "the learned evaluation", "handwritten": "the hand-written evaluation", "zero": "the evaluation that knows nothing"}

// shortName is the same for tables and pictures.
var shortName = map[string]string{"learned": "learned", "handwritten": "hand-written", "zero": "zero"}

// finding is what a match of evaluations concludes; start begins the sentence up to its u.
func finding(t *Contest, start string) string { return start + say("evaluations", t) }

// contest is the one of two evaluations where t was played; nil: there is none.
func (o *Result) contest(t *Contest, a, b string) *Contest {
	for i := range o.Contests {
		if c := &o.Contests[i]; c.A == a && c.B == b && c.Game == t.Game && c.Planner == t.Planner {
			return c
		}
	}
	return nil
}

// zeroFinding relates the zero evaluation to t, learned against hand-written: the learned one does
// not beat it, or the three are not transitive. "": nothing beyond t.
func (o *Result) zeroFinding(t *Contest) string {
	written, learned := o.contest(t, "handwritten", "zero"), o.contest(t, "learned", "zero")
	if t.B == "zero" || written == nil {
		return ""
	}
	if learned == nil { // in a game of one they share its luck, and the means compare
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
		says = "But it falls short of the evaluation that knows nothing: "
	case direct == arena.BetterA && learned.Result.Conclusion != arena.BetterA:
		says = "But it does not beat the evaluation that knows nothing: "
	case direct == arena.BetterA && high < least, direct == arena.BetterB && low > most:
		says = "The three are not transitive: learned has "
	default:
		return ""
	}
	return say("zero", struct {
		Says                     string
		Direct, Learned, Written *arena.Result
	}{says, &t.Result, &learned.Result, &written.Result})
}

// plannerFinding compares the planner that knows the world there, with the learned evaluation; ""
// if both are one player.
func plannerFinding(t *Contest) string {
	if t.Result.Conclusion == arena.Same {
		return ""
	}
	return say("planners", t)
}

// exploitFindings compare the losses to worst opponents, a sentence a planner.
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
				rivals = append(rivals, rival{other, []string{"less than", "about as much as", "more than"}[1+learned.beside(&other)]})
			}
		}
		out = append(out, say("exploited", struct {
			Exploit
			Rivals []rival
		}{learned, rivals}))
	}
	return out
}

// headToHead reports a match without judging it, where worst opponents judge evaluations.
func (o *Result) headToHead(t *Contest) string {
	const start = "Head to head, which says what one takes from one other, u"
	if c := t.Result.Conclusion; c == arena.BetterA || c == arena.BetterB {
		return start + say("score", t)
	}
	return finding(t, start)
}

// beside is -1 if e loses less than the other, 1 if more, 0 without a significant difference.
func (e *Exploit) beside(other *Exploit) int {
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
