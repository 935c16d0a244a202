package chess

import (
	"bytes"
	"fmt"
	"strings"

	"plyfit/game"
)

// MoveString implements [game.State]. It uses UCI notation: e2e4, e1g1 for castling, e7e8q for
// promotion.
func (s *State) MoveString(m game.Move) string {
	var buf [5]byte
	return string(appendMove(buf[:0], m))
}

func appendMove(out []byte, m game.Move) []byte {
	out = appendSquare(appendSquare(out, int(m&63)), int(m>>toShift&63))
	if m&promotes != 0 {
		out = append(out, letters[m>>codeShift&7]|0x20)
	}
	return out
}

// mover returns the kind of piece that m moves. For a promotion, this is a pawn.
func mover(m game.Move) Piece {
	if m&promotes != 0 {
		return Pawn
	}
	return Piece(m >> codeShift & 7)
}

// captured returns the kind of piece that m captures, or NoPiece.
func (p *position) captured(m game.Move) Piece {
	if m>>kindShift&3 == enPassant {
		return Pawn
	}
	return p.at(uint(m >> toShift & 63))
}

// SAN formats a legal move in standard algebraic notation: Nf3, exd8=Q+, O-O-O, Rae1#. It plays the
// move and undoes it.
func SAN(s *State, m game.Move) string {
	out := plainSAN(s, m, s.Moves(nil))
	s.Play(m)
	defer s.Undo()
	if p := s.analysed(); p.stage == mated {
		out += "#"
	} else if p.checked(s.side()) {
		out += "+"
	}
	return out
}

// Spell returns the move in SAN, for [game.Spelled].
func (s *State) Spell(m game.Move) string { return SAN(s, m) }

// plainSAN returns the SAN of m without the symbols for check and mate. legal contains all legal
// moves.
func plainSAN(s *State, m game.Move, legal []game.Move) string {
	p := &s.line[s.ply]
	from, to := int(m&63), int(m>>toShift&63)
	if m>>kindShift&3 == castling {
		if to&7 == 6 {
			return "O-O"
		}
		return "O-O-O"
	}
	out := make([]byte, 0, 8)
	kind, takes := mover(m), p.captured(m) != NoPiece
	if kind == Pawn {
		if takes {
			out = append(out, 'a'+byte(from&7))
		}
	} else {
		out = append(out, letters[kind])
		// The file is given if it distinguishes the move from similar moves. Otherwise, the rank is
		// given, or both if the rank is not enough.
		var alike, file, rank bool
		for _, other := range legal {
			if o := int(other & 63); o != from && int(other>>toShift&63) == to && mover(other) == kind {
				alike = true
				file = file || o&7 == from&7
				rank = rank || o>>3 == from>>3
			}
		}
		if alike && (!file || rank) {
			out = append(out, 'a'+byte(from&7))
		}
		if alike && file {
			out = append(out, '1'+byte(from>>3))
		}
	}
	if takes {
		out = append(out, 'x')
	}
	out = appendSquare(out, to)
	if m&promotes != 0 {
		out = append(out, '=', letters[m>>codeShift&7])
	}
	return string(out)
}

// parseMove reads UCI notation. It also reads the common forms of algebraic notation if exactly one
// legal move matches: Nf3, Ng1f3, Ng1-f3, exd6, ed6, e5:d6, exd6e.p., e8=Q, e8Q, e8(Q), e8/q, O-O,
// 0-0 and figurines, each of which may be followed by +, #, !, ? or signs such as ±. If several
// moves match, the error lists them.
func parseMove(s game.State, text string) (game.Move, error) {
	c := Of(s)
	if c == nil {
		panic("chess: ParseMove in a position of another game")
	}
	var buf [5]byte
	for _, m := range c.Moves(nil) {
		if string(appendMove(buf[:0], m)) == text {
			return m, nil
		}
	}
	w, ok := readParts(text)
	m, err := game.OneMove(c, text, func(m game.Move) bool { return ok && w.fits(m, c.line[c.ply].captured(m)) })
	if lower := strings.ToLower(text); err != nil && lower != text && strings.ToUpper(text) == text && (len(text) == 4 || len(text) == 5) && text[1] <= '9' {
		return parseMove(s, lower) // E2E4
	}
	return m, err
}

// sanParts contains the parts of a move in algebraic notation.
type sanParts struct {
	castle    int // target file of the king, 6 or 2; 0 if the move is not castling
	kind      Piece
	from      uint64 // squares from which the piece may come
	to        int
	promotion Piece
	takes     bool
}

func (w *sanParts) fits(m game.Move, taken Piece) bool {
	to := int(m >> toShift & 63)
	switch {
	case w.castle > 0:
		return m>>kindShift&3 == castling && to&7 == w.castle
	case m>>kindShift&3 == castling || mover(m) != w.kind || w.from>>(m&63)&1 == 0 || to != w.to:
		return false
	case w.takes && taken == NoPiece:
		return false
	}
	return (m&promotes != 0) == (w.promotion != NoPiece) && (w.promotion == NoPiece || Piece(m>>codeShift&7) == w.promotion)
}

