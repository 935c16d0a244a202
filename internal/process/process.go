// Package process names processes in such a way that another one can tell
// whether they still run: what a killed process left behind may then be taken
// away at once, and what a living one is making is let alone.
package process

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
)

// ID names one process among all that ever ran.
type ID struct {
	Machine string `json:"machine"` // a digest of the machine, its last boot and the processes' namespace
	Host    string `json:"host"`    // the machine's name, for people
	PID     int    `json:"pid"`
	Start   uint64 `json:"start"` // in the system's ticks since boot, since numbers are used again; 0 where it is not known
}

// State is what can be told of a process from here.
type State int

const (
	Unknown State = iota // it is on another machine, or this one does not tell
	Running
	Gone
)

// Self is this process.
var Self = sync.OnceValue(self)

func self() ID {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	sum := sha256.Sum256([]byte(host + "\x00" + boot()))
	id := ID{Machine: hex.EncodeToString(sum[:6]), Host: host, PID: os.Getpid()}
	id.Start, _ = started(id.PID)
	return id
}

// State reports whether the process still runs.
func (id ID) State() State {
	me := Self()
	if id.Machine != me.Machine {
		return Unknown
	}
	if gone(id.PID) {
		return Gone
	}
	start, known := started(id.PID)
	switch {
	case !known || id.Start == 0:
		return Unknown
	case start != id.Start: // another process has its number now
		return Gone
	}
	return Running
}

// String is MACHINE-PID-START, fit for a file's name; [Parse] reads it. The
// host's name is not in it.
func (id ID) String() string { return fmt.Sprintf("%s-%d-%d", id.Machine, id.PID, id.Start) }

// Parse reads what [ID.String] wrote.
func Parse(text string) (id ID, ok bool) {
	parts := strings.Split(text, "-")
	if len(parts) != 3 || len(parts[0]) != 12 {
		return ID{}, false
	}
	if _, err := hex.DecodeString(parts[0]); err != nil {
		return ID{}, false
	}
	pid, errPID := strconv.Atoi(parts[1])
	start, errStart := strconv.ParseUint(parts[2], 10, 64)
	if errPID != nil || errStart != nil || pid < 1 {
		return ID{}, false
	}
	return ID{Machine: parts[0], PID: pid, Start: start}, true
}
