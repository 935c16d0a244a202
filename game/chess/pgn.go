package chess

import (
	"bytes"
	"fmt"

	"plyfit/game"
)

// pgn is the Portable Game Notation in its export format (S. J. Edwards, "Portable Game Notation
// Specification and Implementation Guide", 1994): tags, SAN, lines of at most 80 columns. White is
// seat 0. A game cut off at its limit of plies is written as a draw.
var pgn = game.Format{
	Ext: "pgn", Doc: "Portable Game Notation",
	New: game.OneWrite(writePGN),
}

// terminations are what PGN calls the ways in which a game ends.
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
