package terminal

import (
	"bytes"
	"testing"
)

// TestOneLine: an error is one line without a control code, whatever file it quotes.
func TestOneLine(t *testing.T) {
	const want = `agent \x1b]0;x\x07 of a: want b; c\u009bd`
	if got := OneLine("agent \x1b]0;x\x07 of a: want b\r\nc\u009bd\n"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestGuarded: what is no terminal gets every byte.
func TestGuarded(t *testing.T) {
	var out bytes.Buffer
	if w := Guarded(&out); w != &out {
		t.Errorf("a buffer is guarded: %T", w)
	}
}
