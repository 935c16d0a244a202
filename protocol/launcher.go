package protocol

import (
	"context"
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

// Start starts an engine and has greet wait until it is ready. Where no engine has
// ever been ready, the first failure is remembered: a program that does not speak
// the language costs its silence once, not in every game.
func (l *Launcher) Start(ctx context.Context, greet func(*Engine) error) (*Engine, error) {
	l.mu.Lock()
	failed := l.failed
	l.mu.Unlock()
	if failed != nil {
		return nil, failed
	}
	e, err := start(l.Command)
	if err == nil {
		if err = greet(e); err != nil {
			e.Close("")
		}
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
