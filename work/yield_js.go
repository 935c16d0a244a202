package work

import "time"

// turn is how long a computation may go on before others have theirs.
const turn = 50 * time.Millisecond

var (
	calls          int
	yielded, asked = time.Now(), time.Now()
)

// Asked notes that a request has come. It reads many files, each by a call that waits, so that for a
// moment a computation sleeps longer: an answer would take a turn for each of them. Others had theirs
// when it came, so that a short search for it does not sleep at all.
func Asked() { asked, yielded = time.Now(), time.Now() }

// Yield lets other work of this process go on, requests and timers too: it sleeps for a millisecond
// if it has not done so for a turn. To read the clock takes longer than a move of a small game, so
// that it is read at every 16th call.
func Yield() {
	if calls++; calls%16 != 0 {
		return
	}
	if time.Since(yielded) > turn {
		rest := time.Millisecond
		if time.Since(asked) < 6*turn {
			rest = 20 * time.Millisecond
		}
		time.Sleep(rest)
		yielded = time.Now()
	}
}
