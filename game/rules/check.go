package rules

import (
	"errors"
	"fmt"
	"reflect"

	"plyfit/game"
)

// Checked is the number of positions that [Rules.Check] tests before learning.
const Checked = 1000

// Check tests the rules at positions of random games and returns the first violation. It asks for
// every position twice, the second time from another process and in another order. The tests are:
//
//   - All answers are valid: distinct moves, none of them if and only if the game is over,
//     probabilities that sum to 1, and utilities in bounds that have the described sum.
//   - The same question always has the same answer, so a position's text contains everything that
//     affects the rest of the game.
//   - The record of a position after a move is the same as that in the answer for the position.
//   - Some random game ends before the limit of plies.
func (r *Rules) Check() error {
	var seen []*node
	ended := false
	err := r.walk(Checked, func(n *node, _ int) error {
		seen = append(seen, n)
		ended = ended || n.turn() == game.Nobody
		return r.followed(n)
	})
	if err != nil {
		return err
	}
	if !ended {
		if err := r.ends(); err != nil {
			return err
		}
	}
	fresh := &Rules{Source: r.Source, description: r.description, board: r.board, launcher: r.Source.launcher()}
	p, err := fresh.take()
	if err != nil {
		return err
	}
	defer p.Close("")
	for i := len(seen) - 1; i >= 0; i-- {
		n, again := seen[i], (*node)(nil)
		r.questions.Add(1)
		if again, err = fresh.question(p, n.Position); err != nil {
			return err
		}
		if f, now := differing(n.fields(), again.fields()); f.key != "" {
			return r.at(n.Position, fmt.Errorf("%s %.100v, but %.100v when another process is asked again: want the same answer for the same position", f.key, f.value, now))
		}
	}
	return nil
}

// followed checks the records of the positions after the moves of n. It asks for the first, the
// last and one other of them.
func (r *Rules) followed(n *node) error {
	if len(n.After) == 0 {
		return nil
	}
	last := len(n.After) - 1
	for _, i := range []int{0, last, int(n.hash % uint64(last+1))} {
		rec := n.After[i]
		next, err := r.ask(rec.Position)
		if err != nil {
			return err
		}
		if f, now := differing(rec.fields(), next.record.fields()); f.key != "" {
			return r.at(rec.Position, fmt.Errorf("%s %v, but %v after the move %q at %q: want equal text only for equal positions", f.key, now, f.value, n.Moves[i], n.Position))
		}
	}
	return nil
}

// ends returns an error if random games do not end.
func (r *Rules) ends() error {
	const most = 20 * Checked
	ended, last := false, r.start.Position
	err := r.walk(most, func(n *node, plies int) error {
		last = n.Position
		if ended = n.turn() == game.Nobody; ended || plies == r.MaxPlies {
			return errEnded
		}
		return nil
	})
	switch {
	case err != nil && err != errEnded:
		return err
	case !ended:
		return r.at(last, fmt.Errorf("a random game has not ended within %d plies: want games that end, or a larger max_plies", min(most, r.MaxPlies)))
	}
	return nil
}

var errEnded = errors.New("the walk has ended")

// fields returns the values of a record with their keys.
func (rec *record) fields() []field {
	return []field{
		{"position", rec.Position}, {"turn", rec.Turn}, {"utility", rec.Utility}, {"scores", rec.Scores}, {"cells", rec.Cells}, {"terms", rec.Terms},
	}
}

// fields returns the values of an answer with their keys.
func (n *node) fields() []field {
	return append(n.record.fields(), field{"moves", n.Moves}, field{"after", n.After}, field{"probabilities", n.Probabilities}, field{"luck", n.Luck}, field{"noisy", n.Noisy})
}

type field struct {
	key   string
	value any
}

// differing returns the first field in which two answers or two records differ, and its value in
// the second one.
func differing(a, b []field) (f field, other any) {
	for i, f := range a {
		if !reflect.DeepEqual(f.value, b[i].value) {
			return f, b[i].value
		}
	}
	return field{}, nil
}
