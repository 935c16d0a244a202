// Package gtp speaks the Go Text Protocol, version 2, from both sides.
//
//   - To play an engine of others, give [New] a game and a protocol.Launcher that
//     starts the engine: the [Agent] plays like any other. Close it with
//     search.Close.
//   - To be an engine, put an agent into a [Server] and Serve standard input and
//     output.
//
// A game brings its own [game.Dialect]: how its moves are named. Black is player 0
// and moves first; a player without a move passes.
package gtp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"plyfit/game"
	"plyfit/protocol"
	"plyfit/search"
)

// Config says which engine plays.
type Config struct {
	Game     *game.Game // it has a [game.Dialect] of GTP
	Launcher *protocol.Launcher
	Timeout  time.Duration // how long an answer may take; 0: 30 s
}

// Agent has an engine choose. It starts one when its first episode begins, outside
// of any time for moves, and a new one after each that failed.
//
// The protocol has no command for a position, so the engine is told the moves that
// led to it; a position must have been reached by playing from the game's start.
type Agent struct {
	cfg     Config
	dialect *game.Dialect
	engine  *protocol.Engine
	failed  error
	told    []game.Move // since clear_board, its own included
}

var _ search.Agent = (*Agent)(nil)

const defaultTimeout = 30 * time.Second

var colours = [2]string{"black", "white"}

// Protocol is what a [game.Dialect] calls GTP.
const Protocol = "gtp"

// New is an agent for a game that has a [game.Dialect] of GTP.
func New(cfg Config) (*Agent, error) {
	d := cfg.Game.Dialect(Protocol)
	if d == nil {
		return nil, fmt.Errorf("gtp: no dialect of %s", cfg.Game.Spec)
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = defaultTimeout
	}
	return &Agent{cfg: cfg, dialect: d}, nil
}

// Begin implements [search.Agent]. Engines take no seed.
func (a *Agent) Begin(uint64) {
	if a.failed = a.begin(); a.failed != nil {
		a.drop()
	}
}

func (a *Agent) begin() (err error) {
	ctx := context.Background()
	if a.engine == nil {
		a.engine, err = a.cfg.Launcher.Start(ctx, func(e *protocol.Engine) error {
			if _, err := must(ctx, e, "protocol_version", a.cfg.Timeout); err != nil {
				return err
			}
			_, err := must(ctx, e, fmt.Sprintf("boardsize %d", a.dialect.Size), a.cfg.Timeout)
			return err
		})
		if err != nil {
			return err
		}
	}
	return a.clear(ctx)
}

func (a *Agent) clear(ctx context.Context) error {
	a.told = a.told[:0]
	if _, err := must(ctx, a.engine, "clear_board", a.cfg.Timeout); err != nil || a.dialect.Komi == nil {
		return err
	}
	komi := a.dialect.Komi(a.cfg.Game.Base().New())
	_, err := must(ctx, a.engine, "komi "+strconv.FormatFloat(komi, 'f', -1, 64), a.cfg.Timeout)
	return err
}

func (a *Agent) drop() {
	if a.engine != nil {
		a.engine.Close("")
		a.engine = nil
	}
}

// Close ends the engine.
func (a *Agent) Close() error {
	if a.engine != nil {
		a.engine.Close("quit")
		a.engine = nil
	}
	return nil
}

// Search implements [search.Agent]. The protocol tells no values, so that Values
// is empty.
func (a *Agent) Search(ctx context.Context, s game.State) (search.Result, error) {
	r := search.Result{Move: game.NoMove}
	if s.Turn() < 0 {
		return r, nil
	}
	base := game.Base(s)
	if base.Turn() != s.Turn() {
		return r, errors.New("gtp: an engine cannot stand in for nature")
	}
	if a.engine == nil && a.failed == nil {
		a.Begin(0)
	}
	if a.failed != nil {
		return r, a.failed
	}
	m, err := a.ask(ctx, base)
	if err != nil {
		a.drop()
		return r, err
	}
	r.Move, r.PV = m, []game.Move{m}
	return r, nil
}

func (a *Agent) ask(ctx context.Context, s game.State) (game.Move, error) {
	first, moves := a.dialect.Past(s)
	if begin := a.cfg.Game.Base().New().String(); first.String() != begin {
		return game.NoMove, fmt.Errorf("gtp: the moves that led to %s are not known, and an engine is told nothing else: want games from the start", first)
	}
	if len(moves) < len(a.told) || !slices.Equal(a.told, moves[:len(a.told)]) {
		if err := a.clear(ctx); err != nil {
			return game.NoMove, err
		}
	}
	for _, m := range a.told {
		first.Play(m)
	}
	for _, m := range moves[len(a.told):] {
		if err := a.tell(ctx, first, m); err != nil {
			return game.NoMove, err
		}
		first.Play(m)
		a.told = append(a.told, m)
	}
	name, err := must(ctx, a.engine, "genmove "+colours[s.Turn()], a.cfg.Timeout)
	if err != nil {
		return game.NoMove, err
	}
	m, err := a.dialect.ParseMove(s, name)
	if err != nil {
		return game.NoMove, a.engine.Wrong(name, s.String())
	}
	a.told = append(a.told, m)
	return m, nil
}

// tell tells the engine of a move made at s. Some, gtp-rhino among them, make
// passes by themselves and will hear of none.
func (a *Agent) tell(ctx context.Context, s game.State, m game.Move) error {
	command := "play " + colours[s.Turn()] + " " + s.MoveString(m)
	ok, text, err := ask(ctx, a.engine, command, a.cfg.Timeout)
	switch {
	case err != nil:
		return err
	case !ok && a.dialect.Move(s, m) != pass:
		return a.engine.Odd("? "+text, "= to "+command)
	}
	return nil
}

// pass is the name of the move of who has none.
const pass = "pass"

// must is ask for a command that has to succeed.
func must(ctx context.Context, e *protocol.Engine, command string, limit time.Duration) (string, error) {
	ok, text, err := ask(ctx, e, command, limit)
	if err == nil && !ok {
		err = e.Odd("? "+text, "= to "+command)
	}
	return text, err
}

// ask gives one command and reads the answer: = or ?, perhaps an id, and text up to
// an empty line. Lines before it that begin with neither are passed over.
func ask(ctx context.Context, e *protocol.Engine, command string, limit time.Duration) (ok bool, text string, err error) {
	if err := e.Send(command); err != nil {
		return false, "", err
	}
	line, err := e.Await(ctx, limit, "answer to "+command, func(line string) bool {
		return strings.HasPrefix(line, "=") || strings.HasPrefix(line, "?")
	})
	if err != nil {
		return false, "", err
	}
	ok = line[0] == '='
	lines := []string{strings.TrimSpace(strings.TrimLeft(line[1:], "0123456789"))}
	const most = 1000
	_, err = e.Await(ctx, limit, "end of the answer to "+command, func(line string) bool {
		if len(lines) < most {
			lines = append(lines, line)
		}
		return line == ""
	})
	return ok, strings.TrimSpace(strings.Join(lines, "\n")), err
}
