// Package gtp implements both sides of the Go Text Protocol, version 2.
//
//   - To play with an external engine, call [New] with a game and a program.Launcher that
//     starts the engine. The result plays like any other agent. Close it with search.Close.
//   - To act as an engine, put an agent into a [Server] and call Serve with standard input and
//     output.
//
// The [game.Dialect] of a game defines the names of its moves. Black is player 0 and moves first. A
// player without a move passes.
package gtp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"plyfit/game"
	"plyfit/internal/program"
	"plyfit/internal/protocol"
	"plyfit/search"
)

// Config configures [New].
type Config struct {
	Game     *game.Game // must have a [game.Dialect] of GTP
	Launcher *program.Launcher
	Timeout  time.Duration // time limit for an answer; 0 means 30 s
}

// An agent asks an engine for moves. The protocol has no command for a position, so the agent sends
// the moves that led to it. Games must therefore begin at the game's starting position.
type agent struct {
	cfg     Config
	dialect *game.Dialect
	sent    []game.Move // moves since clear_board, including the engine's
	version string      // the engine's answer to the greeting; "" before the first answer
}

// greeting is the first command. Its answer never changes, so the command is also used to
// synchronise.
const greeting = "protocol_version"

var colours = [2]string{"black", "white"}

// Protocol is the name of GTP in a [game.Dialect].
const Protocol = "gtp"

// New returns an agent for a game with a GTP [game.Dialect]. It reports no values.
func New(cfg Config) (*protocol.Player, error) {
	d := cfg.Game.Dialect(Protocol)
	if d == nil {
		return nil, fmt.Errorf("gtp: no dialect for %s", cfg.Game.Spec)
	}
	cfg.Timeout = cmp.Or(cfg.Timeout, protocol.Timeout)
	a := &agent{cfg: cfg, dialect: d}
	return &protocol.Player{Name: Protocol, Launcher: cfg.Launcher, Greet: a.greet, Clear: a.clear, Ask: a.ask, Quit: "quit"}, nil
}

// greet waits for a new engine and sets the board size.
func (a *agent) greet(ctx context.Context, e *program.Engine) error {
	a.version = ""
	if _, err := a.must(ctx, e, greeting); err != nil {
		return err
	}
	_, err := a.must(ctx, e, fmt.Sprintf("boardsize %d", a.dialect.Size))
	return err
}

func (a *agent) clear(ctx context.Context, e *program.Engine) error {
	a.sent = a.sent[:0]
	_, err := a.must(ctx, e, "clear_board")
	return err
}

func (a *agent) ask(ctx context.Context, e *program.Engine, s game.State) (search.Result, error) {
	m, err := a.choose(ctx, e, s)
	return search.Result{Move: m, PV: []game.Move{m}}, err
}

func (a *agent) choose(ctx context.Context, e *program.Engine, s game.State) (game.Move, error) {
	first, moves := a.dialect.Past(s)
	if begin := a.cfg.Game.Base().New().String(); first.String() != begin {
		return game.NoMove, fmt.Errorf("gtp: the moves that led to %s are unknown, but an engine needs these moves; want games from the start", first)
	}
	if len(moves) < len(a.sent) || !slices.Equal(a.sent, moves[:len(a.sent)]) {
		if err := a.clear(ctx, e); err != nil {
			return game.NoMove, err
		}
	}
	for _, m := range a.sent {
		first.Play(m)
	}
	for _, m := range moves[len(a.sent):] {
		if err := a.tell(ctx, e, first, m); err != nil {
			return game.NoMove, err
		}
		first.Play(m)
		a.sent = append(a.sent, m)
	}
	name, err := a.must(ctx, e, "genmove "+colours[s.Turn()])
	if err != nil {
		return game.NoMove, err
	}
	if strings.EqualFold(name, "resign") {
		return game.NoMove, fmt.Errorf("%s: %w", e.Name(), search.ErrResigned)
	}
	m, err := a.dialect.ParseMove(s, name)
	if err != nil {
		return game.NoMove, e.Wrong(name, s.String())
	}
	a.sent = append(a.sent, m)
	return m, nil
}

// tell sends a move made at s. Some engines, such as gtp-rhino, pass automatically and reject the
// command for a pass.
func (a *agent) tell(ctx context.Context, e *program.Engine, s game.State, m game.Move) error {
	command := "play " + colours[s.Turn()] + " " + s.MoveString(m)
	ok, text, err := a.command(ctx, e, command)
	switch {
	case err != nil:
		return err
	case !ok && a.dialect.Move(s, m) != pass:
		return e.Odd("? "+text, "= to "+command)
	}
	return nil
}

// pass is the move of a player who has no other move.
const pass = "pass"

// must is like command, but the command has to succeed.
func (a *agent) must(ctx context.Context, e *program.Engine, command string) (string, error) {
	ok, text, err := a.command(ctx, e, command)
	if err == nil && !ok {
		err = e.Odd("? "+text, "= to "+command)
	}
	return text, err
}

// command sends a command and reads the answer: = or ?, an optional id, and text up to a blank
// line. Other lines before the answer are skipped. If the engine has been greeted before, command
// first skips everything up to the answer to a new greeting.
func (a *agent) command(ctx context.Context, e *program.Engine, command string) (ok bool, text string, err error) {
	if a.version != "" {
		if err := a.synchronise(ctx, e); err != nil {
			return false, "", err
		}
	}
	if err := e.Send(command); err != nil {
		return false, "", err
	}
	line, err := e.Await(ctx, a.cfg.Timeout, "answer to "+command, func(line string) bool {
		return strings.HasPrefix(line, "=") || strings.HasPrefix(line, "?")
	})
	if err != nil {
		return false, "", err
	}
	if ok = line[0] == '='; command == greeting {
		a.version = strings.TrimSpace(line)
	}
	lines := []string{strings.TrimSpace(strings.TrimLeft(line[1:], "0123456789"))}
	const most = 1000
	_, err = e.Await(ctx, a.cfg.Timeout, "end of the answer to "+command, func(line string) bool {
		if len(lines) < most {
			lines = append(lines, line)
		}
		return blank(line)
	})
	return ok, strings.TrimSpace(strings.Join(lines, "\n")), err
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }

// synchronise sends a greeting and drops all lines up to its answer, so that none of them is
// mistaken for the answer to the next command.
func (a *agent) synchronise(ctx context.Context, e *program.Engine) error {
	e.Unasked()
	err := e.Send(greeting)
	for _, is := range []func(string) bool{func(line string) bool { return strings.TrimSpace(line) == a.version }, blank} {
		if err == nil {
			_, err = e.Await(ctx, a.cfg.Timeout, "answer to "+greeting, is)
		}
	}
	e.Unasked()
	return err
}
