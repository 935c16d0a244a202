package uci

import (
	"fmt"
	"strconv"
	"time"

	"plyfit/game"
)

// limits are the limits of a go command.
type limits struct {
	Depth     int
	Nodes     int64
	MoveTime  time.Duration // 0: not given
	Clock     [2]time.Duration
	Increment [2]time.Duration
	HasClock  [2]bool
	MovesToGo int
	Infinite  bool
	Ponder    bool
}

const (
	mostTime = 365 * 24 * time.Hour
	// movesLeft is the number of moves that a clock must last, by default.
	movesLeft = 30
	leastTime = time.Millisecond
)

// goWords are go's keywords; anything else after searchmoves is a move.
var goWords = map[string]bool{
	"searchmoves": true, "ponder": true, "infinite": true, "depth": true, "nodes": true, "mate": true, "movetime": true,
	"wtime": true, "btime": true, "winc": true, "binc": true, "movestogo": true,
}

// readLimits reads the arguments of go; odd lists those that are invalid or not supported.
func readLimits(args []string) (l limits, odd []string) {
	for i := 0; i < len(args); i++ {
		key := args[i]
		switch {
		case key == "infinite":
			l.Infinite = true
		case key == "ponder":
			l.Ponder = true
		case key == "searchmoves":
			odd = append(odd, "searchmoves: all moves are searched")
			for i+1 < len(args) && !goWords[args[i+1]] {
				i++
			}
		case !goWords[key]:
			odd = append(odd, clip(key)+": not understood")
		case i+1 == len(args):
			return l, append(odd, key+": want a number after it")
		default:
			i++
			if err := l.set(key, args[i]); err != nil {
				odd = append(odd, err.Error())
			}
		}
	}
	return l, odd
}

func (l *limits) set(key, text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return fmt.Errorf("%s %s: want a whole number", key, clip(text))
	}
	switch key {
	case "wtime", "btime", "movetime": // of which there may be less than none left
	case "depth", "nodes", "mate":
		if n < 1 {
			return fmt.Errorf("%s %d: want a positive number", key, n)
		}
	default:
		if n < 0 {
			return fmt.Errorf("%s %d: want a positive number", key, n)
		}
	}
	switch key {
	case "depth":
		l.Depth = int(min(n, mostDepth))
	case "mate": // in n moves: as many of one's own, and the replies between
		l.Depth = int(2*min(n, mostDepth/2) - 1)
	case "nodes":
		l.Nodes = n
	case "movetime":
		l.MoveTime = max(leastTime, milliseconds(n))
	case "wtime":
		l.Clock[0], l.HasClock[0] = milliseconds(n), true
	case "btime":
		l.Clock[1], l.HasClock[1] = milliseconds(n), true
	case "winc":
		l.Increment[0] = milliseconds(n)
	case "binc":
		l.Increment[1] = milliseconds(n)
	case "movestogo":
		l.MovesToGo = int(min(n, 1000))
	}
	return nil
}

func milliseconds(n int64) time.Duration {
	return time.Duration(max(0, min(n, int64(mostTime/time.Millisecond)))) * time.Millisecond
}

// budget is the time for the player to move, 0 for no limit. Each move also takes overhead from its
// clock: transmission and the machine's other work.
func (l *limits) budget(mover game.Player, overhead time.Duration) time.Duration {
	if l.MoveTime > 0 {
		return max(leastTime, l.MoveTime-min(overhead, l.MoveTime/10))
	}
	if mover < 0 || mover > 1 || !l.HasClock[mover] {
		return 0
	}
	left := max(0, l.Clock[mover]-overhead)
	moves := movesLeft
	if l.MovesToGo > 0 {
		moves = min(moves, l.MovesToGo)
	}
	share := left/time.Duration(moves) + l.Increment[mover]*4/5
	// Leave time for the next moves, except for the last before the next period.
	most := left / 3
	if l.MovesToGo == 1 {
		most = left * 9 / 10
	} else {
		share -= overhead
	}
	return max(leastTime, min(share, most))
}
