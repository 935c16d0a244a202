package gametest

import (
	"fmt"
	"strings"
	"testing"

	"plyfit/game"
)

// race is a dice game of two, in a few lines: who rolls moves his man by the die or stays,
// and whose man first reaches the eighth square wins. bug is what its author got wrong.
type race struct {
	at   [2]int8
	turn int8
	die  int8 // 0: still to be rolled
	past []race
	bug  string
}

const goal = 8

func (r *race) won() bool { return r.at[0] >= goal || r.at[1] >= goal }

func (r *race) Turn() game.Player {
	switch {
	case r.won():
		return game.Nobody
	case r.die == 0:
		return game.Chance
	}
	return game.Player(r.turn)
}

func (r *race) Moves(dst []game.Move) []game.Move {
	switch r.Turn() {
	case game.Chance:
		if r.bug == "a side of the die is missing" {
			return append(dst, 1, 2)
		}
		return append(dst, 1, 2, 3)
	case game.Nobody:
		return dst
	}
	return append(dst, 0, 1) // stay, move
}

func (r *race) Prob(game.Move) float64 { return 1. / 3 }
func (r *race) For() game.Player       { return game.Player(r.turn) }

func (r *race) Play(m game.Move) {
	now := *r
	now.past = nil
	r.past = append(r.past, now)
	if r.die == 0 {
		r.die = int8(m)
		return
	}
	if m == 1 {
		r.at[r.turn] += r.die
	}
	r.die, r.turn = 0, 1-r.turn
}

func (r *race) Undo() {
	n := len(r.past) - 1
	was := r.past[n]
	r.at, r.turn = was.at, was.turn
	if r.bug != "Undo forgets the die" {
		r.die = was.die
	}
	r.past = r.past[:n]
}

func (r *race) Utility(p game.Player) float64 {
	won := r.at[p] >= goal
	switch {
	case r.bug == "both win":
		return 1
	case won:
		return 1
	}
	return -1
}

func (r *race) Hash() uint64 {
	h := uint64(r.at[0])<<8 | uint64(r.at[1])
	if r.bug != "Hash forgets the die" {
		h = h<<8 | uint64(r.die)
	}
	if r.bug != "Hash forgets the turn" {
		h = h<<8 | uint64(r.turn)
	}
	return game.Mix(h)
}

func (r *race) Clone() game.State {
	if r.bug == "Clone is the state itself" {
		return r
	}
	c := *r
	c.past = nil
	return &c
}

func (r *race) String() string {
	if r.bug == "String leaves the die out" {
		return fmt.Sprintf("%d %d player %d die 0", r.at[0], r.at[1], r.turn)
	}
	return fmt.Sprintf("%d %d player %d die %d", r.at[0], r.at[1], r.turn, r.die)
}

func (r *race) MoveString(m game.Move) string {
	switch {
	case r.die == 0:
		return fmt.Sprint(m)
	case r.bug == "MoveString says step for both":
		return "step"
	}
	return [...]string{"stay", "step"}[m]
}

func raceWith(bug string) *game.Game {
	g := &game.Game{Name: "race", Spec: "race", Doc: "a race", Players: 2, Sum: game.Zero, Min: -1, Max: 1, MaxPlies: 400}
	g.New = func() game.State { return &race{bug: bug} }
	g.Parse = func(text string) (game.State, error) {
		r := &race{bug: bug}
		if n, err := fmt.Sscanf(text, "%d %d player %d die %d", &r.at[0], &r.at[1], &r.turn, &r.die); err != nil || n != 4 {
			return nil, fmt.Errorf("%q: want N N player P die D", text)
		}
		return r, nil
	}
	g.ParseMove = game.FindMove
	return g
}

// TestLawFindsBugsOfDice: what the author of a dice game gets wrong is named.
func TestLawFindsBugsOfDice(t *testing.T) {
	for bug, want := range map[string]string{
		"":                              "",
		"Hash forgets the die":          "want a Hash that covers all that the future depends on",
		"Hash forgets the turn":         "but the turn differs: want a Hash that covers",
		"Undo forgets the die":          "after Undo",
		"a side of the die is missing":  "probabilities sum",
		"both win":                      "zero-sum",
		"Clone is the state itself":     "clone",
		"String leaves the die out":     "parsed",
		"MoveString says step for both": "two moves are written",
	} {
		l := &listener{}
		obey(l, raceWith(bug), Options{Playouts: 100, Reads: 4})
		said := strings.Join(l.said, "\n")
		if bug == "" && said != "" || bug != "" && !strings.Contains(said, want) {
			t.Errorf("%q: the law says %.400q, want %q", bug, said, want)
		}
	}
}
