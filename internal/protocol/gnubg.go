package protocol

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"plyfit/internal/program"
	"strings"
	"time"

	"plyfit/game"
	"plyfit/search"
)

// GnubgConfig configures [NewGnubg].
type GnubgConfig struct {
	Game     *game.Game
	Launcher *program.Launcher // starts gnubg; its command must come from GnubgCommand
	Plies    int               // search depth from 0 to 3; with 0, each play is evaluated directly
	Timeout  time.Duration     // time limit for an answer; 0 means 30 s
}

// GnubgCommand adds arguments to c so that gnubg runs in the terminal, prints little and ignores
// the user's settings.
func GnubgCommand(c program.Command) program.Command {
	c.Args = append(c.Args[:len(c.Args):len(c.Args)], "-t", "-q", "-r")
	c.Env = append(c.Env[:len(c.Env):len(c.Env)], "LC_ALL=C", "LANGUAGE=C")
	return c
}

// gnubgAgent plays through the socket interface of GNU Backgammon. gnubg listens on a free loopback
// port, receives positions as FIBS boards and answers with the best play for the dice. It plays
// money games without a cube, in which a gammon counts two points and a backgammon three.
type gnubgAgent struct {
	cfg  GnubgConfig
	conn net.Conn
	in   *bufio.Reader
}

// portTries is the number of ports to try, because another program may take a free port before
// gnubg does.
const portTries = 5

// GnubgProtocol is the name of the FIBS board format in a [game.Dialect].
const GnubgProtocol = "fibs"

// NewGnubg returns an agent for a game with a FIBS [game.Dialect]. It is deterministic, keeps no
// state between moves and reports no values.
func NewGnubg(cfg GnubgConfig) *Player {
	cfg.Timeout = cmp.Or(cfg.Timeout, Timeout)
	a := &gnubgAgent{cfg: cfg}
	return &Player{Name: "gnubg", Launcher: cfg.Launcher, Greet: a.greet,
		Clear: func(context.Context, *program.Engine) error { return nil }, Ask: a.choose, Ended: a.hangUp}
}

// greet makes a new gnubg listen on a free port and connects to it.
func (a *gnubgAgent) greet(ctx context.Context, e *program.Engine) error {
	settings := fmt.Sprintf("set jacoby off\nset evaluation chequerplay evaluation plies %d\n"+
		"set evaluation chequerplay evaluation cubeful off\nset evaluation chequerplay evaluation noise 0", a.cfg.Plies)
	if err := e.Send(settings); err != nil {
		return err
	}
	for try := 1; ; try++ {
		address, err := freePort()
		if err != nil {
			return err
		}
		if err := e.Send("external " + address); err != nil {
			return err
		}
		said := ""
		_, err = e.Await(ctx, a.cfg.Timeout, "message that it is listening", func(line string) bool {
			said = line
			return strings.HasPrefix(line, "Waiting for a connection") || strings.Contains(line, address+": ") || strings.Contains(line, "without")
		})
		if err != nil {
			return err
		}
		if strings.HasPrefix(said, "Waiting for a connection") {
			return a.connect(e, address)
		}
		if try == portTries { // another program took the port each time
			return e.Odd(said, "gnubg's message that it is waiting for a connection at "+address)
		}
	}
}

// freePort returns a loopback address whose port is currently free.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

func (a *gnubgAgent) connect(e *program.Engine, address string) error {
	conn, err := net.DialTimeout("tcp", address, a.cfg.Timeout)
	if err != nil {
		return &program.EngineError{Kind: program.Crash, Engine: e.Name(), What: "cannot be reached: " + err.Error()}
	}
	a.hangUp()
	a.conn, a.in = conn, bufio.NewReader(conn)
	return nil
}

func (a *gnubgAgent) hangUp() {
	if a.conn != nil {
		a.conn.Close()
		a.conn = nil
	}
}

func (a *gnubgAgent) choose(ctx context.Context, e *program.Engine, s game.State) (search.Result, error) {
	m, err := s.Moves(nil)[0], error(nil)
	if len(s.Moves(nil)) > 1 { // gnubg has no notation for a pass, and a single move needs no question
		m, err = a.ask(ctx, e, s)
	}
	return search.Result{Move: m, PV: []game.Move{m}}, err
}

func (a *gnubgAgent) ask(ctx context.Context, e *program.Engine, s game.State) (game.Move, error) {
	d := a.cfg.Game.Dialect(GnubgProtocol)
	if d == nil {
		return game.NoMove, fmt.Errorf("gnubg: a FIBS board cannot represent %s", a.cfg.Game.Spec)
	}
	board, err := d.Format(s)
	if err != nil {
		return game.NoMove, err
	}
	a.conn.SetDeadline(time.Now().Add(a.cfg.Timeout))
	interrupt := context.AfterFunc(ctx, func() { a.conn.SetDeadline(time.Unix(1, 0)) })
	defer interrupt()
	line := ""
	if _, err = a.conn.Write([]byte(board + " jacobyrule off\n")); err == nil {
		line, err = a.in.ReadString('\n')
	}
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return game.NoMove, ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return game.NoMove, e.Late("move")
	default:
		return game.NoMove, &program.EngineError{Kind: program.Crash, Engine: e.Name(), What: "closed the connection: " + err.Error()}
	}
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "Error") {
		return game.NoMove, e.Odd(line, "a move")
	}
	m, err := d.ParseMove(s, line)
	if err != nil {
		return game.NoMove, e.Wrong(line, s.String())
	}
	return m, nil
}
