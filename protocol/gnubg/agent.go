// Package gnubg has GNU Backgammon play, through the socket that it keeps for
// players outside of it: it is started as a program of ours, told to listen on a
// free port of the loopback, given positions as FIBS writes them and asked for the
// best play of the dice. It plays for money without a cube: a gammon counts two
// points and a backgammon three, and its evaluation knows of no doubling.
package gnubg

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"plyfit/game"
	"plyfit/protocol"
	"plyfit/search"
)

// Config says how gnubg plays.
type Config struct {
	Game     *game.Game
	Launcher *protocol.Launcher // of Command
	Plies    int                // of lookahead, 0 to 3: 0 evaluates each play
	Timeout  time.Duration      // how long an answer may take; 0: 30 s
}

// Command adds to a program, gnubg as a rule, the arguments by which it stays in
// its terminal, silent and without the user's settings.
func Command(c protocol.Command) protocol.Command {
	c.Args = append(c.Args[:len(c.Args):len(c.Args)], "-t", "-q", "-r")
	c.Env = append(c.Env[:len(c.Env):len(c.Env)], "LC_ALL=C", "LANGUAGE=C")
	return c
}

// Agent asks one gnubg. It starts it when its first episode begins, outside of any
// time for moves, and a new one after each that failed.
type Agent struct {
	cfg    Config
	engine *protocol.Engine
	conn   net.Conn
	in     *bufio.Reader
	failed error
}

var _ search.Agent = (*Agent)(nil)

const (
	defaultTimeout = 30 * time.Second
	portTries      = 5
)

// Protocol is what a [game.Dialect] calls what gnubg is told: boards of FIBS.
const Protocol = "fibs"

// New is an agent for a game that has a [game.Dialect] of FIBS.
func New(cfg Config) *Agent {
	if cfg.Timeout == 0 {
		cfg.Timeout = defaultTimeout
	}
	return &Agent{cfg: cfg}
}

// Begin implements [search.Agent]: gnubg remembers nothing, and nothing it does
// here is random.
func (a *Agent) Begin(uint64) {
	if a.engine != nil {
		return
	}
	a.engine, a.failed = a.cfg.Launcher.Start(context.Background(), a.greet)
	if a.failed != nil {
		a.drop()
	}
}

// greet has a new gnubg listen, and connects.
func (a *Agent) greet(e *protocol.Engine) error {
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
		_, err = e.Await(context.Background(), a.cfg.Timeout, "word that it listens", func(line string) bool {
			said = line
			return strings.HasPrefix(line, "Waiting for a connection") || strings.Contains(line, address+": ") || strings.Contains(line, "without")
		})
		if err != nil {
			return err
		}
		if strings.HasPrefix(said, "Waiting for a connection") {
			return a.connect(e, address)
		}
		if try == portTries { // somebody else was quicker, each time
			return e.Odd(said, "that it waits for a connection at "+address)
		}
	}
}

// freePort is an address of the loopback that nobody listens at now.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

func (a *Agent) connect(e *protocol.Engine, address string) error {
	conn, err := net.DialTimeout("tcp", address, a.cfg.Timeout)
	if err != nil {
		return &protocol.EngineError{Kind: protocol.Crash, Engine: e.Name(), What: "cannot be reached: " + err.Error()}
	}
	if a.conn != nil {
		a.conn.Close()
	}
	a.conn, a.in = conn, bufio.NewReader(conn)
	return nil
}

func (a *Agent) drop() {
	if a.conn != nil {
		a.conn.Close()
		a.conn = nil
	}
	if a.engine != nil {
		a.engine.Close("")
		a.engine = nil
	}
}

// Close ends gnubg.
func (a *Agent) Close() error {
	a.drop()
	return nil
}

// Search implements [search.Agent]. The interface tells no values, so that Values
// is empty.
func (a *Agent) Search(ctx context.Context, s game.State) (search.Result, error) {
	r := search.Result{Move: game.NoMove}
	if s.Turn() < 0 {
		return r, nil
	}
	d, b := a.cfg.Game.Dialect(Protocol), game.Base(s)
	switch {
	case d == nil:
		return r, fmt.Errorf("gnubg: no FIBS board shows %s", a.cfg.Game.Spec)
	case b.Turn() != s.Turn():
		return r, errors.New("gnubg: moves checkers, not dice: it cannot stand in for nature")
	}
	if a.engine == nil && a.failed == nil {
		a.Begin(0)
	}
	if a.failed != nil {
		return r, a.failed
	}
	moves := b.Moves(nil)
	if len(moves) == 1 { // gnubg has no word for a pass, and nothing to choose
		r.Move = moves[0]
	} else {
		m, err := a.ask(ctx, d, b)
		if err != nil {
			a.drop()
			return r, err
		}
		r.Move = m
	}
	r.PV = []game.Move{r.Move}
	return r, nil
}

func (a *Agent) ask(ctx context.Context, d *game.Dialect, s game.State) (game.Move, error) {
	board, err := d.Tell(s)
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
		return game.NoMove, &protocol.EngineError{Kind: protocol.Time, Engine: a.engine.Name(), What: "no move in time"}
	default:
		return game.NoMove, &protocol.EngineError{Kind: protocol.Crash, Engine: a.engine.Name(), What: "closed the connection: " + err.Error()}
	}
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "Error") {
		return game.NoMove, a.engine.Odd(line, "a move")
	}
	m, err := d.ParseMove(s, line)
	if err != nil {
		return game.NoMove, a.engine.Wrong(line, s.String())
	}
	return m, nil
}
