// Package uci implements both sides of the Universal Chess Interface.
//
//   - To play with an external engine, call [New] with a game and a program.Launcher that
//     starts the engine. The result plays like any other agent. Close it with search.Close.
//   - To act as an engine, give a [Server] a function that makes an agent with the [Settings]
//     that an interface may change, and call Serve with standard input and output.
//
// UCI was designed for chess. The [game.Dialect] of a game defines how UCI represents its positions
// and moves.
package uci

import (
	"fmt"

	"plyfit/game"
)

// Protocol is the name of UCI in a [game.Dialect].
const Protocol = "uci"

// dialectOf returns the UCI dialect of a game, ignoring its wrappers.
func dialectOf(g *game.Game) (*game.Dialect, error) {
	d := g.Dialect(Protocol)
	if d == nil {
		return nil, fmt.Errorf("uci: no dialect for %s", g.Base().Spec)
	}
	return d, nil
}

// position parses the arguments of the position command: startpos, or fen with its fields, and then
// the moves. Draws by repetition, by the move counter or by insufficient material do not end the
// game here, because play continues until one of the players, program or person, claims the draw.
func position(d *game.Dialect, g *game.Game, args []string) (game.State, error) {
	fields, moves := args, []string(nil)
	for i, word := range args {
		if word == "moves" {
			fields, moves = args[:i], args[i+1:]
			break
		}
	}
	switch {
	case len(fields) == 1 && fields[0] == "startpos":
	case len(fields) > 1 && fields[0] == "fen":
		fields = fields[1:]
	default:
		return nil, fmt.Errorf("position: want startpos or fen and its fields, then moves")
	}
	s, err := d.Parse(g, fields)
	if err != nil {
		return nil, err
	}
	if free, ok := game.As[game.Drawless](s); ok {
		s = free.WithoutDraws()
	}
	for i, name := range moves {
		m, err := d.ParseMove(s, name)
		if err != nil {
			return nil, fmt.Errorf("move %d, %s: %w", i+1, name, err)
		}
		s.Play(m)
	}
	return s, nil
}
