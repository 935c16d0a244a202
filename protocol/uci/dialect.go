// Package uci speaks the Universal Chess Interface, from both sides: an [Agent]
// is an engine of others, a [Server] makes one of an agent of ours.
//
// A [Dialect] is how UCI, which was made for chess, tells the positions and moves
// of a game. Connect four and tic-tac-toe are told as the match runner cutechess
// does: as variants of chess in which men are dropped, P@d1, onto a board that a
// FEN shows from its top rank, P the first player's men and p the second's, and in
// brackets the men not yet dropped.
package uci

import (
	"fmt"
	"strconv"
	"strings"

	"plyfit/game"
	"plyfit/game/chess"
	"plyfit/game/connect4"
	"plyfit/game/tictactoe"
)

// Dialect tells the positions and moves of a game.
type Dialect struct {
	Variant string // its name in the option UCI_Variant; "" for chess, which needs none

	// Tell is s, a base state, as the argument of UCI's command position.
	Tell func(s game.State) (string, error)
	// Parse reads that argument without its moves: startpos, or the fields of a FEN.
	Parse func(g *game.Game, fields []string) (game.State, error)
	// Move and ParseMove are a legal move's name at s, and back.
	Move      func(s game.State, m game.Move) string
	ParseMove func(s game.State, name string) (game.Move, error)
}

// DialectOf is the dialect for a game, wrappers aside; an error says which games
// have one.
func DialectOf(g *game.Game) (*Dialect, error) {
	switch s := game.Base(g.New()).(type) {
	case *chess.State:
		return &chessDialect, nil
	case *connect4.State:
		if s.Columns() == 7 && s.Rows() == 6 {
			return &connectDialect, nil
		}
	case *tictactoe.State:
		return &tictactoeDialect, nil
	}
	return nil, fmt.Errorf("uci tells positions of chess, of connect4 with 7 columns, 6 rows and no dice, and of tictactoe, not of %s", g.Spec)
}

// Position reads all arguments of UCI's command position: startpos or fen and its
// fields, and after moves the moves.
func (d *Dialect) Position(g *game.Game, args []string) (game.State, error) {
	fields, moves := args, []string(nil)
	for i, word := range args {
		if word == "moves" {
			fields, moves = args[:i], args[i+1:]
			break
		}
	}
	switch {
	case len(fields) == 1 && fields[0] == "startpos":
	case len(fields) > 1 && fields[0] == "fen":
		fields = fields[1:]
	default:
		return nil, fmt.Errorf("position: want startpos or fen and its fields, then moves")
	}
	s, err := d.Parse(g, fields)
	if err != nil {
		return nil, err
	}
	for i, name := range moves {
		m, err := d.ParseMove(s, name)
		if err != nil {
			return nil, fmt.Errorf("move %d, %s: %w", i+1, name, err)
		}
		s.Play(m)
	}
	return s, nil
}

var chessDialect = Dialect{
	Tell: func(s game.State) (string, error) {
		if text := s.String(); text != chess.Start {
			return "fen " + text, nil
		}
		return "startpos", nil
	},
	Parse: func(g *game.Game, fields []string) (game.State, error) {
		if len(fields) > 6 { // moves without the word, as like as not
			return nil, fmt.Errorf("fen: %d fields, want at most 6, then moves", len(fields))
		}
		return g.Parse(strings.Join(fields, " "))
	},
	Move: func(s game.State, m game.Move) string { return s.MoveString(m) },
	ParseMove: func(s game.State, name string) (game.Move, error) {
		// Its own spelling alone: that a book's would be understood is no help here.
		return game.FindMove(s, strings.ToLower(name))
	},
}

var connectDialect = Dialect{
	Variant: "cfour",
	Tell: func(s game.State) (string, error) {
		var out strings.Builder
		out.WriteString("startpos")
		var heights [7]int
		text := s.String()
		if text == "start" {
			return out.String(), nil
		}
		out.WriteString(" moves")
		for _, c := range []byte(text) {
			column := int(c - '1')
			heights[column]++
			fmt.Fprintf(&out, " P@%c%d", 'a'+column, heights[column])
		}
		return out.String(), nil
	},
	Parse: func(g *game.Game, fields []string) (game.State, error) {
		if fields[0] == "startpos" {
			return g.New(), nil
		}
		b, err := readMen(fields, 7, 6)
		if err != nil {
			return nil, err
		}
		return b.drop(g)
	},
	Move: connectMove,
	ParseMove: func(s game.State, name string) (game.Move, error) {
		column, row, ok := readDrop(name)
		if !ok || column >= 7 || row != stack(s, column) {
			return game.NoMove, fmt.Errorf("want one of %s", strings.Join(legalNames(s, connectMove), " "))
		}
		return game.FindMove(s, string('1'+rune(column)))
	},
}

// stack is how many men stand in a column.
func stack(s game.State, column int) (men int) {
	b := connect4.Of(s)
	first, second := b.Stones()
	for own := (first | second) & b.Column(column); own != 0; own &= own - 1 {
		men++
	}
	return men
}

var tictactoeDialect = Dialect{
	Variant: "tictactoe",
	Tell: func(s game.State) (string, error) {
		cells, _, _ := strings.Cut(s.String(), " ")
		var b men
		b.columns, b.rows = 3, 3
		for i, c := range []byte(cells) {
			b.cells[2-i/3][i%3] = byte(strings.IndexByte(".XO", c))
		}
		return "fen " + b.fen(5, 4), nil
	},
	Parse: func(g *game.Game, fields []string) (game.State, error) {
		if fields[0] == "startpos" {
			return g.New(), nil
		}
		b, err := readMen(fields, 3, 3)
		if err != nil {
			return nil, err
		}
		var text strings.Builder
		for row := 2; row >= 0; row-- {
			for column := range 3 {
				text.WriteByte(".XO"[b.cells[row][column]])
			}
		}
		var s game.State
		for _, side := range []string{" " + "XO"[b.second:b.second+1], " -"} { // - where it is over
			if s, err = g.Parse(text.String() + side); err == nil {
				break
			}
		}
		return s, err
	},
	Move: tictactoeMove,
	ParseMove: func(s game.State, name string) (game.Move, error) {
		column, row, ok := readDrop(name)
		if ok && column < 3 && row < 3 {
			if m, err := game.FindMove(s, strconv.Itoa(3*(2-row)+column+1)); err == nil {
				return m, nil
			}
		}
		return game.NoMove, fmt.Errorf("want one of %s", strings.Join(legalNames(s, tictactoeMove), " "))
	},
}

func connectMove(s game.State, m game.Move) string {
	return fmt.Sprintf("P@%c%d", 'a'+rune(m), stack(s, int(m))+1)
}

func tictactoeMove(_ game.State, m game.Move) string {
	return fmt.Sprintf("P@%c%d", 'a'+rune(m%3), 3-m/3)
}

func legalNames(s game.State, name func(game.State, game.Move) string) (names []string) {
	for _, m := range s.Moves(nil) {
		names = append(names, name(s, m))
	}
	return names
}

// readDrop reads P@d1 as a column and a row from 0.
func readDrop(name string) (column, row int, ok bool) {
	if len(name) != 4 || name[0]|0x20 != 'p' || name[1] != '@' {
		return 0, 0, false
	}
	column, row = int(name[2]|0x20)-'a', int(name[3])-'1'
	return column, row, column >= 0 && row >= 0
}
