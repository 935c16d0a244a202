package arena

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"plyfit/search"
)

// A faultKind is the reason why an agent lost a game without playing it to the end.
type faultKind string

const (
	timeLoss   faultKind = "time"       // no answer within the time limit
	unreadable faultKind = "unreadable" // answer that could not be parsed
	crash      faultKind = "crash"      // error, panic, or position not restored
	illegal    faultKind = "illegal"    // illegal move

	resignation faultKind = "resignation" // a legal way to lose, which does not count as a fault
)

// A Fault is the reason why a game ended early.
type Fault struct {
	By   int       `json:"by"`   // 0 for A, 1 for B
	Kind faultKind `json:"kind"` // "time", "unreadable", "crash" or "illegal"
	What string    `json:"what"` // description
}

// FaultCounts counts the games that an entrant lost by each kind of fault.
type FaultCounts struct {
	Time       int `json:"time"`
	Unreadable int `json:"unreadable,omitempty"`
	Crash      int `json:"crash"`
	Illegal    int `json:"illegal"`
	// First describes the first fault.
	First string `json:"first,omitempty"`
}

// All returns the total number of faults.
func (c FaultCounts) All() int { return c.Time + c.Unreadable + c.Crash + c.Illegal }

// Add counts a fault with the given description. Its kind is one of those listed in [Fault].
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
	text := fmt.Sprintf("timeouts %d, crashes %d, illegal moves %d", c.Time, c.Crash, c.Illegal)
	if c.Unreadable > 0 {
		text += fmt.Sprintf(", unreadable answers %d", c.Unreadable)
	}
	return text
}

// Plus returns the sum of c and d.
func (c FaultCounts) Plus(d FaultCounts) FaultCounts {
	return FaultCounts{c.Time + d.Time, c.Unreadable + d.Unreadable, c.Crash + d.Crash, c.Illegal + d.Illegal, cmp.Or(c.First, d.First)}
}

// A faulter is an error that knows its kind of fault. The kind of any other error is "time" if a
// deadline was exceeded and "crash" otherwise.
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
