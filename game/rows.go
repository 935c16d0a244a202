package game

import (
	"fmt"
	"strconv"
)

// ReadRows reads a board as a FEN has it: rows of cells with / between them, from above. put takes
// each cell's sign, and returns what it wants in its place, "" if the sign is right. With runs,
// numbers stand for empty cells, which put does not get. want is "" if there is no fault, at else
// its byte in text.
func ReadRows(text string, rows, columns int, runs bool, put func(row, column int, sign byte) (want string)) (at int, want string) {
	row, column := 0, 0
	for ; at < len(text); at++ {
		switch sign := text[at]; {
		case sign == '/' && column == columns && row < rows-1:
			row, column = row+1, 0
			continue
		case sign == '/':
			return at, wantRows(rows, columns, row+1, column)
		case runs && '1' <= sign && sign <= '9':
			end := at + 1
			for end < len(text) && '0' <= text[end] && text[end] <= '9' {
				end++
			}
			n, err := strconv.Atoi(text[at:end])
			if err != nil || n > columns-column {
				return at, wantRows(rows, columns, row+1, columns+1)
			}
			column, at = column+n, end-1
			continue
		case column == columns:
			return at, wantRows(rows, columns, row+1, columns+1)
		}
		if want = put(row, column, text[at]); want != "" {
			return at, want
		}
		column++
	}
	if row < rows-1 || column < columns {
		want = wantRows(rows, columns, row+1, column)
	}
	return at, want
}

// wantRows describes the board that is wanted, and the row that is wrong, the row-th from above.
func wantRows(rows, columns, row, has int) string {
	want := fmt.Sprintf("%d rows of %d cells, / between them", rows, columns)
	switch {
	case has > columns:
		return fmt.Sprintf("%s; row %d from above has more", want, row)
	case has < columns:
		return fmt.Sprintf("%s; row %d from above has %d so far", want, row, has)
	}
	return fmt.Sprintf("%s; there are %d so far", want, row)
}

// AppendRows appends a board as [ReadRows] reads it. With runs, it appends the number of the cells
// in each run of those whose sign is a dot.
func AppendRows(out []byte, rows, columns int, runs bool, sign func(row, column int) byte) []byte {
	for row := range rows {
		if row > 0 {
			out = append(out, '/')
		}
		empty := 0
		for column := range columns {
			c := sign(row, column)
			if runs && c == '.' {
				empty++
				continue
			}
			if empty > 0 {
				out = strconv.AppendInt(out, int64(empty), 10)
				empty = 0
			}
			out = append(out, c)
		}
		if empty > 0 {
			out = strconv.AppendInt(out, int64(empty), 10)
		}
	}
	return out
}
