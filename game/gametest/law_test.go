package gametest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/connect4"
	"plyfit/game/pig"
	"plyfit/game/poker"
	"plyfit/game/tictactoe"
)

// listener takes complaints in place of a test.
type listener struct{ said []string }

func (l *listener) Helper()      {}
func (l *listener) Failed() bool { return len(l.said) > 0 }
func (l *listener) Errorf(format string, args ...any) {
	l.said = append(l.said, fmt.Sprintf(format, args...))
}

// faulty is a position of pig that breaks one clause of the law.
type faulty struct {
	*pig.State
	fault string
	extra float64
}

func (f *faulty) Undo() {
	f.State.Undo()
	if f.fault == "undo" && f.State.Turn() == 0 {
		f.State.Play(pig.Roll)
	}
}

func (f *faulty) Hash() uint64 {
	if f.fault == "hash" {
		f.extra++
	}
	return f.State.Hash() + uint64(f.extra)
}

func (f *faulty) Prob(m game.Move) float64 {
	if f.fault == "prob" && m == 6 {
		return 0.1
	}
	return f.State.Prob(m)
}

func (f *faulty) Moves(dst []game.Move) []game.Move {
	switch from := len(dst); {
	case f.fault == "overwrite":
		return f.State.Moves(dst[:0])
	case f.fault == "twice" && f.State.Turn() == 0:
		dst = f.State.Moves(dst)
		return append(dst, dst[from])
	case f.fault == "endless" && f.State.Turn() == game.Nobody:
		return append(dst, 1)
	case f.fault == "allocate":
		return append(append([]game.Move(nil), dst...), f.State.Moves(nil)...)
	}
	return f.State.Moves(dst)
}

func (f *faulty) ClassifyMoves(dst []game.Move) (moves []game.Move, over, chance uint64) {
	moves, over, chance = f.State.ClassifyMoves(dst)
	switch f.fault {
	case "blind":
		over = 0
	case "dice":
		chance <<= 1
	}
	return moves, over, chance
}

func (f *faulty) Draw(colour bool) string {
	if f.fault == "draw" {
		return "\x1b[2J" + f.State.Draw(colour)
	}
	return f.State.Draw(colour)
}

func (f *faulty) Utility(p game.Player) float64 {
	if f.fault == "sum" {
		return 1
	}
	if f.fault == "range" {
		return 3 * f.State.Utility(p)
	}
	return f.State.Utility(p)
}

func (f *faulty) Bounds(game.Player) (lo, hi float64) {
	if f.fault == "bounds" && f.State.Turn() == game.Nobody {
		return 0, 0.5
	}
	return -1, 1
}

func (f *faulty) Clone() game.State {
	if f.fault == "clone" {
		return f
	}
	return &faulty{State: f.State.Clone().(*pig.State), fault: f.fault}
}

func (f *faulty) MoveString(m game.Move) string {
	if f.fault == "spelling" {
		return "move"
	}
	return f.State.MoveString(m)
}

func (f *faulty) Noisy(dst []game.Move) []game.Move { return f.State.Moves(dst) }

func (f *faulty) Gain(game.Move) float64 {
	if f.fault == "gain" {
		return 1
	}
	return 0
}

func broken(t *testing.T, fault string) *game.Game {
	t.Helper()
	sound := New(t, pig.New, "pig:target=10")
	g := *sound
	g.New = func() game.State { return &faulty{State: sound.New().(*pig.State), fault: fault} }
	g.Parse = func(text string) (game.State, error) {
		if fault == "parse" {
			text = strings.Replace(text, "player 1", "player 0", 1)
		}
		s, err := sound.Parse(text)
		if err != nil {
			return nil, err
		}
		return &faulty{State: s.(*pig.State), fault: fault}, nil
	}
	return &g
}

