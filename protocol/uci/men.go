package uci

import (
	"fmt"
	"strconv"
	"strings"

	"plyfit/game"
)

// men is a board of dropped men: 0 none, 1 the first player's, 2 the second's.
type men struct {
	columns, rows int
	cells         [6][7]byte // by row from the bottom, and column
	second        int        // 1 where the second player is to move
}

// readMen reads a FEN's placement and side; what follows them is not looked at.
func readMen(fields []string, columns, rows int) (b men, err error) {
	b.columns, b.rows = columns, rows
	placement, _, _ := strings.Cut(fields[0], "[")
	ranks := strings.Split(placement, "/")
	if len(ranks) != rows {
		return b, fmt.Errorf("fen: %d ranks, want %d", len(ranks), rows)
	}
	counts := [3]int{}
	for i, rank := range ranks {
		row, column := rows-1-i, 0
		for _, c := range rank {
			switch {
			case c >= '1' && c <= '9':
				column += int(c - '0')
			case (c == 'P' || c == 'p') && column < columns:
				who := byte(1)
				if c == 'p' {
					who = 2
				}
				b.cells[row][column] = who
				counts[who]++
				column++
			default:
				return b, fmt.Errorf("fen: %q in rank %d, want P, p or a number of empty squares, %d in all", c, row+1, columns)
			}
		}
		if column != columns {
			return b, fmt.Errorf("fen: %d squares in rank %d, want %d", column, row+1, columns)
		}
	}
	switch d := counts[1] - counts[2]; {
	case d != 0 && d != 1:
		return b, fmt.Errorf("fen: %d men of the first player's and %d of the second's, want as many or one more", counts[1], counts[2])
	case len(fields) < 2 || fields[1] != "wb"[d:d+1]:
		return b, fmt.Errorf("fen: want %c to move", "wb"[d])
	default:
		b.second = d
	}
	return b, nil
}

// fen is the whole FEN, first and second being how many men there are of either.
func (b *men) fen(first, second int) string {
	var out strings.Builder
	counts := [3]int{}
	for row := b.rows - 1; row >= 0; row-- {
		empty := 0
		for _, who := range b.cells[row][:b.columns] {
			counts[who]++
			if who == 0 {
				empty++
				continue
			}
			if empty > 0 {
				out.WriteString(strconv.Itoa(empty))
				empty = 0
			}
			out.WriteByte(".Pp"[who])
		}
		if empty > 0 {
			out.WriteString(strconv.Itoa(empty))
		}
		if row > 0 {
			out.WriteByte('/')
		}
	}
	played := counts[1] + counts[2]
	fmt.Fprintf(&out, "[%s%s] %c - - 0 %d", strings.Repeat("P", first-counts[1]), strings.Repeat("p", second-counts[2]),
		"wb"[played&1], 1+played/2)
	return out.String()
}

// drop is the position of connect four with these men. How they came there is not
// told: any order will do in which both take turns and nobody wins before the end.
func (b *men) drop(g *game.Game) (game.State, error) {
	total := 0
	var height [7]int
	for column := range b.columns {
		for row := range b.rows {
			if b.cells[row][column] == 0 {
				continue
			}
			if row != height[column] {
				return nil, fmt.Errorf("fen: a man hangs in the air at %c%d", 'a'+column, row+1)
			}
			height[column]++
			total++
		}
	}
	s := g.New()
	tried := map[[7]int]bool{}
	var at [7]int
	var place func(n int) bool
	place = func(n int) bool {
		if n == total {
			return true
		}
		if s.Turn() == game.Nobody || tried[at] {
			return false
		}
		tried[at] = true
		for column := range b.columns {
			if at[column] == height[column] || int(b.cells[at[column]][column]) != 1+n&1 {
				continue
			}
			s.Play(game.Move(column))
			at[column]++
			if place(n + 1) {
				return true
			}
			at[column]--
			s.Undo()
		}
		return false
	}
	if !place(0) {
		return nil, fmt.Errorf("fen: no game leads to these men")
	}
	return s.Clone(), nil
}
