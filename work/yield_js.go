package work

import "time"

// turn is how long a computation may go on before others have theirs.
const turn = 50 * time.Millisecond

var (
	calls   int
	yielded = time.Now()
)

// Yield lets other work of this process go on, requests and timers too: it sleeps for a millisecond
// if it has not done so for a turn. To read the clock takes longer than a move of a small game, so
// that it is read at every 16th call.
func Yield() {
	if calls++; calls%16 != 0 {
		return
	}
	if time.Since(yielded) > turn {
		time.Sleep(time.Millisecond)
		yielded = time.Now()
	}
}
