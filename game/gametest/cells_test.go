package gametest

import (
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/connect4"
)

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
