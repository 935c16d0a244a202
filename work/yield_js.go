package work

import "time"

// turn is the maximum time that a computation may run without sleeping.
const turn = 50 * time.Millisecond

var (
	calls                  int
	lastYield, lastRequest = time.Now(), time.Now()
)

// Asked records that a request has arrived. Handling a request involves reading many files, and
// each read has to wait for the computation to sleep. For a short period, Yield therefore sleeps
// longer. Otherwise, the answer would take one turn per file. Asked also restarts the current turn,
// so that a short search made for the request does not sleep at all.
func Asked() { lastRequest, lastYield = time.Now(), time.Now() }

// Yield sleeps for at least a millisecond if a whole turn has passed since it last slept or a
// request arrived. This lets requests and timers run. Reading the clock takes longer than a move of
// a small game, so Yield checks it only on every 16th call.
func Yield() {
	if calls++; calls%16 != 0 {
		return
	}
	if time.Since(lastYield) > turn {
		rest := time.Millisecond
		if time.Since(lastRequest) < 6*turn {
			rest = 20 * time.Millisecond
		}
		time.Sleep(rest)
		lastYield = time.Now()
	}
}
