package hub

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// logger passes on what the server complains of, the same complaint once in a while.
type logger struct {
	log   *slog.Logger
	fatal chan<- error

	mu   sync.Mutex
	told map[string]time.Time // by the text's pattern
}

// again is after how long a complaint is repeated.
const again = 30 * time.Second

func (l *logger) complain(level func(string, ...any), format string, v []any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.Sub(l.told[format]) > again {
		l.told[format] = now
		level("server: " + strings.Join(strings.Fields(fmt.Sprintf(format, v...)), " "))
	}
}

func (l *logger) Noticef(string, ...any)         {}
func (l *logger) Debugf(string, ...any)          {}
func (l *logger) Tracef(string, ...any)          {}
func (l *logger) Warnf(format string, v ...any)  { l.complain(l.log.Warn, format, v) }
func (l *logger) Errorf(format string, v ...any) { l.complain(l.log.Error, format, v) }
func (l *logger) Fatalf(format string, v ...any) {
	select {
	case l.fatal <- errors.New("hub: " + fmt.Sprintf(format, v...)):
	default: // it ends already
	}
}
