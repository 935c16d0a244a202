package protocol

import (
	"context"
	"errors"
	"fmt"
	"time"

	"plyfit/game"
	"plyfit/search"
)

// Timeout is the default time for an answer.
const Timeout = 30 * time.Second

// Player is an agent whose moves come from an engine. It starts one when its first episode begins,
// outside of the time for moves, and a new one after each failure.
type Player struct {
	Name     string // of the language, before errors
	Launcher *Launcher
	Greet    func(context.Context, *Engine) error // waits until a new engine is ready
	Clear    func(context.Context, *Engine) error // before each episode
	// Ask puts the question, about a position without the worlds around it.
	Ask    func(context.Context, *Engine, game.State) (search.Result, error)
	Quit   string // what an engine is sent at the end; "": nothing
	ByTime bool   // its moves are limited by time
	Ended  func() // is called when an engine is gone; nil: nothing is

	engine *Engine // nil: none is running
	failed error   // why none could be started, told when a move is wanted
}

var (
	_ search.Agent   = (*Player)(nil)
	_ search.Starter = (*Player)(nil)
)

func (p *Player) Start(ctx context.Context) (err error) {
	if p.engine == nil {
		p.engine, err = p.Launcher.Start(ctx, func(e *Engine) error { return p.Greet(ctx, e) })
	}
	return err
}

// Timed reports whether moves are limited by time, so that answers differ.
func (p *Player) Timed() bool { return p.ByTime }

// Begin implements [search.Agent]. Starting has limits of its own; engines take no seed.
func (p *Player) Begin(uint64) {
	if p.failed = p.begin(context.Background()); p.failed != nil {
		p.drop("")
	}
}

func (p *Player) begin(ctx context.Context) (err error) {
	if err := p.Start(ctx); err != nil {
		return err
	}
	return p.Clear(ctx, p.engine)
}

// drop ends the engine, if one is running, after sending word.
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

// PID is the process of the engine that waits for the next question; 0: none.
func (p *Player) PID() int {
	if p.engine == nil {
		return 0
	}
	return p.engine.PID()
}

// Close has the engine quit.
func (p *Player) Close() error {
	p.drop(p.Quit)
	return nil
}

// Search implements [search.Agent]. An engine that fails is ended.
func (p *Player) Search(ctx context.Context, s game.State) (search.Result, error) {
	none := search.Result{Move: game.NoMove}
	if s.Turn() < 0 {
		return none, nil
	}
	base := game.Base(s)
	if base.Turn() != s.Turn() {
		return none, fmt.Errorf("%s: an engine cannot stand in for nature", p.Name)
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
