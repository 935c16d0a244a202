package gtp

import (
	"math"
	"strconv"
	"time"

	"plyfit/internal/session"
)

// A clock is a player's clock, as set by time_settings (GTP 2, section 4.2): a main time, followed
// by byo yomi periods for a fixed number of moves each. The server measures the time of its own
// moves. The optional command time_left corrects the clock.
type clock struct {
	running bool // false if there is no limit
	main    time.Duration
	period  time.Duration // length of a byo yomi period; 0 means none
	stones  int           // moves per period

	session.Clock // remaining main time or period
}

// newClock returns a full clock. A byo yomi period without moves means no limit.
func newClock(main, period time.Duration, stones int) clock {
	if period > 0 && stones == 0 || main == 0 && period == 0 {
		return clock{}
	}
	c := clock{running: true, main: main, period: period, stones: stones, Clock: session.Clock{Left: main}}
	if main == 0 {
		c.Left, c.Moves = period, stones
	}
	return c
}

func (c *clock) spend(took time.Duration) {
	if !c.running {
		return
	}
	c.Left -= took
	switch {
	case c.Moves > 1:
		c.Moves--
	case c.period > 0 && (c.Moves == 1 || c.Left <= 0): // a new period begins; unused time is lost
		c.Left, c.Moves = c.period, c.stones
	}
	c.Left = max(0, c.Left)
}

// budget returns the time for the next move, or 0 if there is no limit. It assumes that rest moves
// remain.
func (c *clock) budget(rest int) time.Duration {
	if !c.running {
		return 0
	}
	return c.Budget(rest, 20*time.Millisecond)
}

// seconds parses a time in seconds. Times of more than a day count as a day.
func seconds(text string) (time.Duration, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) || n < 0 {
		return 0, errSyntax
	}
	return time.Duration(math.Min(n, 24*60*60) * float64(time.Second)), nil
}

// period parses a time and the number of stones for it.
func period(args []string) (time.Duration, int, error) {
	left, err := seconds(args[0])
	n, wrong := strconv.Atoi(args[1])
	if err != nil || wrong != nil || n < 0 {
		return 0, 0, errSyntax
	}
	return left, n, nil
}
