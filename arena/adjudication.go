package arena

import (
	"cmp"
	"fmt"
	"math"

	"plyfit/game"
	"plyfit/search"
)

// Adjudication ends a two-player game early when both agents agree on the outcome. It uses the
// agents' own search values, on a scale from 0 (draw) to 1 (win). If a game's utilities are -1, 0
// and 1, the values on this scale are the utilities themselves. An agent that reports no value
// never agrees. The zero value of Adjudication ends no games.
type Adjudication struct {
	// Win is the smallest value that counts as a win: if both agents give the same player at least
	// this value, that player wins the game. Win must be in [0, 1]; 0 means never.
	Win float64 `json:"win,omitempty"`
	// The game is drawn if both agents' values are within Draw of the value of a draw. This rule
	// applies only after DrawAfter plies, and never if DrawAfter is 0.
	Draw      float64 `json:"draw,omitempty"`
	DrawAfter int     `json:"draw_after,omitempty"`
	// Moves is the number of consecutive decisions in which each agent must agree; 0 means 3.
	Moves int `json:"moves,omitempty"`
}

func (a Adjudication) check() (Adjudication, error) {
	a.Moves = cmp.Or(a.Moves, 3)
	switch {
	case !(a.Win >= 0 && a.Win <= 1):
		return a, fmt.Errorf("adjudication win=%v: want a number from 0 (off) to 1", a.Win)
	case !(a.Draw >= 0 && a.Draw < 1):
		return a, fmt.Errorf("adjudication draw=%v: want a number that is at least 0 and less than 1", a.Draw)
	case a.DrawAfter < 0:
		return a, fmt.Errorf("draw adjudication after ply %d: want 0 or more", a.DrawAfter)
	case a.Moves < 0:
		return a, fmt.Errorf("adjudication moves=%d: want 1 or more", a.Moves)
	}
	return a, nil
}

type adjudicator struct {
	rule   Adjudication
	layout *layout
	won    [2][2]int // numbers of consecutive decisions, by winner and by the agent's seat
	drawn  [2]int    // numbers of consecutive decisions, by the agent's seat
}

// Results of an adjudicator. Any other value is the winner's number.
const (
	playOn = -2
	drawn  = -1
)

// note records the mover's search value. It returns the outcome if both agents agree on it, and
// playOn otherwise.
func (r *adjudicator) note(mover game.Player, found *search.Result, plies int) int {
	if r == nil {
		return playOn
	}
	opinion := len(found.Values) > 0
	// the mover's value, on the scale from 0 (draw) to 1 (win)
	x := (found.Value - r.layout.even) / (r.layout.win - r.layout.even)
	for winner := range r.won {
		if side := x; opinion && r.rule.Win > 0 {
			if game.Player(winner) != mover {
				side = -x
			}
			if side >= r.rule.Win {
				r.won[winner][mover]++
				continue
			}
		}
		r.won[winner] = [2]int{}
	}
	if opinion && math.Abs(x) <= r.rule.Draw {
		r.drawn[mover]++
	} else {
		r.drawn = [2]int{}
	}
	agreed := func(by [2]int) bool { return min(by[0], by[1]) >= r.rule.Moves }
	switch {
	case agreed(r.won[0]):
		return 0
	case agreed(r.won[1]):
		return 1
	case r.rule.DrawAfter > 0 && plies >= r.rule.DrawAfter && agreed(r.drawn):
		return drawn
	}
	return playOn
}

// adjudicated returns the utilities of a game that ended by adjudication.
func (l *layout) adjudicated(outcome int) []float64 {
	u := []float64{l.even, l.even}
	if outcome >= 0 {
		u[outcome], u[1-outcome] = l.win, l.loss
	}
	return u
}
