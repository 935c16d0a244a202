package protocol

import (
	"context"
	"errors"
	"sync"
)

// Launcher starts engines by one command. Its zero value but for Command is ready
// to use, by many goroutines.
type Launcher struct {
	Command Command

	mu     sync.Mutex
	worked bool  // one was ready
	failed error // why the first was not
}

// Start starts an engine and has greet wait until it is ready. Where no engine has ever
// been ready, one that is late gets another start, since a first one may read much from a
// disk. The failure is then remembered: a program that does not speak the language costs
// its silence once, not in every game.
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