// The law finds each fault, and none where there is none.
func TestLawFindsFaults(t *testing.T) {
	for fault, want := range map[string]string{
		"":          "",
		"undo":      "after Undo",
		"hash":      "hash",
		"prob":      "probabilities sum",
		"overwrite": "does not append",
		"twice":     "listed twice",
		"endless":   "turn -2 and",
		"allocate":  "allocations",
		"blind":     "over: false",
		"dice":      "chance: false",
		"sum":       "zero-sum",
		"range":     "outside",
		"bounds":    "bounds",
		"clone":     "clone",
		"spelling":  "written",
		"parse":     "parsed",
		"draw":      "escape sequences",
		"gain":      "gains 1",
	} {
		l := &listener{}
		obey(l, broken(t, fault), Options{Playouts: 50, Reads: 4})
		said := strings.Join(l.said, "\n")
		if fault == "" && said != "" || fault != "" && !strings.Contains(said, want) {
			t.Errorf("fault %q: the law says %.300q, want something of %q", fault, said, want)
		}
	}
}

// guess is a position of tic-tac-toe with a solver that is right by as much as its fault
// allows.
type guess struct {
	*tictactoe.State
	fault string
}

func (g *guess) Clone() game.State         { return &guess{g.State.Clone().(*tictactoe.State), g.fault} }
func (g *guess) NewSolver(int) game.Solver { return &guesser{fault: g.fault} }
func (g *guesser) Bind(s game.State)       { g.s = s }
func (g *guesser) Forget()                 {}
func (g *guesser) Fork(uint64) game.Solver { return g }
func (g *guesser) Probed() (p, h, c int64) { return 0, 0, 0 }

func (g *guesser) Line(dst []game.Move, _ game.Player, _ float64) []game.Move { return dst }

type guesser struct {
	s     game.State
	fault string
}

func (g *guesser) Solve(p game.Player, depth int, alpha, beta float64, _ func(int64) int64) (float64, int, bool) {
	visits := 0
	v, plies, _ := plainly(g.s, p, &visits)
	switch {
	case g.fault == "value":
		return -v, plies, plies <= depth
	case g.fault == "window" && beta-alpha < 1:
		return alpha - 1, plies, plies <= depth
	case g.fault == "depth":
		return v, plies, true
	}
	return v, plies, plies <= depth
}

// The law holds solvers against minimax.
func TestLawHoldsSolvers(t *testing.T) {
	sound := New(t, tictactoe.New, "tictactoe")
	for fault, want := range map[string]string{"": "", "value": "solved for player", "window": "which it is worth", "depth": "in a depth of"} {
		g := *sound
		g.New = func() game.State { return &guess{sound.New().(*tictactoe.State), fault} }
		g.Parse = func(text string) (game.State, error) {
			s, err := sound.Parse(text)
			if err != nil {
				return nil, err
			}
			return &guess{s.(*tictactoe.State), fault}, nil
		}
		l := &listener{}
		obey(l, &g, Options{Playouts: 50})
		said := strings.Join(l.said, "\n")
		if fault == "" && said != "" || fault != "" && !strings.Contains(said, want) {
			t.Errorf("fault %q: the law says %.300q, want something of %q", fault, said, want)
		}
	}
}

// misfit is connect four with a fault in what it says of its cells.
type misfit struct {
	*connect4.State
	fault string
	reads int // 1: it was parsed
}

func (m *misfit) Clone() game.State {
	return &misfit{m.State.Clone().(*connect4.State), m.fault, m.reads}
}

// NewSolver makes none: connect four's takes its own State alone.
func (m *misfit) NewSolver(int) game.Solver { return nil }

func (m *misfit) Cells() game.Cells {
	c := m.State.Cells()
	switch m.fault {
	case "states":
		c.States, c.Symbols = 3, ""
	case "symbols":
		c.Symbols = ".+-"
	case "upside down":
		c.Symmetries = game.Symmetries(c.Rows, c.Columns)
	case "no permutation":
		c.Symmetries[1][3] = 0
	case "holes":
		c.Holes = []int{0, c.Columns - 1}
	}
	return c
}

func (m *misfit) Fill(p game.Player, dst []uint8) {
	switch m.fault {
	case "short":
		last := &dst[len(dst)-1]
		before := *last
		m.State.Fill(p, dst)
		*last = before
	case "upside down": // and blind to what can be played, or the start would tell
		m.State.Fill(p, dst)
		for i, what := range dst {
			if what == connect4.Next {
				dst[i] = connect4.Closed
			}
		}
	case "history":
		m.State.Fill(p, dst)
		dst[0] = uint8(min(m.reads, 1))
	default:
		m.State.Fill(p, dst)
	}
}

