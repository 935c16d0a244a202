package othello

import (
	"fmt"
	"io"
	"strings"

	"plyfit/game"
)

// ParseGGF reads a game in the Generic Game Format of the internet servers,
// `(;GM[Othello]PB[...]BO[8 -- ... *]B[F5//0.01]W[D6]...;)`: the position that it
// begins on, BO, or the usual one; and its moves, B and W, whose evaluations and
// times are left alone. The moves are legal one after the other from first,
// passes included. Other properties are skipped.
func ParseGGF(text string) (first *State, moves []game.Move, err error) {
	g := &ggfReader{text: text, first: start()}
	g.now = g.first.Clone().(*State)
	begin := strings.Index(text, "(;")
	if begin < 0 {
		return nil, nil, g.fail(0, "a game in GGF, beginning with (;")
	}
	for i := begin + 2; ; {
		for i < len(text) && strings.IndexByte(" \t\r\n", text[i]) >= 0 {
			i++
		}
		if strings.HasPrefix(text[i:], ";)") {
			return g.first, g.moves, nil
		}
		open := strings.IndexByte(text[i:], '[')
		if open < 1 || open > 3 {
			return nil, nil, g.fail(i, "a property such as B[F5], or ;) at the end")
		}
		name, at := text[i:i+open], i+open+1
		length := strings.IndexByte(text[at:], ']')
		if length < 0 {
			return nil, nil, g.fail(at, "a ] after the value of "+name)
		}
		if err := g.property(i, at, name, text[at:at+length]); err != nil {
			return nil, nil, err
		}
		i = at + length + 1
	}
}

type ggfReader struct {
	text  string
	first *State // the position that it begins on
	now   *State
	moves []game.Move
}

func (g *ggfReader) fail(at int, want string) error {
	return &game.PositionError{Game: "othello", Text: g.text, At: at, Want: want}
}

// property reads NAME[VALUE]; start is where the name stands in the text, and at the
// value.
func (g *ggfReader) property(start, at int, name, value string) (err error) {
	switch name {
	case "GM":
		if value != "Othello" {
			return g.fail(at, "a game of Othello")
		}
	case "BO":
		if len(g.moves) > 0 {
			return g.fail(at, "the board before the moves")
		}
		if g.first, err = ggfBoard(value); err != nil {
			return g.fail(at, err.Error())
		}
		g.now = g.first.Clone().(*State)
	case "B", "W":
		if g.now.analysed().stage != over && (name == "W") != (g.now.mover() == 1) {
			return g.fail(start, "a move of the other colour, or its pass")
		}
		return g.move(at, value)
	}
	return nil
}

// move reads and makes a move of the side whose turn it is.
func (g *ggfReader) move(at int, value string) error {
	p := g.now.analysed()
	played, _, _ := strings.Cut(value, "/")
	m := Pass
	switch pass := strings.EqualFold(played, "pass") || strings.EqualFold(played, "pa"); {
	case p.stage == over:
		return g.fail(at, "nothing more: the game is over")
	case pass && p.stage != passing:
		return g.fail(at, "a move: the side to move cannot pass")
	case pass:
	case len(played) != 2 || !isSquare(played[0], played[1]):
		return g.fail(at, "a square such as F5, or PASS")
	default:
		m = game.Move(square(played[0], played[1]))
		if p.moves>>m&1 == 0 {
			return g.fail(at, "one of "+strings.Join(names(p.moves), " "))
		}
	}
	g.now.Play(m)
	g.moves = append(g.moves, m)
	return nil
}

// ggfBoard reads a BO: the size 8, 64 squares (* black, O white, - empty), the
// side to move; white space anywhere.
func ggfBoard(value string) (*State, error) {
	text := strings.Join(strings.Fields(value), "")
	if len(text) != 66 || text[0] != '8' {
		return nil, fmt.Errorf("8, 64 squares (*, O or -) and the side to move (* or O); there are %d signs", len(text))
	}
	var discs [2]uint64
	for sq := range 64 {
		switch c := text[1+sq]; c {
		case '*':
			discs[0] |= 1 << sq
		case 'O':
			discs[1] |= 1 << sq
		case '-':
		default:
			return nil, fmt.Errorf("*, O or - on %s; there is %q", SquareName(sq), c)
		}
	}
	side := strings.IndexByte("*O", text[65])
	if side < 0 {
		return nil, fmt.Errorf("* or O for the side to move; there is %q", text[65])
	}
	return newState(discs[side], discs[1-side], side), nil
}

// ggfFormat is the Generic Game Format of the internet servers, a game a line, as ParseGGF reads
// it. Black, * there, is seat 0; the result is black's discs minus white's, with :t after a loss on
// time and :r after another fault.
var ggfFormat = game.Format{
	Ext: "ggf", Doc: "Generic Game Format",
	New: func(w io.Writer, g *game.Game) func(*game.Transcript) error {
		return func(t *game.Transcript) error {
			text, err := ggfOf(g, t)
			if err != nil {
				return err
			}
			_, err = io.WriteString(w, text+"\n")
			return err
		}
	},
}

func ggfOf(g *game.Game, t *game.Transcript) (string, error) {
	first := start()
	if t.Start != "" {
		s, err := g.Parse(t.Start)
		if err != nil {
			return "", err
		}
		first = Of(s)
	}
	var b strings.Builder
	property := func(name, value string) {
		fmt.Fprintf(&b, "%s[%s]", name, strings.Map(func(r rune) rune {
			if r == '[' || r == ']' || r < ' ' {
				return ' '
			}
			return r
		}, value))
	}
	b.WriteString("(;")
	property("GM", "Othello")
	property("PC", "plyfit")
	property("EV", strings.TrimSpace(t.Event+" "+t.Round))
	property("PB", t.Names[0])
	property("PW", t.Names[1])
	if t.End == game.Unfinished {
		property("RE", "?")
	} else {
		why := map[game.End]string{game.OutOfTime: ":t", game.Crashed: ":r", game.IllegalMove: ":r"}[t.End]
		property("RE", fmt.Sprintf("%+.0f%s", t.Utility[0], why))
	}
	property("TY", "8")
	b.WriteString(ggfStart(first))
	_, err := t.Replay(g, func(s game.State, m game.Move) error {
		b.WriteString(ggfMove(s, m))
		return nil
	})
	b.WriteString(";)")
	return b.String(), err
}

// ggfStart is the board that a game begins on, as a property.
func ggfStart(first *State) string {
	return "BO[8 " + strings.ReplaceAll(first.String(), "X", "*") + "]"
}

// ggfMove is a move made at s, as a property.
func ggfMove(s game.State, m game.Move) string {
	square := strings.ToUpper(s.MoveString(m))
	if m == Pass {
		square = "PA"
	}
	return [2]string{"B", "W"}[s.Turn()] + "[" + square + "]"
}
