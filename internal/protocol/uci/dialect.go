// Package uci speaks the Universal Chess Interface, from both sides.
//
//   - To play an engine of others, give [New] a game and a protocol.Launcher that
//     starts the engine: what it makes plays like any other agent. Close it with
//     search.Close.
//   - To be an engine, tell a [Server] how an agent is made of the [Settings] that
//     an interface may change, and Serve standard input and output.
//
// A game brings its own [game.Dialect]: how UCI, which was made for chess, tells its
// positions and moves.
package uci

import (
	"fmt"

	"plyfit/game"
)

// Protocol is what a [game.Dialect] calls UCI.
const Protocol = "uci"

// dialectOf is a game's dialect, through wrappers.
func dialectOf(g *game.Game) (*game.Dialect, error) {
	d := g.Dialect(Protocol)
	if d == nil {
		return nil, fmt.Errorf("uci: no dialect of %s", g.Base().Spec)
	}
	return d, nil
}

// position reads the arguments of UCI's command position: startpos or fen with its fields, then the
// moves. Draws by repetition, clock or material do not end it, since programs and people play on
// until someone claims them.
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
