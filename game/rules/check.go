package rules

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"

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
		ended = ended || n.Turn == game.Nobody
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
		if err := differ(n.answer, again.answer, "when another process is asked again"); err != nil {
			return r.at(n.Position, err)
		}
	}
	return nil
}

// Plies returns the mean number of plies of random games. It visits the same positions as Check.
func (r *Rules) Plies() (float64, error) {
	games := 0
	err := r.walk(Checked, func(_ *node, plies int) error {
		if plies == 0 {
			games++
		}
		return nil
	})
	return Checked / float64(games), err
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
		if err := differ(next.record, rec, fmt.Sprintf("after the move %q at %q", n.Moves[i], n.Position)); err != nil {
			return r.at(rec.Position, err)
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
		if ended = n.Turn == game.Nobody; ended || plies == r.MaxPlies {
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

// differ returns an error if two answers or two records are different. It shows the place where they
// begin to differ.
func differ(a, b any, when string) error {
	x, err := json.Marshal(a)
	if err != nil {
		return err
	}
	y, err := json.Marshal(b)
	if err != nil || string(x) == string(y) {
		return err
	}
	at := 0
	for at < min(len(x), len(y)) && x[at] == y[at] {
		at++
	}
	at = max(0, at-60)
	return fmt.Errorf("the answer contains %.120s, but %s, it contains %.120s: want the same", x[at:], when, y[at:])
}
