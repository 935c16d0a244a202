package gametest

import (
	"fmt"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/pig"
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
