package protocol

import (
	"context"
	"fmt"

	"plyfit/game"
	"plyfit/search"
)

// Player is the engine behind an agent, started when an episode begins, outside of
// any time for moves. A new one is started after each that failed.
type Player struct {
	Name     string // of the language, before errors
	Launcher *Launcher
	Greet    func(context.Context, *Engine) error // waits until a new engine is ready
	Clear    func(context.Context, *Engine) error // before each episode

	engine *Engine // nil: none is running
	failed error   // why none could be started, told when a move is wanted
}

// Begin is [search.Agent]'s. What it waits for has limits of its own.
func (p *Player) Begin() {
	if p.failed = p.begin(context.Background()); p.failed != nil {
		p.drop()
	}
}

func (p *Player) begin(ctx context.Context) (err error) {
	if p.engine == nil {
		p.engine, err = p.Launcher.Start(ctx, func(e *Engine) error { return p.Greet(ctx, e) })
		if err != nil {
			return err
		}
	}
	return p.Clear(ctx, p.engine)
}

// drop ends an engine that failed.
func (p *Player) drop() {
	if p.engine != nil {
		p.engine.Close("")
		p.engine = nil
	}
}

// Running reports whether an engine is kept for the next question.
func (p *Player) Running() bool { return p.engine != nil }

// Close has the engine quit.
func (p *Player) Close() error {
	if p.engine != nil {
		p.engine.Close("quit")
		p.engine = nil
	}
	return nil
}

// Search is [search.Agent]'s: it has ask put the question, about s without the
// worlds around it, to the engine. An engine that fails is ended.
func (p *Player) Search(ctx context.Context, s game.State, ask func(context.Context, *Engine, game.State) (search.Result, error)) (search.Result, error) {
	none := search.Result{Move: game.NoMove}
	if s.Turn() < 0 {
		return none, nil
	}
	base := game.Base(s)
	if base.Turn() != s.Turn() {
		return none, fmt.Errorf("%s: an engine cannot stand in for nature", p.Name)
	}
	if p.engine == nil && p.failed == nil {
		p.Begin()
	}
	if p.failed != nil {
		return none, p.failed
	}
	r, err := ask(ctx, p.engine, base)
	if err != nil {
		p.drop()
		return none, err
	}
	return r, nil
}
