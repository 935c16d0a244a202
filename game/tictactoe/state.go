// Package tictactoe implements noughts and crosses.
//
// A [State] contains each player's cells as a set of nine bits. A table lists which of the 512 sets
// contain a line.
package tictactoe

import (
	"fmt"
	"strconv"
	"strings"

	"plyfit/game"
	"plyfit/game/grid"
)

const board = 1<<9 - 1 // set of all cells

// Lines contains the eight winning sets of three cells. Bit 0 is the top left cell, and bit 8 is
// the bottom right cell.
var Lines = [8]uint16{0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}

var wins = func() (table [board + 1]bool) {
	for set := range table {
		for _, line := range Lines {
			if uint16(set)&line == line {
				table[set] = true
			}
		}
	}
	return table
}()

// New returns the game. It has no options.
func New(o *game.Options) (*game.Game, error) {
	return &game.Game{
		Name: "tictactoe", Spec: "tictactoe",
		Doc:     "noughts and crosses; positions list nine squares (X, O or .) and the side to move; moves 1 to 9",
		Players: 2, Sum: game.Zero, Min: -1, Max: 1, MaxPlies: 9,
		Seats:     []string{"X", "O"},
		New:       func() game.State { return &State{} },
		Parse:     parse,
		ParseMove: game.FindMove,
		Dialects:  []game.Dialect{uci},
	}, o.Err()
}

// A State is a position. Player 0 is X and begins.
type State struct {
	sets   [2]uint16 // X's cells and O's cells
	ply    int8      // number of marks on the board
	root   int8      // ply of the first position, below which Undo panics
	played [9]int8   // cell chosen at each ply since root
}

var (
	_ game.Ranker      = (*State)(nil)
	_ game.Drawer      = (*State)(nil)
	_ game.Illustrator = (*State)(nil)
	_ game.Celled      = (*State)(nil)
)

// Marks returns the sets of X's and O's cells. Bit 0 is the top left cell.
func (s *State) Marks() (x, o uint16) { return s.sets[0], s.sets[1] }

// Plies returns the number of marks on the board.
func (s *State) Plies() int { return int(s.ply) }

func (s *State) Turn() game.Player {
	mover := s.ply & 1
	if wins[s.sets[1-mover]&board] || s.ply == 9 {
		return game.Nobody
	}
	return game.Player(mover)
}

// Moves implements [game.State]. It lists the empty cells row by row.
func (s *State) Moves(dst []game.Move) []game.Move {
	if s.Turn() == game.Nobody {
		return dst
	}
	occupied := s.sets[0] | s.sets[1]
	for c := range game.Move(9) {
		if occupied>>c&1 == 0 {
			dst = append(dst, c)
		}
	}
	return dst
}

func (s *State) Play(m game.Move) {
	s.sets[s.ply&1] |= 1 << m
	s.played[s.ply] = int8(m)
	s.ply++
}

func (s *State) Undo() {
	if s.ply <= s.root {
		panic("tictactoe: Undo at the first position")
	}
	s.ply--
	s.sets[s.ply&1] &^= 1 << s.played[s.ply]
}

// Utility implements [game.State]: 1 for a win, -1 for a loss, and 0 for a draw.
func (s *State) Utility(p game.Player) float64 {
	switch {
	case wins[s.sets[p&1]&board]:
		return 1
	case wins[s.sets[1-p&1]&board]:
		return -1
	}
	return 0
}

func (s *State) Hash() uint64 { return game.Mix(uint64(s.sets[0])<<9 | uint64(s.sets[1])) }

// Rank implements [game.Ranker]. Completing a line has rank 5, and blocking a line has rank 4. Any
// other move ranks by the number of lines through the cell: 4 for the centre, 3 for corners, and 2
// for edges.
func (s *State) Rank(m game.Move) int32 {
	mover := s.ply & 1
	switch cell := uint16(1) << m; {
	case wins[(s.sets[mover]|cell)&board]:
		return 5
	case wins[(s.sets[1-mover]|cell)&board]:
		return 4
	}
	return int32("323242323"[m] - '0')
}

