package arena

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"plyfit/search"
)

// faultKind says how an agent lost a game other than by playing it.
type faultKind string

const (
	timeLoss   faultKind = "time"       // no answer in time
	unreadable faultKind = "unreadable" // something that is not an answer
	crash      faultKind = "crash"      // an error, a panic, or a position left changed
	illegal    faultKind = "illegal"    // a move that is none here

	resignation faultKind = "resignation" // which is no fault: a legal way to lose
)

// Fault is why a game ended before its end.
type Fault struct {
	By   int       `json:"by"`   // 0: A, 1: B
	Kind faultKind `json:"kind"` // "time", "unreadable", "crash" or "illegal"
	What string    `json:"what"` // in words
}

// FaultCounts counts the games that one entrant lost by its faults.
type FaultCounts struct {
	Time       int `json:"time"`
	Unreadable int `json:"unreadable,omitempty"`
	Crash      int `json:"crash"`
	Illegal    int `json:"illegal"`
	// First says in words what the first of them was.
	First string `json:"first,omitempty"`
}

// All is their sum.
func (c FaultCounts) All() int { return c.Time + c.Unreadable + c.Crash + c.Illegal }

// Add counts a fault of a kind that [Fault] lists; what describes it.
func (c *FaultCounts) Add(kind, what string) {
	if c.All() == 0 {
		c.First = what
	}
	switch faultKind(kind) {
	case timeLoss:
		c.Time++
	case unreadable:
		c.Unreadable++
	case illegal:
		c.Illegal++
	default:
		c.Crash++
	}
}

func (c FaultCounts) String() string {
	text := fmt.Sprintf("%d on time, %d by crashes, %d by illegal moves", c.Time, c.Crash, c.Illegal)
	if c.Unreadable > 0 {
		text += fmt.Sprintf(", %d by unreadable answers", c.Unreadable)
	}
	return text
}

// Plus returns the sum of two counts.
func (c FaultCounts) Plus(d FaultCounts) FaultCounts {
	return FaultCounts{c.Time + d.Time, c.Unreadable + d.Unreadable, c.Crash + d.Crash, c.Illegal + d.Illegal, cmp.Or(c.First, d.First)}
}

// faulter is an agent's error of a known kind; others are crashes, except an exceeded deadline.
type faulter interface {
	error
	Fault() string // "time", "unreadable", "crash" or "illegal"
}

func kindOf(err error) faultKind {
	if errors.Is(err, search.ErrResigned) {
		return resignation
	}
	var f faulter
	if errors.As(err, &f) {
		switch k := faultKind(f.Fault()); k {
		case timeLoss, unreadable, illegal:
			return k
		}
		return crash
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return timeLoss
	}
	return crash
}