// The law finds each fault in what a game says of its cells, and none where there is none.
func TestLawFindsMisfits(t *testing.T) {
	for fault, want := range map[string]string{
		"":               "",
		"states":         "want less than 3",
		"symbols":        "a symbol for each",
		"upside down":    "none of the rules",
		"no permutation": "each once",
		"holes":          "hole 0 holds",
		"short":          "holds 255",
		"history":        "cells [0",
	} {
		sound := New(t, connect4.New, "connect4:columns=5,rows=4")
		g := *sound
		g.New = func() game.State { return &misfit{sound.New().(*connect4.State), fault, 0} }
		g.Parse = func(text string) (game.State, error) {
			s, err := sound.Parse(text)
			if err != nil {
				return nil, err
			}
			return &misfit{s.(*connect4.State), fault, 1}, nil
		}
		l := &listener{}
		obey(l, &g, Options{Playouts: 20, Reads: 4})
		said := strings.Join(l.said, "\n")
		if fault == "" && said != "" || fault != "" && !strings.Contains(said, want) {
			t.Errorf("fault %q: the law says %.300q, want something of %q", fault, said, want)
		}
	}
}

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

// leaky is a position of Kuhn poker that breaks one clause of the law.
type leaky struct {
	*poker.Kuhn
	fault string
}

func (l *leaky) wrap(s game.State) game.State { return &leaky{s.(*poker.Kuhn), l.fault} }
func (l *leaky) Clone() game.State            { return l.wrap(l.Kuhn.Clone()) }

func (l *leaky) Info(p game.Player) string {
	switch l.fault {
	case "shown":
		return l.String()
	case "lines":
		return l.Kuhn.Info(p) + "\n"
	}
	return l.Kuhn.Info(p)
}

func (l *leaky) Sample(p game.Player, rng *rand.Rand) game.State {
	switch l.fault {
	case "same", "shown":
		return l.Clone()
	case "other":
		return l.wrap(l.Kuhn.Sample(1-p, rng))
	case "follows":
		rng = rand.New(rand.NewPCG(uint64(l.Card(1-p)), rng.Uint64()))
	}
	return l.wrap(l.Kuhn.Sample(p, rng))
}

func (l *leaky) Rank(m game.Move) int32 {
	if p := l.Turn(); l.fault == "rank" && p >= 0 && m == poker.Bet {
		return int32(l.Card(1 - p))
	}
	return 0
}

// The law finds what betrays hidden cards.
func TestLawFindsLeaks(t *testing.T) {
	for fault, want := range map[string]string{
		"":        "",
		"shown":   "want something hidden",
		"same":    "want something hidden",
		"lines":   "want one line",
		"other":   "of which he knows",
		"follows": "here and",
		"rank":    "another rank",
	} {
		sound := New(t, poker.NewKuhn, "kuhn")
		g := *sound
		g.New = func() game.State { return &leaky{sound.New().(*poker.Kuhn), fault} }
		g.Parse = func(text string) (game.State, error) {
			s, err := sound.Parse(text)
			if err != nil {
				return nil, err
			}
			return &leaky{s.(*poker.Kuhn), fault}, nil
		}
		l := &listener{}
		obey(l, &g, Options{Playouts: 50, Reads: 4})
		said := strings.Join(l.said, "\n")
		if fault == "" && said != "" || fault != "" && !strings.Contains(said, want) {
			t.Errorf("fault %q: the law says %.300q, want something of %q", fault, said, want)
		}
	}
	open := *New(t, poker.NewKuhn, "kuhn")
	open.Hidden = false
	l := &listener{}
	obey(l, &open, Options{Playouts: 5})
	if said := strings.Join(l.said, "\n"); !strings.Contains(said, "the game's Hidden is false") {
		t.Errorf("a game that hides and does not say so: %.300q", said)
	}
}
