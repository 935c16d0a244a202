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

// logger passes on the server's errors and limits repetitions.
type logger struct {
	log   *slog.Logger
	fatal chan<- error

	mu   sync.Mutex
	told map[string]time.Time // by the text's pattern
}

// again is the time after which the same error is logged again.
const again = 30 * time.Second

func (l *logger) complain(level func(string, ...any), format string, v []any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.Sub(l.told[format]) > again {
		l.told[format] = now
		level("server: " + strings.Join(strings.Fields(fmt.Sprintf(format, v...)), " "))
	}
}

func (l *logger) Noticef(string, ...any)        {}
func (l *logger) Debugf(string, ...any)         {}
func (l *logger) Tracef(string, ...any)         {}
func (l *logger) Warnf(format string, v ...any) { l.complain(l.log.Warn, format, v) }
func (l *logger) Fatalf(format string, v ...any) {
	l.end(errors.New("hub: " + fmt.Sprintf(format, v...)))
}

// Errorf logs an error. On a full disk it also ends the hub: the server would go on without the
// stream that it could not write, and not restore it when there is space.
func (l *logger) Errorf(format string, v ...any) {
	if strings.Contains(fmt.Sprintf(format, v...), syscall.ENOSPC.Error()) {
		l.end(errFull)
		return
	}
	l.complain(l.log.Error, format, v)
}

var errFull = errors.New(syscall.ENOSPC.Error())

func (l *logger) end(err error) {
	select {
	case l.fatal <- err:
	default: // it ends already
	}
}
