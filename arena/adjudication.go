package arena

import (
	"cmp"
	"fmt"
	"math"

	"plyfit/game"
	"plyfit/search"
)

// Adjudication ends games of two players whose agents agree on the outcome by their own search
// values, on a scale from a draw (0) to a win (1): the utility itself for -1, 0 and +1. An agent
// without a value never agrees. The zero value ends nothing.
type Adjudication struct {
	// Win ends a game as won when both agents have given the same player at least this, in (0, 1];
	// 0: never.
	Win float64 `json:"win,omitempty"`
	// Draw ends a game as drawn when neither agent gives either player more than this after
	// DrawAfter calls of Play; DrawAfter 0: never.
	Draw      float64 `json:"draw,omitempty"`
	DrawAfter int     `json:"draw_after,omitempty"`
	// Moves is on how many of its decisions in a row each agent must have agreed; 0: 3.
	Moves int `json:"moves,omitempty"`
}

func (a Adjudication) check() (Adjudication, error) {
	a.Moves = cmp.Or(a.Moves, 3)
	switch {
	case !(a.Win >= 0 && a.Win <= 1):
		return a, fmt.Errorf("adjudication win=%v: want above 0 and at most 1, or 0 for never", a.Win)
	case !(a.Draw >= 0 && a.Draw < 1):
		return a, fmt.Errorf("adjudication draw=%v: want at least 0 and below 1", a.Draw)
	case a.DrawAfter < 0:
		return a, fmt.Errorf("adjudication draw after ply %d: want at least 0", a.DrawAfter)
	case a.Moves < 0:
		return a, fmt.Errorf("adjudication moves=%d: want at least 1", a.Moves)
	}
	return a, nil
}

type adjudicator struct {
	rule   Adjudication
	layout *layout
	won    [2][2]int // by winner, by seat that says so: decisions in a row
	drawn  [2]int    // by seat
}

// What a referee says of a decision.
const (
	playOn = -2
	drawn  = -1 // others: the player who won
)

// note records the mover's search value and returns the outcome if both agents agree on it.
func (r *adjudicator) note(mover game.Player, found *search.Result, plies int) int {
	if r == nil {
		return playOn
	}
	opinion := len(found.Values) > 0
	// The mover's part of the way to a win.
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

// adjudicated are the utilities of a game that the referee ended.
func (l *layout) adjudicated(outcome int) []float64 {
	u := []float64{l.even, l.even}
	if outcome >= 0 {
		u[outcome], u[1-outcome] = l.win, l.loss
	}
	return u
}
