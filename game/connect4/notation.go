package connect4

import (
	"fmt"
	"math/bits"
	"strings"

	"plyfit/game"
	"plyfit/game/grid"
)

// String implements [game.State]: the columns played so far, counted from 1, or `start` if there
// are none. Columns 10 to 12 are written a, b and c.
func (s *State) String() string {
	if s.ply == 0 {
		return "start"
	}
	out := make([]byte, s.ply)
	for i := range out {
		cell := s.line[i].all ^ s.line[i+1].all
		out[i] = columnNames[uint(bits.TrailingZeros64(cell))/s.height]
	}
	return string(out)
}

func (r *rules) parse(text string) (game.State, error) {
	w := &game.Words{Game: "connect4", Text: text}
	played, die, hasDie := strings.Cut(text, " ")
	s := r.start()
	b := Of(s)
	if played != "start" {
		if played == "" {
			return nil, w.Fail(0, "the columns played so far, or the word start")
		}
		for i := 0; i < len(played); i++ {
			c := strings.IndexByte(columnNames[:r.columns], played[i])
			switch {
			case c < 0:
				return nil, w.Fail(i, fmt.Sprintf("a column from 1 to %c", columnNames[r.columns-1]))
			case b.at().end != open:
				return nil, w.Fail(i, "nothing more, because the game is over")
			case b.at().all&r.top[c] != 0:
				return nil, w.Fail(i, "a column that is not full")
			}
			b.Play(game.Move(c))
		}
	}
	b.root = b.ply
	d, dice := s.(*Dice)
	switch {
	case !dice && hasDie:
		return nil, w.Fail(len(played), "nothing more, because this game has no dice")
	case !dice:
		return s, nil
	case b.at().end != open:
		if hasDie {
			return nil, w.Fail(len(played), "nothing more, because the game is over")
		}
		d.plays = 0
		return s, nil
	}
	face := 0
	if die != "roll" {
		f, ok := strings.CutPrefix(die, "die ")
		if face = strings.Index(columnNames, f) + 1; !ok || len(f) != 1 || face == 0 {
			return nil, w.Fail(len(played), `" roll" or " die " and the face`)
		}
	}
	if err := d.set(face); err != nil {
		return nil, w.Fail(len(played)+5, err.Error())
	}
	return s, nil
}

// uci is the notation for the standard board used by the match runner cutechess, which treats the
// game as a chess variant in which pieces are dropped.
var uci = game.Dialect{
	Protocol: "uci", Name: "cfour",
	Format: func(s game.State) (string, error) {
		out, text := "startpos", s.String()
		if text == "start" {
			return out, nil
		}
		out += " moves"
		var heights [7]int
		for _, c := range []byte(text) {
			column := int(c - '1')
			heights[column]++
			out += fmt.Sprintf(" P@%c%d", 'a'+column, heights[column])
		}
		return out, nil
	},
	Parse: func(g *game.Game, fields []string) (game.State, error) {
		if fields[0] == "startpos" {
			return g.New(), nil
		}
		b, err := grid.ReadDropped(fields, 7, 6)
		if err != nil {
			return nil, err
		}
		return drop(&b, g)
	},
	Move: dropName,
	ParseMove: func(s game.State, name string) (game.Move, error) {
		column, row, ok := grid.Drop(name)
		if !ok || column >= 7 || row != stack(s, column) {
			return game.NoMove, grid.NoDrop(s, dropName)
		}
		return game.FindMove(s, string('1'+rune(column)))
	},
}

// stack returns the number of stones in a column.
func stack(s game.State, column int) int {
	b := Of(s)
	first, second := b.Stones()
	return bits.OnesCount64((first | second) & b.Column(column))
}

func dropName(s game.State, m game.Move) string {
	return fmt.Sprintf("P@%c%d", 'a'+rune(m), stack(s, int(m))+1)
}

// drop returns a position with the given stones. The FEN does not contain the order of the stones,
// so drop searches for any order in which the players alternate and no one wins before the last
// move.
func drop(b *grid.Dropped, g *game.Game) (game.State, error) {
	total := 0
	var height [7]int
	for column := range b.Columns {
		for row := range b.Rows {
			if b.Cells[row][column] == 0 {
				continue
			}
			if row != height[column] {
				return nil, fmt.Errorf("fen: no piece below %c%d", 'a'+column, row+1)
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
		for column := range b.Columns {
			if at[column] == height[column] || int(b.Cells[at[column]][column]) != 1+n&1 {
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
		return nil, fmt.Errorf("fen: no game leads to this position")
	}
	return s.Clone(), nil
}
