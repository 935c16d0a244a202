package terminal

import (
	"bytes"
	"testing"
)

// TestOneLine checks that an error that quotes control characters becomes one line without them.
func TestOneLine(t *testing.T) {
	const want = `agent \x1b]0;x\x07 of a: want b; c\u009bd`
	if got := OneLine("agent \x1b]0;x\x07 of a: want b\r\nc\u009bd\n"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestGuarded checks that a writer that is not a terminal is returned as it is.
func TestGuarded(t *testing.T) {
	var out bytes.Buffer
	if w := Guarded(&out); w != &out {
		t.Errorf("a buffer was wrapped: %T", w)
	}
}
