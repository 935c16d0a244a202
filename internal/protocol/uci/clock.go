package uci

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"plyfit/game"
	"plyfit/internal/session"
)

// limits contains the limits of a go command.
type limits struct {
	Depth     int
	Nodes     int64
	MoveTime  time.Duration // 0 if not given
	Clock     [2]session.Clock
	HasClock  [2]bool
	MovesToGo int
	Infinite  bool
	Ponder    bool
}

const (
	mostTime = 365 * 24 * time.Hour
	// movesLeft is the default number of moves for which the remaining time must last.
	movesLeft = 30
)

// numbers contains the keywords of go that take a number, each with the minimum and a function that
// sets the limit.
var numbers = map[string]struct {
	least int64
	set   func(l *limits, n int64)
}{
	"depth":     {1, func(l *limits, n int64) { l.Depth = int(min(n, mostDepth)) }},
	"mate":      {1, func(l *limits, n int64) { l.Depth = int(2*min(n, mostDepth/2) - 1) }}, // n own moves and the replies between them
	"nodes":     {1, func(l *limits, n int64) { l.Nodes = n }},
	"movetime":  {math.MinInt64, func(l *limits, n int64) { l.MoveTime = max(session.LeastTime, milliseconds(n)) }}, // interfaces may send a negative time
	"wtime":     {math.MinInt64, func(l *limits, n int64) { l.Clock[0].Left, l.HasClock[0] = milliseconds(n), true }},
	"btime":     {math.MinInt64, func(l *limits, n int64) { l.Clock[1].Left, l.HasClock[1] = milliseconds(n), true }},
	"winc":      {0, func(l *limits, n int64) { l.Clock[0].Increment = milliseconds(n) }},
	"binc":      {0, func(l *limits, n int64) { l.Clock[1].Increment = milliseconds(n) }},
	"movestogo": {0, func(l *limits, n int64) { l.MovesToGo = int(min(n, 1000)) }},
}

// keyword reports whether word is a keyword of go. After searchmoves, any other word is a move.
func keyword(word string) bool {
	_, number := numbers[word]
	return number || word == "searchmoves" || word == "ponder" || word == "infinite"
}

// readLimits parses the arguments of go. It also lists the arguments that are invalid or
// unsupported, in odd.
func readLimits(args []string) (l limits, odd []string) {
	for i := 0; i < len(args); i++ {
		key := args[i]
		switch {
		case key == "infinite":
			l.Infinite = true
		case key == "ponder":
			l.Ponder = true
		case key == "searchmoves":
			odd = append(odd, "searchmoves: not supported, so all moves are searched")
			for i+1 < len(args) && !keyword(args[i+1]) {
				i++
			}
		case !keyword(key):
			odd = append(odd, clip(key)+": not understood")
		case i+1 == len(args):
			return l, append(odd, key+": want a number after it")
		default:
			i++
			switch n, err := strconv.ParseInt(args[i], 10, 64); {
			case err != nil:
				odd = append(odd, fmt.Sprintf("%s %s: want a whole number", key, clip(args[i])))
			case n < numbers[key].least:
				odd = append(odd, fmt.Sprintf("%s %d: want a positive number", key, n))
			default:
				numbers[key].set(&l, n)
			}
		}
	}
	return l, odd
}

func milliseconds(n int64) time.Duration {
	return time.Duration(max(0, min(n, int64(mostTime/time.Millisecond)))) * time.Millisecond
}

// budget returns the time that the player to move may use, or 0 if there is no limit.
func (l *limits) budget(mover game.Player, overhead time.Duration) time.Duration {
	if l.MoveTime > 0 {
		return max(session.LeastTime, l.MoveTime-min(overhead, l.MoveTime/10))
	}
	if mover < 0 || mover > 1 || !l.HasClock[mover] {
		return 0
	}
	c := l.Clock[mover]
	c.Moves = l.MovesToGo
	return c.Budget(movesLeft, overhead)
}
