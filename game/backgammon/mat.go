package backgammon

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"plyfit/game"
)

// mat is the match format of Jellyfish, which GNU Backgammon and other programs import. A file is a
// session without a cube. All games are between the same two players, and the first player is
// always in the left column. The format contains no positions, so all games begin with the initial
// position.
var mat = game.Format{
	Ext: "mat", Doc: "Jellyfish match format, which GNU Backgammon can import",
	New: func(w io.Writer, _ *game.Game) func(*game.Transcript) error {
		f := &matFile{w: w}
		return f.write
	},
}

// matColumn is the position of the right column.
const matColumn = 40

type matFile struct {
	w      io.Writer
	names  [2]string // left and right
	sides  [2]int
	games  int
	points [2]int // points won so far
}

// matName returns a name without the characters that have a special meaning in the format.
func matName(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == ':' || r <= ' ' }), "_")
}

func (f *matFile) write(t *game.Transcript) error {
	if t.Start != "" && t.Start != newState(start).String() {
		return errors.New("mat: the game does not begin with the initial position; use .jsonl or .txt")
	}
	var b bytes.Buffer
	if f.games == 0 {
		f.names, f.sides = [2]string{matName(t.Names[0]), matName(t.Names[1])}, [2]int{t.Sides[0], t.Sides[1]}
		if f.names[0] == f.names[1] {
			f.names[0] += "_1"
			f.names[1] += "_2"
		}
		b.WriteString(" 0 point match\n")
	}
	left := 0 // seat of the player in the left column
	switch {
	case t.Sides[0] == f.sides[0] && t.Sides[1] == f.sides[1]:
	case t.Sides[0] == f.sides[1] && t.Sides[1] == f.sides[0]:
		left = 1
	default:
		return errors.New("mat: the format supports only two players; use .jsonl or .txt")
	}
	f.games++
	fmt.Fprintf(&b, "\n Game %d\n", f.games)
	f.line(&b, fmt.Sprintf(" %s : %d", f.names[0], f.points[0]), fmt.Sprintf("%s : %d", f.names[1], f.points[1]))

	s := newState(start)
	dice, row, number := "", "", 0
	for _, m := range t.Moves {
		if s.Turn() == game.Chance {
			dice = s.MoveString(m)
			s.Play(m)
			continue
		}
		column := int(s.Turn()) ^ left
		text := dice + ": " + matTurn(s, m)
		if column == 0 || row == "" {
			number++
			row = fmt.Sprintf("%3d) ", number)
		}
		if column == 0 {
			row += text
		} else {
			f.line(&b, row, text)
			row = ""
		}
		s.Play(m)
	}
	if row != "" {
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	if len(t.Utility) == 2 && t.Utility[0] != t.Utility[1] {
		winner := 0
		if t.Utility[1] > t.Utility[0] {
			winner = 1
		}
		won := int(t.Utility[winner])
		column := winner ^ left
		f.points[column] += won
		text := fmt.Sprintf("Wins %d points", won)
		if won == 1 {
			text = "Wins 1 point"
		}
		if column == 0 {
			b.WriteString("      " + text + "\n")
		} else {
			f.line(&b, "", text)
		}
	}
	_, err := f.w.Write(b.Bytes())
	return err
}

func (f *matFile) line(b *bytes.Buffer, left, right string) {
	gap := max(2, matColumn-len(left))
	b.WriteString(left + strings.Repeat(" ", gap) + right + "\n")
}

// matTurn formats a turn and writes each checker separately. 25 is the bar and 0 is off.
func matTurn(s *State, m game.Move) string {
	if m == pass {
		return ""
	}
	var ways []string
	for _, h := range s.hops(m) {
		for i := 1; i < len(h.places); i++ {
			way := fmt.Sprintf("%d/%d", h.places[i-1], h.places[i])
			if h.hits[i-1] {
				way += "*"
			}
			ways = append(ways, way)
		}
	}
	return strings.Join(ways, " ")
}
