package arena

import (
	"context"
	"errors"
	"fmt"

	"plyfit/search"
)

// faultKind says how an agent lost a game other than by playing it.
type faultKind string

const (
	timeLoss faultKind = "time"    // no answer in time
	crash    faultKind = "crash"   // an error, a panic, or a position left changed
	illegal  faultKind = "illegal" // a move that is none here

	resignation faultKind = "resignation" // which is no fault: a legal way to lose
)

// Fault is why a game ended before its end.
type Fault struct {
	By   int       `json:"by"`   // 0: A, 1: B
	Kind faultKind `json:"kind"` // "time", "crash" or "illegal"
	What string    `json:"what"` // in words
}

// FaultCounts counts the games that one entrant lost by its faults.
type FaultCounts struct {
	Time    int `json:"time"`
	Crash   int `json:"crash"`
	Illegal int `json:"illegal"`
	// First says in words what the first of them was.
	First string `json:"first,omitempty"`
}

// All is their sum.
func (c FaultCounts) All() int { return c.Time + c.Crash + c.Illegal }

func (c *FaultCounts) add(f *Fault) {
	if c.All() == 0 {
		c.First = f.What
	}
	switch f.Kind {
	case timeLoss:
		c.Time++
	case illegal:
		c.Illegal++
	default:
		c.Crash++
	}
}

func (c FaultCounts) String() string {
	return fmt.Sprintf("%d on time, %d by crashes, %d by illegal moves", c.Time, c.Crash, c.Illegal)
}

// faulter is an agent's error of a known kind; others are crashes, except an exceeded deadline.
type faulter interface {
	error
	Fault() string // "time", "crash" or "illegal"
}

func kindOf(err error) faultKind {
	if errors.Is(err, search.ErrResigned) {
		return resignation
	}
	var f faulter
	if errors.As(err, &f) {
		switch k := faultKind(f.Fault()); k {
		case timeLoss, illegal:
			return k
		}
		return crash
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return timeLoss
	}
	return crash
}
