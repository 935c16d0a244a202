package gtp

import (
	"math"
	"strconv"
	"time"

	"plyfit/internal/session"
)

// clock is a player's, by GTP's time_settings (GTP 2, section 4.2): a main time, then byo yomi, a
// period for every so many moves. We count the time of our moves; time_left, which is optional,
// corrects it.
type clock struct {
	running bool // else there is no limit
	main    time.Duration
	period  time.Duration // of byo yomi; 0: none
	stones  int           // moves to a period

	session.Clock // of the main time or of the period
}

// newClock is a full clock. Byo yomi for no moves means no limit.
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

func (c *clock) reset() { *c = newClock(c.main, c.period, c.stones) }

// told is time_left: so much time for so many moves, 0 for all of the rest.
func (c *clock) told(left time.Duration, moves int) {
	c.running, c.Left, c.Moves = true, left, moves
}

func (c *clock) spend(took time.Duration) {
	if !c.running {
		return
	}
	c.Left -= took
	switch {
	case c.Moves > 1:
		c.Moves--
	case c.period > 0 && (c.Moves == 1 || c.Left <= 0): // a new period; what was left over is lost
		c.Left, c.Moves = c.period, c.stones
	}
	c.Left = max(0, c.Left)
}

// budget is the time for the next move, of rest moves that are still expected; 0: no limit.
func (c *clock) budget(rest int) time.Duration {
	if !c.running {
		return 0
	}
	return c.Budget(rest, 20*time.Millisecond)
}

// seconds reads a time; longer ones than a day are a day.
func seconds(text string) (time.Duration, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) || n < 0 {
		return 0, errSyntax
	}
	return time.Duration(math.Min(n, 24*60*60) * float64(time.Second)), nil
}

// period reads a time and for how many stones it is.
func period(args []string) (time.Duration, int, error) {
	left, err := seconds(args[0])
	n, wrong := strconv.Atoi(args[1])
	if err != nil || wrong != nil || n < 0 {
		return 0, 0, errSyntax
	}
	return left, n, nil
}
