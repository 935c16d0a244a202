package protocol

import (
	"context"
	"errors"
	"fmt"
	"plyfit/internal/program"
	"time"

	"plyfit/game"
	"plyfit/search"
)

// Timeout is the default time limit for an answer.
const Timeout = 30 * time.Second

// A Player is an agent that gets its moves from an engine. It starts the engine when its first
// episode begins; this does not count towards the time for a move. It starts a new engine after
// each failure.
type Player struct {
	Name     string // name of the protocol; a prefix of errors
	Launcher *program.Launcher
	Greet    func(context.Context, *program.Engine) error // waits until a new engine is ready
	Clear    func(context.Context, *program.Engine) error // prepares the engine for a new episode
	// Ask requests a move in a position, which is given without its wrappers.
	Ask    func(context.Context, *program.Engine, game.State) (search.Result, error)
	Quit   string // last line sent to an engine; "" means none
	ByTime bool   // whether moves are limited by time
	Ended  func() // called after an engine has ended, unless nil

	engine *program.Engine // nil if no engine is running
	failed error           // error of the last start, returned when a move is requested
}

var (
	_ search.Agent   = (*Player)(nil)
	_ search.Starter = (*Player)(nil)
)

func (p *Player) Start(ctx context.Context) (err error) {
	if p.engine == nil {
		p.engine, err = p.Launcher.Start(ctx, func(e *program.Engine) error { return p.Greet(ctx, e) })
	}
	return err
}

// Timed reports whether moves are limited by time, in which case they cannot be reproduced.
func (p *Player) Timed() bool { return p.ByTime }

// Begin implements [search.Agent]. Starting an engine has separate time limits. Engines do not use
// the seed.
func (p *Player) Begin(uint64) {
	ctx := context.Background()
	if p.failed = p.Start(ctx); p.failed == nil {
		p.failed = p.Clear(ctx, p.engine)
	}
	if p.failed != nil {
		p.drop("")
	}
}

// drop ends the engine, if one is running. Unless word is empty, the engine first receives it as a
// line.
func (p *Player) drop(word string) {
	if p.engine == nil {
		return
	}
	p.engine.Close(word)
	p.engine = nil
	if p.Ended != nil {
		p.Ended()
	}
}

// PID returns the process ID of the running engine, or 0 if there is none.
func (p *Player) PID() int {
	if p.engine == nil {
		return 0
	}
	return p.engine.PID()
}

// Close tells the engine to quit and ends it.
func (p *Player) Close() error {
	p.drop(p.Quit)
	return nil
}

// Search implements [search.Agent]. It ends an engine that fails.
func (p *Player) Search(ctx context.Context, s game.State) (search.Result, error) {
	none := search.Result{Move: game.NoMove}
	if s.Turn() < 0 {
		return none, nil
	}
	base := game.Base(s)
	if base.Turn() != s.Turn() {
		return none, fmt.Errorf("%s: an engine cannot make chance moves", p.Name)
	}
	if p.engine == nil && p.failed == nil {
		p.Begin(0)
	}
	if p.failed != nil {
		return none, p.failed
	}
	r, err := p.Ask(ctx, p.engine, base)
	if errors.Is(err, search.ErrResigned) {
		return none, err
	}
	if err != nil {
		p.drop("")
		return none, err
	}
	return r, nil
}
