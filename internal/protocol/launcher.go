package protocol

import (
	"context"
	"errors"
	"sync"
)

// Launcher starts engines by one command. It needs only Command, and many goroutines may use it.
type Launcher struct {
	Command Command

	mu     sync.Mutex
	worked bool  // one was ready
	failed error // why the first was not
}

// Start starts an engine and waits until greet returns. The first start may read much from disk, so
// an engine that is late gets a second one. A failure is then remembered, so that a program that
// does not speak the protocol costs its time-out once, not in every game.
func (l *Launcher) Start(ctx context.Context, greet func(*Engine) error) (*Engine, error) {
	l.mu.Lock()
	failed, worked := l.failed, l.worked
	l.mu.Unlock()
	if failed != nil {
		return nil, failed
	}
	e, err := l.start(greet)
	if late := new(EngineError); !worked && errors.As(err, &late) && late.Kind == Time && ctx.Err() == nil {
		e, err = l.start(greet)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err == nil:
		l.worked = true
		return e, nil
	case !l.worked && ctx.Err() == nil:
		l.failed = err
	}
	return nil, err
}

func (l *Launcher) start(greet func(*Engine) error) (*Engine, error) {
	e, err := start(l.Command)
	if err == nil {
		if err = greet(e); err != nil {
			e.Close("")
		}
	}
	return e, err
}
