package hub

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"syscall"
	"time"
)

// logger forwards the server's errors and warnings to log and limits repetitions.
type logger struct {
	log   *slog.Logger
	fatal chan<- error

	mu         sync.Mutex
	lastLogged map[string]time.Time // time of the last message, by format
}

// repeatInterval is the time after which the same error is logged again.
const repeatInterval = 30 * time.Second

func (l *logger) logOnce(level func(string, ...any), format string, v []any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.Sub(l.lastLogged[format]) > repeatInterval {
		l.lastLogged[format] = now
		level("server: " + strings.Join(strings.Fields(fmt.Sprintf(format, v...)), " "))
	}
}

func (l *logger) Noticef(string, ...any)        {}
func (l *logger) Debugf(string, ...any)         {}
func (l *logger) Tracef(string, ...any)         {}
func (l *logger) Warnf(format string, v ...any) { l.logOnce(l.log.Warn, format, v) }
func (l *logger) Fatalf(format string, v ...any) {
	l.end(errors.New("hub: " + fmt.Sprintf(format, v...)))
}

// Errorf logs an error. If the disk is full, it also ends the hub. Otherwise, the server would
// continue without the stream that it could not write, and would not restore it once there is
// space.
func (l *logger) Errorf(format string, v ...any) {
	if strings.Contains(fmt.Sprintf(format, v...), syscall.ENOSPC.Error()) {
		l.end(errFull)
		return
	}
	l.logOnce(l.log.Error, format, v)
}

var errFull = errors.New(syscall.ENOSPC.Error())

func (l *logger) end(err error) {
	select {
	case l.fatal <- err:
	default: // the hub is already ending
	}
}
