package othello

import (
	"fmt"
	"strings"

	"plyfit/game"
)

// parseGGF reads a game in the Generic Game Format of the internet servers,
// `(;GM[Othello]PB[...]BO[8 -- ... *]B[F5//0.01]W[D6]...;)`: the position that it
// begins on, BO, or the usual one; and its moves, B and W, whose evaluations and
// times are left alone. The moves are legal one after the other from first,
// passes included. Other properties are skipped.
func parseGGF(text string) (first *State, moves []game.Move, err error) {
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
