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

// A listener takes the place of a test and records the errors.
type listener struct{ said []string }

func (l *listener) Helper()      {}
func (l *listener) Failed() bool { return len(l.said) > 0 }
func (l *listener) Errorf(format string, args ...any) {
	l.said = append(l.said, fmt.Sprintf(format, args...))
}

// finds fails t unless obey reports the expected message for each planted fault, and no message for
// the empty fault. plant wraps the positions of a sound game. text is the text from which a
// position was parsed, or "".
func finds(t *testing.T, sound *game.Game, o Options, plant func(s game.State, fault, text string) game.State, faults map[string]string) {
	t.Helper()
	for fault, want := range faults {
		g := *sound
		g.New = func() game.State { return plant(sound.New(), fault, "") }
		g.Parse = func(text string) (game.State, error) {
			if fault == "parse" {
				text = strings.Replace(text, "player 1", "player 0", 1)
			}
			s, err := sound.Parse(text)
			if err != nil {
				return nil, err
			}
			return plant(s, fault, text), nil
		}
		l := &listener{}
		obey(l, &g, o)
		said := strings.Join(l.said, "\n")
		if fault == "" && said != "" || fault != "" && !strings.Contains(said, want) {
			t.Errorf("fault %q: the law says %.300q, want something of %q", fault, said, want)
		}
	}
}

// A faulty is a position of pig that violates one clause of the contract.
type faulty struct {
	*pig.State
	fault string
	extra float64
	read  bool
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
	key := [6]int{f.Score(0), f.Score(1), f.TurnTotal(), int(f.Player()), int(f.State.Turn())}
	switch f.fault {
	case "die":
		key[4] = 0
	case "turn":
		key[3], key[4] = 0, min(key[4], 0)
	default:
		return f.State.Hash() + uint64(f.extra)
	}
	h := uint64(0)
	for _, k := range key {
		h = game.Mix(h + uint64(k))
	}
	return h
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
	if f.fault == "carried" && f.read {
		return -2, 1
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
func (f *faulty) Forced() bool                      { return false }
func (f *faulty) MayPass() bool                     { return false }
func (f *faulty) Pass()                             {}

func (f *faulty) Gain(game.Move) float64 {
	if f.fault == "gain" {
		return 1
	}
	return 0
}

// TestLawFindsFaults checks that Law finds each fault and that a sound game passes.
func TestLawFindsFaults(t *testing.T) {
	finds(t, New(t, pig.New, "pig:target=10"), Options{Playouts: 50, Reads: 4}, func(s game.State, fault, text string) game.State {
		return &faulty{State: s.(*pig.State), fault: fault, read: text != ""}
	}, map[string]string{
		"":          "",
		"undo":      "after Undo",
		"hash":      "hash",
		"die":       "want a Hash that covers everything the future depends on",
		"turn":      "but the turn differs; want a Hash that covers",
		"prob":      "probabilities sum",
		"overwrite": "does not append",
		"twice":     "a duplicate or NoMove",
		"endless":   "turn -2 and",
		"allocate":  "allocations",
		"blind":     "over=false",
		"dice":      "chance=false",
		"sum":       "zero-sum",
		"range":     "outside",
		"bounds":    "bounds",
		"carried":   "[-2, 1] after parsing",
		"clone":     "clone",
		"spelling":  "written",
		"parse":     "parsed",
		"draw":      "escape sequences",
		"gain":      "gains 1",
	})
}

// A guess is a position of tic-tac-toe whose solver may have a fault.
type guess struct {
	*tictactoe.State
	fault string
}

func (g *guess) Clone() game.State         { return &guess{g.State.Clone().(*tictactoe.State), g.fault} }
func (g *guess) NewSolver(int) game.Solver { return &guesser{fault: g.fault} }
func (g *guesser) Bind(s game.State)       { g.s = s }

type guesser struct {
	game.NoSolver
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

func (g *guesser) Narrow(dst []game.Move, p game.Player) (moves []game.Move, lo, hi float64, plies int) {
	switch g.fault {
	case "narrow":
		return dst, 2, 2, 0
	case "omits":
		return append(dst, g.s.Moves(nil)[0]), -1, 1, 0
	case "wide":
		return g.s.Moves(dst), -0.5, 0.5, 0
	}
	return g.s.Moves(dst), -1, 1, 0
}

// TestLawHoldsSolvers checks that Law finds faulty solvers.
func TestLawHoldsSolvers(t *testing.T) {
	finds(t, New(t, tictactoe.New, "tictactoe"), Options{Playouts: 50}, func(s game.State, fault, _ string) game.State {
		return &guess{s.(*tictactoe.State), fault}
	}, map[string]string{
		"": "", "value": "solved for player", "window": "its value", "depth": "at a depth of",
		"narrow": "the bounds are [2, 2]", "omits": "but the listed moves", "wide": "two moves after",
	})
}

// A misfit is a position of connect four whose description of the cells has a fault.
type misfit struct {
	*connect4.State
	fault string
	reads int // 1 if the position was parsed
}

func (m *misfit) Clone() game.State {
	return &misfit{m.State.Clone().(*connect4.State), m.fault, m.reads}
}

// NewSolver returns nil, because the solver of connect four requires its own State.
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
	case "upside down": // This fault also hides the playable cells, which would reveal it at the start.
		m.State.Fill(p, dst)
		for i, what := range dst {
			if m.Cells().Symbols[what] == '_' {
				dst[i] = 0
			}
		}
	case "history":
		m.State.Fill(p, dst)
		dst[0] = uint8(min(m.reads, 1))
	default:
		m.State.Fill(p, dst)
	}
}

// TestLawFindsMisfits checks that Law finds each fault in the cells and that a sound game passes.
func TestLawFindsMisfits(t *testing.T) {
	finds(t, New(t, connect4.New, "connect4:columns=5,rows=4"), Options{Playouts: 20, Reads: 4}, func(s game.State, fault, text string) game.State {
		return &misfit{s.(*connect4.State), fault, min(len(text), 1)}
	}, map[string]string{
		"":               "",
		"states":         "want less than 3",
		"symbols":        "a symbol for each",
		"upside down":    "not a symmetry of the rules",
		"no permutation": "cells once",
		"holes":          "hole 0 holds",
		"short":          "contains 255",
		"history":        "the cells are [0",
	})
}

// A leaky is a position of Kuhn poker that violates one clause of the contract.
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
	if p := l.Turn(); l.fault == "rank" && p >= 0 && l.MoveString(m) == "bet" {
		return int32(l.Card(1 - p))
	}
	return 0
}

// TestLawFindsLeaks checks that Law finds faults that reveal hidden cards.
func TestLawFindsLeaks(t *testing.T) {
	finds(t, New(t, poker.NewKuhn, "kuhn"), Options{Playouts: 50, Reads: 4}, func(s game.State, fault, _ string) game.State {
		return &leaky{s.(*poker.Kuhn), fault}
	}, map[string]string{
		"":        "",
		"shown":   "want hidden information",
		"same":    "want hidden information",
		"lines":   "want one line",
		"other":   "with Info",
		"follows": "here and",
		"rank":    "a different rank",
	})
	open := *New(t, poker.NewKuhn, "kuhn")
	open.Hidden = false
	l := &listener{}
	obey(l, &open, Options{Playouts: 5})
	if said := strings.Join(l.said, "\n"); !strings.Contains(said, "the game's Hidden is false") {
		t.Errorf("a game that hides and does not say so: %.300q", said)
	}
}
