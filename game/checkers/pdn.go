package checkers

import (
	"bytes"

	"plyfit/game"
)

// pdn is the Portable Draughts Notation (version 3.0, Wesselink): squares 1 to 32, black moves
// first. Black is seat 0. By its definition 1-0 is a win of White's, in English draughts the second
// player; some older collections mean the first.
var pdn = game.Format{
	Ext: "pdn", Doc: "Portable Draughts Notation, 1-0 where White won",
	New: game.OneWrite(writePDN),
}

// englishDraughts is the type of the game: number 21, black begins, 8 by 8
// squares with numbers, the first of them at black's left.
const englishDraughts = "21,B,8,8,N1,0"

func writePDN(b *bytes.Buffer, g *game.Game, t *game.Transcript) error {
	whole, begin, err := t.Unfold(g)
	if err != nil {
		return err
	}
	first := Of(begin)
	result := t.Result() // for seat 0, which is black
	switch result {
	case "1-0":
		result = "0-1"
	case "0-1":
		result = "1-0"
	}
	game.WriteRoster(b, t, 1, result)
	game.WriteTag(b, "GameType", englishDraughts)
	if fen := first.String(); fen != start().String() {
		game.WriteTag(b, "SetUp", "1")
		game.WriteTag(b, "FEN", fen)
	}
	if t.End != game.Played {
		game.WriteTag(b, "Termination", string(t.End))
	}
	return whole.WriteMoves(b, g, game.State.MoveString, first.number(0), first.side() == 1, result)
}
