package terminal

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/proc"
	"plyfit/study/report"
)

// The static evaluation of a position in play and of its moves, without search, in the view of the
// player to move.

// knows reports whether there is an evaluation to explain, and says so if not.
func (t *sitting) knows() bool {
	if t.evaluator == nil {
		t.say("the evaluation is zero, which knows nothing: start again with --model, or with an agent that has eval=\n")
	}
	return t.evaluator != nil
}

// assessment is a move with the evaluation of the position after it.
type assessment struct {
	move    string
	value   float64
	over    bool // the value is what the mover gets
	changes []features.Change
	then    features.Explanation
}

func (t *sitting) assess(m game.Move, now features.Explanation) assessment {
	then, over := t.evaluator.After(t.State, m)
	a := assessment{then: then, move: game.Spelled(t.State, m), value: then.Leaf, over: over}
	if !over {
		a.changes = features.Changes(now, then)
	}
	return a
}

// evaluate prints the position's terms and every move with its value and main change, the best
// first.
func (t *sitting) evaluate() error {
	if !t.knows() {
		return nil
	}
	now := t.evaluator.Explain(t.State, t.State.Turn())
	terms := report.Table{Head: []string{"term", "value", "weight", "product"}}
	known := slices.DeleteFunc(slices.Clone(now.Terms), func(x features.ExplainedTerm) bool {
		return x.Weight == 0 // known to the feature set, nothing to the model
	})
	shown, others, rest := longest(known, func(x features.ExplainedTerm) float64 { return x.Product })
	for _, x := range shown {
		terms.Rows = append(terms.Rows, []string{x.Name, Number(x.Value), Number(x.Weight), Number(x.Product)})
	}
	if others > 0 {
		terms.Rows = append(terms.Rows, []string{fmt.Sprintf("%d others", others), "", "", Number(rest)})
	}
	terms.Rows = append(terms.Rows, []string{"bias", "", "", Number(now.Bias)})
	names, values := now.Ending(Number)
	for i, name := range names {
		terms.Rows = append(terms.Rows, []string{name, "", "", Number(values[i])})
	}
	var assessed []assessment
	for _, m := range t.State.Moves(nil) {
		assessed = append(assessed, t.assess(m, now))
	}
	sort.SliceStable(assessed, func(i, k int) bool { return assessed[i].value > assessed[k].value })
	moves := report.Table{Head: []string{"move", "value", "change", "note"}}
	for _, a := range assessed[:min(mostRows, len(assessed))] {
		note := "the game is over"
		if !a.over {
			note = mostChanged(a.changes)
		}
		moves.Rows = append(moves.Rows, []string{a.move, Number(a.value), plus(a.value - now.Leaf), note})
	}
	t.say("by %s, without search, in the view of %s: %s\n", t.model, t.name(t.State.Turn()), Value(t.world.Game, now.Leaf))
	if err := terms.Print(t.out); err != nil {
		return proc.Failure(err)
	}
	t.say("\n")
	if err := moves.Print(t.out); err != nil {
		return proc.Failure(err)
	}
	if n := len(assessed) - mostRows; n > 0 {
		t.say("and %d moves worth less; explain MOVE tells of any\n", n)
	}
	return nil
}

// mostRows is the length of a list in the terminal.
const mostRows = 10

// longest are the largest items, as many as a list has, with the number and the sum of the others.
func longest[T any](list []T, size func(T) float64) (shown []T, others int, rest float64) {
	if len(list) <= mostRows {
		return list, 0, 0
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(math.Abs(size(list[k])), math.Abs(size(list[i]))) })
	slices.Sort(order[:mostRows])
	slices.Sort(order[mostRows:])
	for _, i := range order[:mostRows] {
		shown = append(shown, list[i])
	}
	for _, i := range order[mostRows:] {
		rest += size(list[i])
	}
	return shown, len(list) - mostRows, rest
}

func (t *sitting) explain(m game.Move) error {
	if !t.knows() {
		return nil
	}
	now := t.evaluator.Explain(t.State, t.State.Turn())
	a := t.assess(m, now)
	if a.over {
		t.say("%s ends the game: %s gets %s\n", a.move, t.name(t.State.Turn()), Number(a.value))
		return nil
	}
	t.say("%s: from %s to %s by %s, without search, in the view of %s\n", a.move, Value(t.world.Game, now.Leaf), Value(t.world.Game, a.value), t.model, t.name(t.State.Turn()))
	table := report.Table{Head: []string{"term", "before", "after", "weight", "change"}}
	weighed := slices.DeleteFunc(slices.Clone(a.changes), func(c features.Change) bool { return c.Weight == 0 })
	shown, others, rest := longest(weighed, func(c features.Change) float64 { return c.Difference })
	for _, c := range shown {
		table.Rows = append(table.Rows, []string{c.Name, Number(c.Before), Number(c.After), Number(c.Weight), plus(c.Difference)})
	}
	if others > 0 {
		table.Rows = append(table.Rows, []string{fmt.Sprintf("%d others", others), "", "", "", plus(rest)})
	}
	for _, c := range features.Endings(now, a.then, Number) {
		table.Rows = append(table.Rows, []string{c.Name, Number(c.Before), Number(c.After), "", plus(c.Difference)})
	}
	return proc.Failure(table.Print(t.out))
}

// mostChanged names the three terms that a move changes most.
func mostChanged(list []features.Change) string {
	var words []string
	for _, c := range list {
		if c.Difference != 0 && len(words) < 3 {
			words = append(words, fmt.Sprintf("%s %s", c.Name, plus(c.Difference)))
		}
	}
	return strings.Join(words, ", ")
}

func plus(x float64) string {
	if x > 0 {
		return "+" + Number(x)
	}
	return Number(x)
}
