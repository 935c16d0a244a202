package grid

import (
	"fmt"
	"strings"

	"plyfit/game"
	"plyfit/internal/list"
)

// Number of columns and rows of the largest board.
const (
	mostColumns = 7
	mostRows    = 6
)

// Dropped is a board onto which pieces are dropped, in the UCI notation of the match runner
// cutechess, which treats such a game as a chess variant with moves such as P@d1. The FEN lists the
// ranks from the top, with P for the first player's pieces and p for the second player's. It is
// followed by the pieces not yet dropped, in brackets. In Cells, 0 is an empty cell, 1 is the first
// player and 2 is the second player.
type Dropped struct {
	Columns, Rows int
	Cells         [mostRows][mostColumns]byte // indexed by row from the bottom, then by column
	Second        int                         // 1 if the second player is to move, and otherwise 0
}

// ReadDropped reads the piece placement and the side to move from a FEN. It ignores the other
// fields.
func ReadDropped(fields []string, columns, rows int) (b Dropped, err error) {
	b.Columns, b.Rows = columns, rows
	placement, _, _ := strings.Cut(fields[0], "[")
	counts := [3]int{}
	at, want := game.ReadRows(placement, rows, columns, true, func(row, column int, sign byte) string {
		who := 1 + strings.IndexByte("Pp", sign)
		if who == 0 {
			return "P, p, a number of empty squares, or /"
		}
		b.Cells[rows-1-row][column] = byte(who)
		counts[who]++
		return ""
	})
	if want != "" {
		return b, fmt.Errorf("fen: column %d: want %s", at+1, want)
	}
	switch d := counts[1] - counts[2]; {
	case d != 0 && d != 1:
		return b, fmt.Errorf("fen: the first player has %d pieces and the second player has %d; want equal numbers, or one more for the first player", counts[1], counts[2])
	case len(fields) < 2 || fields[1] != "wb"[d:d+1]:
		return b, fmt.Errorf("fen: want %c to move", "wb"[d])
	default:
		b.Second = d
	}
	return b, nil
}

// FEN returns the FEN of the board. first and second are the two players' total numbers of pieces.
func (b *Dropped) FEN(first, second int) string {
	counts := [3]int{}
	board := game.AppendRows(nil, b.Rows, b.Columns, true, func(row, column int) byte {
		who := b.Cells[b.Rows-1-row][column]
		counts[who]++
		return ".Pp"[who]
	})
	played := counts[1] + counts[2]
	return fmt.Sprintf("%s[%s%s] %c - - 0 %d", board, strings.Repeat("P", first-counts[1]), strings.Repeat("p", second-counts[2]),
		"wb"[played&1], 1+played/2)
}

// Drop reads a move such as P@d1 and returns its column and row, counted from 0.
func Drop(name string) (column, row int, ok bool) {
	if len(name) != 4 || name[0]|0x20 != 'p' || name[1] != '@' {
		return 0, 0, false
	}
	column, row = int(name[2]|0x20)-'a', int(name[3])-'1'
	return column, row, column >= 0 && row >= 0
}

// NoDrop returns the error for an illegal move, which lists the names of the legal moves at s.
func NoDrop(s game.State, name func(game.State, game.Move) string) error {
	names := list.Map(s.Moves(nil), func(m game.Move) string { return name(s, m) })
	return fmt.Errorf("want one of %s", strings.Join(names, " "))
}
