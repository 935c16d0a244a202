package othello

import (
	"bytes"
	"fmt"
	"strings"

	"plyfit/game"
	"plyfit/internal/list"
)

const squareNames = "a1b1c1d1e1f1g1h1a2b2c2d2e2f2g2h2a3b3c3d3e3f3g3h3a4b4c4d4e4f4g4h4" +
	"a5b5c5d5e5f5g5h5a6b6c6d6e6f6g6h6a7b7c7d7e7f7g7h7a8b8c8d8e8f8g8h8"

// SquareName returns the name of square sq: a1 for 0, h1 for 7, and h8 for 63.
func SquareName(sq int) string { return squareNames[2*sq : 2*sq+2] }

// MoveString implements [game.State]: a square such as f5, or pass.
func (s *State) MoveString(m game.Move) string {
	if m == Pass {
		return "pass"
	}
	return SquareName(int(m))
}

// String implements [game.State]. It returns the 64 squares as X, O or -, row by row from a1 to h8,
// and the side to move, or - if the game is over.
func (s *State) String() string {
	var out [66]byte
	x, o := s.Discs()
	for sq := range 64 {
		switch {
		case x>>sq&1 != 0:
			out[sq] = 'X'
		case o>>sq&1 != 0:
			out[sq] = 'O'
		default:
			out[sq] = '-'
		}
	}
	out[64] = ' '
	switch s.Turn() {
	case 0:
		out[65] = 'X'
	case 1:
		out[65] = 'O'
	default:
		out[65] = '-'
	}
	return string(out[:])
}

// parsePosition reads the output of String, or a list of the moves from the start (see
// [parseTranscript]). If the game is over, the side to move may be given as X, O or -.
func parsePosition(text string) (*State, error) {
	if len(text) >= 2 && (isSquare(text[0], text[1])) {
		return parseTranscript(text)
	}
	w := &game.Words{Game: "othello", Text: text}
	squares, side, two := strings.Cut(text, " ")
	var discs [2]uint64
	for i := 0; i < len(squares); i++ {
		switch c := squares[i]; {
		case i == 64:
			return nil, w.Fail(i, "64 squares followed by a space and the side to move")
		case c == 'X':
			discs[0] |= 1 << i
		case c == 'O':
			discs[1] |= 1 << i
		case c != '-':
			return nil, w.Fail(i, "X, O or - for a square, or a transcript such as f5d6")
		}
	}
	if len(squares) < 64 {
		return nil, w.Fail(len(squares), fmt.Sprintf("64 squares (X, O or -) and the side to move; found %d squares", len(squares)))
	}
	first := strings.Index("XO-", side)
	if !two || len(side) != 1 || first < 0 {
		return nil, w.Fail(min(65, len(text)), "the side to move, X or O (- when the game is over)")
	}
	s := newState(discs[first&1], discs[1-first&1], first&1)
	if first == 2 && s.Turn() != game.Nobody {
		return nil, w.Fail(65, "X or O for the side to move, because the game is not over")
	}
	return s, nil
}

func isSquare(file, row byte) bool {
	file |= 'a' - 'A'
	return 'a' <= file && file <= 'h' && '1' <= row && row <= '8'
}

func square(file, row byte) int { return int(row-'1')*8 + int(file|('a'-'A')-'a') }

// parseTranscript reads the moves of a game from the start in the usual notation, which is also
// used in GGF: f5d6c3..., in upper or lower case, with or without spaces. Passes are omitted, or
// written as pa, ps or --. The returned position has nothing to undo.
func parseTranscript(text string) (*State, error) {
	w := &game.Words{Game: "othello", Text: text}
	s := start()
	plies := 0
	for i := 0; i < len(text); {
		if text[i] == ' ' {
			i++
			continue
		}
		p := s.analysed()
		pair := strings.ToLower(text[i:min(i+2, len(text))])
		switch {
		case p.stage == over:
			return nil, w.Fail(i, "nothing more, because the game is over")
		case pair == "pa" || pair == "ps" || pair == "--":
			if p.stage != passing {
				return nil, w.Fail(i, "a move, because the side to move cannot pass")
			}
			s.Play(Pass)
			plies++
			i += 2
			continue
		case len(pair) < 2 || !isSquare(pair[0], pair[1]):
			return nil, w.Fail(i, "a square such as f5")
		}
		if p.stage == passing {
			s.Play(Pass)
			p = s.analysed()
		}
		sq := square(pair[0], pair[1])
		if p.moves>>sq&1 == 0 {
			return nil, w.Fail(i, "one of "+strings.Join(list.Map(s.Moves(nil), s.MoveString), " "))
		}
		s.Play(game.Move(sq))
		plies++
		i += 2
	}
	if plies == 0 {
		return nil, w.Fail(0, "moves such as f5d6c3")
	}
	return s.Clone().(*State), nil
}

// parseMove reads a move in upper or lower case, such as f5, F5, pass or pa.
func parseMove(s game.State, text string) (game.Move, error) {
	lower := strings.ToLower(text)
	if lower == "pa" || lower == "ps" || lower == "--" {
		lower = "pass"
	}
	m, err := game.FindMove(s, lower)
	if wrong, ok := err.(*game.MoveError); ok {
		wrong.Text = text
	}
	return m, err
}

// gtp is the dialect of the Go Text Protocol for othello programs. Black is player 0. Squares have
// the same names as in this package, with a1 at the top left, and no letter is skipped.
var gtp = game.Dialect{
	Protocol: "gtp", Name: "Othello", Size: 8,
	Move: func(s game.State, m game.Move) string {
		if m == Pass {
			return "pass"
		}
		return strings.ToUpper(s.MoveString(m))
	},
	ParseMove: func(s game.State, name string) (game.Move, error) {
		return game.FindMove(s, strings.ToLower(strings.TrimSpace(name)))
	},
	Past: func(s game.State) (game.State, []game.Move) { return Of(s).Past() },
	Left: func(s game.State) int { return Of(s).Empties() },
}

// ggfFormat is the Generic Game Format used by internet servers, with one game per line:
// `(;GM[Othello]PB[...]BO[8 -- ... *]B[F5]W[D6]...;)`. BO is the first position, in which * stands
// for Black, who has seat 0. The result is the number of black discs minus the number of white
// discs. It ends with :t after a loss on time, and with :r after another fault.
var ggfFormat = game.Format{
	Ext: "ggf", Doc: "Generic Game Format",
	New: game.OneWrite(writeGGF),
}

func writeGGF(b *bytes.Buffer, g *game.Game, t *game.Transcript) error {
	first, err := t.First(g)
	if err != nil {
		return err
	}
	property := func(name, value string) {
		fmt.Fprintf(b, "%s[%s]", name, strings.Map(func(r rune) rune {
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
	b.WriteString("BO[8 " + strings.ReplaceAll(Of(first).String(), "X", "*") + "]")
	_, err = t.Replay(g, func(s game.State, m game.Move) error {
		square := strings.ToUpper(s.MoveString(m))
		if m == Pass {
			square = "PA"
		}
		property([2]string{"B", "W"}[s.Turn()], square)
		return nil
	})
	b.WriteString(";)\n")
	return err
}