// plain replaces alternative notations with standard ones.
var plain = strings.NewReplacer("×", "x", ":", "x", "–", "-", "—", "-", "♔", "K", "♕", "Q", "♖", "R", "♗", "B", "♘", "N", "♙", "",
	"♚", "K", "♛", "Q", "♜", "R", "♝", "B", "♞", "N", "♟", "", "(", "", ")", "", "/", "", "=", "")

// readParts splits a move in algebraic notation into its parts, starting at the end.
func readParts(text string) (w sanParts, ok bool) {
	text = plain.Replace(strings.TrimRight(text, "!?+#±∓⩲⩱∞†‡□"))
	text = strings.TrimSuffix(strings.TrimSuffix(text, "e.p."), "ep")
	switch strings.ToUpper(strings.ReplaceAll(text, "-", "")) {
	case "OO", "00":
		return sanParts{castle: 6}, true
	case "OOO", "000":
		return sanParts{castle: 2}, true
	}
	w = sanParts{kind: Pawn, from: ^uint64(0)}
	if text, ok = w.target(text); !ok {
		return w, false
	}
	return w, w.origin(text)
}

// target reads the promotion and the target square from the end of a move. It returns the text that
// precedes them.
func (w *sanParts) target(text string) (before string, ok bool) {
	if n := len(text); n > 2 {
		if k := strings.IndexByte("BRQNbrqn", text[n-1]); k >= 0 {
			w.promotion = [4]Piece{Bishop, Rook, Queen, Knight}[k&3]
			text = text[:n-1]
		}
	}
	n := len(text)
	if n < 2 || text[n-2] < 'a' || text[n-2] > 'h' || text[n-1] < '1' || text[n-1] > '8' {
		return "", false
	}
	w.to = square(text[n-2:])
	return text[:n-2], true
}

// origin reads the text before the target square: the piece, its origin, and whether it captures.
// It returns false if the text contains anything else.
func (w *sanParts) origin(text string) (ok bool) {
	if text != "" {
		if k := strings.IndexByte(letters, text[0]); k > 0 {
			w.kind = Piece(k)
			text = text[1:]
		}
	}
	if n := len(text); n > 0 && (text[n-1] == 'x' || text[n-1] == '-') {
		w.takes = text[n-1] == 'x'
		text = text[:n-1]
	}
	if text != "" && 'a' <= text[0] && text[0] <= 'h' {
		w.from &= fileA << (text[0] - 'a')
		text = text[1:]
	} else if w.kind == Pawn && w.takes {
		return false
	}
	if text != "" && '1' <= text[0] && text[0] <= '8' {
		w.from &= rank1 << (8 * (text[0] - '1'))
		text = text[1:]
	}
	return text == ""
}

// uci is the dialect for UCI, a protocol for chess engines.
var uci = game.Dialect{
	Protocol: "uci",
	Format: func(s game.State) (string, error) {
		if text := s.String(); text != startFEN {
			return "fen " + text, nil
		}
		return "startpos", nil
	},
	Parse: func(g *game.Game, fields []string) (game.State, error) {
		return g.Parse(strings.Join(fields, " "))
	},
	FEN:       func(s game.State) string { return Of(s).FEN() },
	Move:      func(s game.State, m game.Move) string { return s.MoveString(m) },
	ParseMove: parseMove,
}

// pgn is the Portable Game Notation in its export format (S. J. Edwards, "Portable Game Notation
// Specification and Implementation Guide", 1994), with tags, SAN, and lines of at most 80 columns.
// White has seat 0. A game cut off at the ply limit is written as a draw.
var pgn = game.Format{
	Ext: "pgn", Doc: "Portable Game Notation",
	New: game.OneWrite(writePGN),
}

// terminations contains the PGN terms for the ways in which a game ends.
var terminations = map[game.End]string{
	game.Played: "normal", game.Resigned: "normal", game.Adjudicated: "adjudication", game.Truncated: "adjudication",
	game.OutOfTime: "time forfeit", game.Crashed: "abandoned", game.IllegalMove: "rules infraction",
	game.Unfinished: "unterminated",
}

func writePGN(b *bytes.Buffer, g *game.Game, t *game.Transcript) error {
	whole, begin, err := t.Unfold(g)
	if err != nil {
		return err
	}
	first := Of(begin)
	game.WriteRoster(b, t, 0, t.Result())
	if fen := first.FEN(); fen != startFEN {
		game.WriteTag(b, "SetUp", "1")
		game.WriteTag(b, "FEN", fen)
	}
	game.WriteTag(b, "PlyCount", fmt.Sprint(len(whole.Moves)))
	game.WriteTag(b, "Termination", terminations[t.End])
	san := func(s game.State, m game.Move) string { return SAN(Of(s), m) }
	return whole.WriteMoves(b, g, san, first.number(0), first.side() == 1, t.Result())
}
