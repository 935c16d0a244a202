package session

import "time"

// Clock is a player's time.
type Clock struct {
	Left      time.Duration
	Increment time.Duration // that each move adds
	Moves     int           // that Left is for; 0: all of the rest
}

// LeastTime is the shortest time for a move.
const LeastTime = time.Millisecond

// Budget is the time for the next move if rest moves are expected. Each move also takes overhead:
// transmission and the machine's other work.
func (c Clock) Budget(rest int, overhead time.Duration) time.Duration {
	left := max(0, c.Left-overhead)
	if c.Moves > 0 {
		rest = min(rest, c.Moves)
	}
	share := left/time.Duration(max(1, rest)) + c.Increment*4/5
	// Leave time for the next moves, except for the last before the next period.
	most := left / 3
	if c.Moves == 1 {
		most = left * 9 / 10
	} else {
		share -= overhead
	}
	return max(LeastTime, min(share, most))
}
