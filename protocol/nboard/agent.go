// Package nboard speaks the NBoard protocol, that of Chris Welty's board for othello
// and of the engines made for it, from both sides.
//
//   - To play an engine of others, give [New] a game and a protocol.Launcher that
//     starts the engine: what it makes plays like any other agent. Close it with
//     search.Close.
//   - To be an engine, put an agent into a [Server] and Serve standard input and
//     output.
//
// A game brings its own [game.Dialect]: games are told in GGF, the Generic Game
// Format, and squares by their names.
package nboard

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"plyfit/game"
	"plyfit/protocol"
	"plyfit/search"
)

// Protocol is what a [game.Dialect] calls NBoard's.
const Protocol = "nboard"

// Config says which engine plays, and the depth of its search.
type Config struct {
	Game     *game.Game // it has a [game.Dialect] of NBoard
	Launcher *protocol.Launcher
	Depth    int           // for set depth; what an engine makes of it is its own affair
	Timeout  time.Duration // how long an answer may take; 0: 30 s
}

// agent asks an engine.
type agent struct {
	cfg     Config
	dialect *game.Dialect
	pings   int
}

// New is an agent for a game that has a [game.Dialect] of NBoard. Values are the
// engine's, in discs; where it tells none, Value is 0 and Values empty.
func New(cfg Config) (*protocol.Player, error) {
	d := cfg.Game.Dialect(Protocol)
	if d == nil {
		return nil, fmt.Errorf("nboard: no dialect of %s", cfg.Game.Spec)
	}
	if cfg.Depth < 1 {
		return nil, fmt.Errorf("nboard: depth %d: want at least 1", cfg.Depth)
	}
	cfg.Timeout = cmp.Or(cfg.Timeout, protocol.Timeout)
	a := &agent{cfg: cfg, dialect: d}
	return &protocol.Player{Name: Protocol, Launcher: cfg.Launcher, Greet: a.greet, Clear: a.ping, Ask: a.ask, Quit: "quit"}, nil
}

// greet says which version is spoken, the first, since the second adds nothing that
// is used here and Edax complains of it; how deep to look; and waits.
func (a *agent) greet(ctx context.Context, e *protocol.Engine) error {
	if err := e.Send(fmt.Sprintf("nboard 1\nset depth %d", a.cfg.Depth)); err != nil {
		return err
	}
	return a.ping(ctx, e)
}

// ping waits until the engine has heard everything.
func (a *agent) ping(ctx context.Context, e *protocol.Engine) error {
	a.pings++
	if err := e.Send(fmt.Sprintf("ping %d", a.pings)); err != nil {
		return err
	}
	pong := fmt.Sprintf("pong %d", a.pings)
	_, err := e.Await(ctx, a.cfg.Timeout, pong, func(line string) bool { return strings.TrimSpace(line) == pong })
	return err
}

// move is how an engine's answer begins.
const move = "==="

func (a *agent) ask(ctx context.Context, e *protocol.Engine, s game.State) (r search.Result, err error) {
	r.Move = game.NoMove
	told, err := a.dialect.Tell(s)
	if err != nil {
		return r, err
	}
	begun := time.Now()
	if err := e.Send("set game " + told + "\ngo"); err != nil {
		return r, err
	}
	line, err := e.Await(ctx, a.cfg.Timeout, "move", func(line string) bool { return strings.HasPrefix(line, move) })
	if err != nil {
		return r, err
	}
	r.Elapsed = time.Since(begun)
	// "=== F5/2.00/0.1", each behind the move to be left out; Edax writes blanks.
	words := strings.FieldsFunc(line[len(move):], func(c rune) bool { return c == '/' || c == ' ' })
	if len(words) == 0 {
		return r, e.Odd(line, "=== and a move")
	}
	if r.Move, err = a.dialect.ParseMove(s, words[0]); err != nil {
		return r, e.Wrong(words[0], s.String())
	}
	r.PV = []game.Move{r.Move}
	if len(words) > 1 {
		if value, err := strconv.ParseFloat(words[1], 64); err == nil && value >= a.cfg.Game.Min && value <= a.cfg.Game.Max {
			r.Value, r.Values = value, []float64{value, -value}
			if s.Turn() == 1 {
				slices.Reverse(r.Values)
			}
		}
	}
	return r, nil
}
