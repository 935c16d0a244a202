package terminal

import (
	"fmt"
	"sort"
	"strings"

	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/failure"
	"plyfit/report"
)

// What the static evaluation says of a position in play and of its moves: no
// search, all in the view of the player to move.

// knows reports whether there is an evaluation to take apart, and says so if not.
func (t *table) knows() bool {
	if t.evaluator == nil {
		t.say("the evaluation is zero, which knows nothing: start again with --model, or with an agent that has eval=\n")
	}
	return t.evaluator != nil
}

// after calls do at the position that a move leads to: where hands slip, the
// one meant.
func (t *table) after(m game.Move, do func()) {
	for range game.PlayIntended(t.State, m) {
		defer t.State.Undo()
	}
	do()
}

// assessment is a move by the evaluation of the position that it leads to.
type assessment struct {
	move    string
	value   float64
	over    bool // the value is what the mover gets
	changes []features.Change
}

func (t *table) assess(m game.Move, now features.Explanation) assessment {
	a := assessment{move: t.State.MoveString(m)}
	mover := t.State.Turn()
	t.after(m, func() {
		if t.State.Turn() == game.Nobody {
			a.value, a.over = t.State.Utility(mover), true
			return
		}
		then := t.evaluator.Explain(t.State, mover)
		a.value, a.changes = then.Value, features.Changes(now, then)
	})
	return a
}

// evaluate prints the position's terms and every move with its value and what
// it changes most, the best first.
func (t *table) evaluate() error {
	if !t.knows() {
		return nil
	}
	now := t.evaluator.Explain(t.State, t.State.Turn())
	terms := report.Table{Head: []string{"term", "value", "weight", "product"}}
	for _, x := range now.Terms {
		if x.Weight == 0 {
			continue // known to the feature set, nothing to the model
		}
		terms.Rows = append(terms.Rows, []string{x.Name, Number(x.Value), Number(x.Weight), Number(x.Product)})
	}
	terms.Rows = append(terms.Rows, []string{"bias", "", "", Number(now.Bias)})
	var assessed []assessment
	for _, m := range t.State.Moves(nil) {
		assessed = append(assessed, t.assess(m, now))
	}
	sort.SliceStable(assessed, func(i, k int) bool { return assessed[i].value > assessed[k].value })
	moves := report.Table{Head: []string{"move", "value", "change", "note"}}
	for _, a := range assessed {
		note := "the game is over"
		if !a.over {
			note = mostChanged(a.changes)
		}
		moves.Rows = append(moves.Rows, []string{a.move, Number(a.value), plus(a.value - now.Value), note})
	}
	t.say("by %s, without search, in the view of %s: %s\n", t.model, t.name(t.State.Turn()), Number(now.Value))
	if err := terms.Print(t.out); err != nil {
		return failure.Of(err)
	}
	t.say("\n")
	return failure.Of(moves.Print(t.out))
}

// explain prints what one move changes.
func (t *table) explain(m game.Move) error {
	if !t.knows() {
		return nil
	}
	now := t.evaluator.Explain(t.State, t.State.Turn())
	a := t.assess(m, now)
	if a.over {
		t.say("%s ends the game: %s gets %s\n", a.move, t.name(t.State.Turn()), Number(a.value))
		return nil
	}
	t.say("%s: from %s to %s by %s, without search, in the view of %s\n", a.move, Number(now.Value), Number(a.value), t.model, t.name(t.State.Turn()))
	table := report.Table{Head: []string{"term", "before", "after", "weight", "change"}}
	sum := 0.0
	for _, c := range a.changes {
		if c.Weight == 0 {
			continue
		}
		sum += c.Difference
		table.Rows = append(table.Rows, []string{c.Name, Number(c.Before), Number(c.After), Number(c.Weight), plus(c.Difference)})
	}
	table.Rows = append(table.Rows, []string{"sum", "", "", "", plus(sum)})
	return failure.Of(table.Print(t.out))
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
