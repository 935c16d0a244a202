package loop

import (
	"fmt"
	"math"
	"strings"

	"plyfit/arena"
	"plyfit/internal/report"
)

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
		case len(o.Exploits) > 0 || !o.decides(t) || t.Result.Conclusion == arena.Nothing:
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
	if t, any := exploitTable(o.Exploits); any {
		return t
	}
	return EvaluationTables(o.Contests)[0]
}

// findings are the run's conclusions in sentences: for each planner the learned evaluation against
// the hand-written and the zero one, the same in the twin, and the planners compared there. A
// known distance from an equilibrium comes first.
func (o *Result) findings() []string {
	var out []string
	out = append(out, exploitFindings(o.Exploits)...)
	for i := range o.Contests {
		t := &o.Contests[i]
		switch {
		case t.Planners():
			if said := plannerFinding(t); said != "" {
				out = append(out, said)
			}
		case t.A == "learned" && t.B == o.Options.opponent():
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
	said := finding(t)
	if t.Game != o.Options.World.Spec {
		said = "In " + t.Game + ", u" + said[1:]
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
		if t := &o.Contests[i]; t.Planners() || t.A == "learned" && t.B == o.Options.opponent() {
			said = append(said, &t.Result)
		}
	}
	arena.Correct(said...)
}

// decides reports whether a contest measures the learned evaluation against the run's opponent in
// the run's own world.
func (o *Result) decides(t *Contest) bool {
	return !t.Planners() && t.A == "learned" && t.B == o.Options.opponent() && t.Game == o.Options.World.Spec
}

// called are evaluations as sentences name them.
var called = map[string]string{"learned": "the learned evaluation", "handwritten": "the hand-written evaluation", "zero": "the evaluation that knows nothing"}

// shortName is the same for tables and pictures.
var shortName = map[string]string{"learned": "learned", "handwritten": "hand-written", "zero": "zero"}

// verb is what a match concludes of A, before the name of B.
func verb(c arena.Conclusion) string {
	switch c {
	case arena.BetterA:
		return "beats"
	case arena.BetterB:
		return "falls short of"
	case arena.Nothing:
		return "could not be compared with"
	}
	return "shows no significant difference from"
}

func finding(t *Contest) string {
	rival := called[t.B]
	if t.Result.Conclusion == arena.Same {
		return fmt.Sprintf("Under %s the learned evaluation makes the same moves as %s in all %d pairs: nothing is compared.", t.Planner, rival, t.Result.Pairs)
	}
	if s := t.Result.Score; t.Result.Conclusion != arena.Nothing && s.Known && !s.Bounded {
		return fmt.Sprintf("Under %s there is no result for the learned evaluation against %s: %s.", t.Planner, rival, shareText(&t.Result))
	}
	figure := shareText(&t.Result)
	if t.Result.Mode == arena.Solo {
		figure = plusMinus(t.Result.UtilityA) + " against " + plusMinus(t.Result.UtilityB)
	}
	return fmt.Sprintf("Under %s the learned evaluation %s %s: %s.", t.Planner, verb(t.Result.Conclusion), rival, figure+corrected(t))
}

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
		if l, z := t.Result.UtilityA, written.Result.UtilityB; t.Result.Conclusion == arena.BetterA && l.Known && z.Known && closed(l).Low <= closed(z).High {
			return fmt.Sprintf("It does not clearly beat the evaluation that knows nothing: %s against %s.", plusMinus(l), plusMinus(z))
		}
		return ""
	}
	at := fmt.Sprintf("%s against hand-written, %s against zero; hand-written %s against zero", shareText(&t.Result), shareText(&learned.Result), shareText(&written.Result))
	direct, l, w := t.Result.Conclusion, learned.Result.Score, written.Result.Score
	switch {
	case direct == arena.BetterA && learned.Result.Conclusion == arena.BetterB:
		return "But it falls short of the evaluation that knows nothing: " + at + "."
	case direct == arena.BetterA && learned.Result.Conclusion != arena.BetterA:
		return "But it does not beat the evaluation that knows nothing: " + at + "."
	case direct == arena.BetterA && closed(l).High < closed(w).Low, direct == arena.BetterB && closed(l).Low > closed(w).High:
		return "The three are not transitive: learned has " + at + "."
	}
	return ""
}

// plannerFinding compares the planner that knows the world there, with the learned evaluation; ""
// if both are one player.
func plannerFinding(t *Contest) string {
	if t.Result.Conclusion == arena.Same {
		return ""
	}
	if d := t.Result.Difference; t.Result.Conclusion != arena.Nothing && d.Known && !d.Bounded {
		return fmt.Sprintf("In %s with the learned evaluation, there is no result for %s against %s: %s.", t.Game, t.A, t.B, plusMinus(d))
	}
	return fmt.Sprintf("In %s with the learned evaluation, %s %s %s: %s more a game.", t.Game, t.A, verb(t.Result.Conclusion), t.B, plusMinus(t.Result.Difference)+corrected(t))
}

// corrected says why a figure whose interval decides alone decides nothing.
func corrected(t *Contest) string {
	if text := t.Result.CorrectedText(); text != "" {
		return " (" + text + ")"
	}
	return ""
}

// exploitFindings compare the losses to worst opponents, a sentence a planner.
func exploitFindings(all []Exploit) (out []string) {
	for i := range all {
		learned := &all[i]
		if learned.Eval != "learned" {
			continue
		}
		said := fmt.Sprintf("Under %s the learned evaluation loses %s to its worst opponent", learned.Planner, plusMinus(learned.Lost))
		for k := range all {
			if rival := &all[k]; rival.Planner == learned.Planner && rival.Eval != "learned" {
				said += fmt.Sprintf(", %s %s (%s)", []string{"less than", "about as much as", "more than"}[1+learned.beside(rival)], called[rival.Eval], plusMinus(rival.Lost))
			}
		}
		out = append(out, said+".")
	}
	return out
}

// headToHead reports a match without judging it, where worst opponents judge evaluations.
func (o *Result) headToHead(t *Contest) string {
	said := finding(t)
	switch t.Result.Conclusion {
	case arena.BetterA, arena.BetterB:
		said = fmt.Sprintf("under %s the learned evaluation has %s against %s.", t.Planner, shareText(&t.Result), called[t.B])
	default:
		said = "u" + said[1:]
	}
	return "Head to head, which says what one takes from one other, " + said
}

// beside is -1 if e loses less than the other, 1 if more, 0 without a significant difference.
func (e *Exploit) beside(other *Exploit) int {
	mine, its := closed(e.Lost).High-e.Lost.Value, closed(other.Lost).High-other.Lost.Value
	margin := math.Sqrt(float64(mine*mine) + float64(its*its))
	switch gap := e.Lost.Value - other.Lost.Value; {
	case gap < -margin-1e-9:
		return -1
	case gap > margin+1e-9:
		return 1
	}
	return 0
}
