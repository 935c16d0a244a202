package cli

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"plyfit/features"
	"plyfit/game"
	"plyfit/report"
)

// What the evaluation alone thinks of a position in play and of its moves: no
// search, all in the view of the player to move.

// knows tells whether there is an evaluation to take apart, and says so if not.
func (t *table) knows() bool {
	if t.eval == nil {
		t.say("the evaluation is zero, which knows nothing: start again with --model, or with an agent that has eval=\n")
	}
	return t.eval != nil
}

// after does look at the position that a move leads to: where hands slip, the
// one meant.
func (t *table) after(m game.Move, look func()) {
	t.state.Play(m)
	defer t.state.Undo()
	if slip, ok := game.As[*game.Slip](t.state); ok {
		if intended, pending := slip.Intended(); pending {
			t.state.Play(intended)
			defer t.state.Undo()
		}
	}
	look()
}

// judgement is a move in the eyes of the evaluation.
type judgement struct {
	move    string
	value   float64
	over    bool // the value is what the mover gets
	changes []change
}

// change is what a move does to one term.
type change struct {
	term               string
	before, after      float64 // the feature
	weight, difference float64 // of the products
}

func (t *table) judge(m game.Move, now features.Explanation) judgement {
	j := judgement{move: t.state.MoveString(m)}
	mover := t.state.Turn()
	t.after(m, func() {
		if t.state.Turn() == game.Nobody {
			j.value, j.over = t.state.Utility(mover), true
			return
		}
		then := t.eval.Explain(t.state, mover)
		j.value, j.changes = then.Value, changes(now, then)
	})
	return j
}

// changes compares two positions term by term, the greatest change first.
func changes(now, then features.Explanation) (list []change) {
	at := map[string]int{}
	find := func(name string, weight float64) *change {
		i, ok := at[name]
		if !ok {
			i, at[name] = len(list), len(list)
			list = append(list, change{term: name, weight: weight})
		}
		return &list[i]
	}
	for _, x := range now.Terms {
		c := find(x.Name, x.Weight)
		c.before, c.difference = x.Value, c.difference-x.Product
	}
	for _, x := range then.Terms {
		c := find(x.Name, x.Weight)
		c.after, c.difference = x.Value, c.difference+x.Product
	}
	sort.SliceStable(list, func(i, k int) bool { return math.Abs(list[i].difference) > math.Abs(list[k].difference) })
	return list
}

// evaluate prints the position's terms and every move with its value and what
// it changes most, the best first.
func (t *table) evaluate() error {
	if !t.knows() {
		return nil
	}
	now := t.eval.Explain(t.state, t.state.Turn())
	terms := report.Table{Head: []string{"term", "value", "weight", "product"}}
	for _, x := range now.Terms {
		if x.Weight == 0 {
			continue // known to the feature set, nothing to the model
		}
		terms.Rows = append(terms.Rows, []string{x.Name, number(x.Value), number(x.Weight), number(x.Product)})
	}
	terms.Rows = append(terms.Rows, []string{"bias", "", "", number(now.Bias)})
	var judged []judgement
	for _, m := range t.state.Moves(nil) {
		judged = append(judged, t.judge(m, now))
	}
	sort.SliceStable(judged, func(i, k int) bool { return judged[i].value > judged[k].value })
	moves := report.Table{Head: []string{"move", "value", "change", "note"}}
	for _, j := range judged {
		note := "the game is over"
		if !j.over {
			note = mostChanged(j.changes)
		}
		moves.Rows = append(moves.Rows, []string{j.move, number(j.value), plus(j.value - now.Value), note})
	}
	t.say("by %s, without search, in the view of %s: %s\n", t.model, t.name(t.state.Turn()), number(now.Value))
	if err := terms.Print(t.out); err != nil {
		return failed(err)
	}
	t.say("\n")
	return failed(moves.Print(t.out))
}

// explain prints what one move changes.
func (t *table) explain(m game.Move) error {
	if !t.knows() {
		return nil
	}
	now := t.eval.Explain(t.state, t.state.Turn())
	j := t.judge(m, now)
	if j.over {
		t.say("%s ends the game: %s gets %s\n", j.move, t.name(t.state.Turn()), number(j.value))
		return nil
	}
	t.say("%s: from %s to %s by %s, without search, in the view of %s\n", j.move, number(now.Value), number(j.value), t.model, t.name(t.state.Turn()))
	table := report.Table{Head: []string{"term", "before", "after", "weight", "change"}}
	sum := 0.0
	for _, c := range j.changes {
		if c.weight == 0 {
			continue
		}
		sum += c.difference
		table.Rows = append(table.Rows, []string{c.term, number(c.before), number(c.after), number(c.weight), plus(c.difference)})
	}
	table.Rows = append(table.Rows, []string{"sum", "", "", "", plus(sum)})
	return failed(table.Print(t.out))
}

// mostChanged names the three terms that a move changes most.
func mostChanged(list []change) string {
	var words []string
	for _, c := range list {
		if c.difference != 0 && len(words) < 3 {
			words = append(words, fmt.Sprintf("%s %s", c.term, plus(c.difference)))
		}
	}
	return strings.Join(words, ", ")
}

func plus(x float64) string {
	if x > 0 {
		return "+" + number(x)
	}
	return number(x)
}