func (s *State) Clone() game.State {
	c := *s
	c.root = c.ply
	return &c
}

// String implements [game.State]: nine squares and the side to move, or - if the game is over.
func (s *State) String() string {
	text := []byte("......... -")
	for c := range 9 {
		switch {
		case s.sets[0]>>c&1 != 0:
			text[c] = 'X'
		case s.sets[1]>>c&1 != 0:
			text[c] = 'O'
		}
	}
	if t := s.Turn(); t != game.Nobody {
		text[10] = "XO"[t]
	}
	return string(text)
}

// MoveString implements [game.State]. It returns the number of the cell, counted row by row from 1.
func (s *State) MoveString(m game.Move) string { return "123456789"[m : m+1] }

// parse reads the output of String. The side to move must agree with the number of marks.
func parse(text string) (game.State, error) {
	w := &game.Words{Game: "tictactoe", Text: text}
	cells, side, ok := strings.Cut(text, " ")
	if !ok || len(cells) != 9 {
		return nil, w.Fail(-1, "nine squares of X, O and ., a space and the side to move: ......... X")
	}
	s := &State{}
	marks := [2]int8{}
	for i := range 9 {
		switch p := strings.IndexByte("XO", cells[i]); {
		case p >= 0:
			s.sets[p] |= 1 << i
			marks[p]++
		case cells[i] != '.':
			return nil, w.Fail(i, "X, O or .")
		}
	}
	if d := marks[0] - marks[1]; d != 0 && d != 1 {
		return nil, w.Fail(0, "as many Xs as Os, or one more X")
	}
	s.ply = marks[0] + marks[1]
	s.root = s.ply
	if wins[s.sets[s.ply&1]] {
		return nil, w.Fail(0, "no complete line for the side to move")
	}
	if want := s.String()[10:]; side != want {
		return nil, w.Fail(10, want+" to move (- when the game is over)")
	}
	return s, nil
}

// uci is the notation of the match runner cutechess, which treats the game as a chess variant in
// which pieces are dropped.
var uci = game.Dialect{
	Protocol: "uci", Name: "tictactoe",
	Format: func(s game.State) (string, error) {
		cells, _, _ := strings.Cut(s.String(), " ")
		var b grid.Dropped
		b.Columns, b.Rows = 3, 3
		for i, c := range []byte(cells) {
			b.Cells[2-i/3][i%3] = byte(strings.IndexByte(".XO", c))
		}
		return "fen " + b.FEN(5, 4), nil
	},
	Parse: func(g *game.Game, fields []string) (game.State, error) {
		if fields[0] == "startpos" {
			return g.New(), nil
		}
		b, err := grid.ReadDropped(fields, 3, 3)
		if err != nil {
			return nil, err
		}
		var text strings.Builder
		for row := 2; row >= 0; row-- {
			for column := range 3 {
				text.WriteByte(".XO"[b.Cells[row][column]])
			}
		}
		var s game.State
		for _, side := range []string{" " + "XO"[b.Second:b.Second+1], " -"} { // - if the game is over
			if s, err = g.Parse(text.String() + side); err == nil {
				break
			}
		}
		return s, err
	},
	Move: dropName,
	ParseMove: func(s game.State, name string) (game.Move, error) {
		column, row, ok := grid.Drop(name)
		if ok && column < 3 && row < 3 {
			if m, err := game.FindMove(s, strconv.Itoa(3*(2-row)+column+1)); err == nil {
				return m, nil
			}
		}
		return game.NoMove, grid.NoDrop(s, dropName)
	},
}

func dropName(_ game.State, m game.Move) string {
	return fmt.Sprintf("P@%c%d", 'a'+rune(m%3), 3-m/3)
}
