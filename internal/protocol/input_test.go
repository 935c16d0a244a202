package protocol

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReadFails(t *testing.T) {
	broken := errors.New("broken")
	lines, failed := ReadLines(t.Context(), io.MultiReader(strings.NewReader("one\n"), iotest.ErrReader(broken)), 16)
	if l := <-lines; l.Text != "one\n" {
		t.Errorf("got %q", l.Text)
	}
	if _, more := <-lines; more {
		t.Error("a line after the failure")
	}
	if err := <-failed; !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

// TestReadStops checks that ReadLines ends when its context is done, even if nothing receives its
// lines.
func TestReadStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	_, failed := ReadLines(ctx, strings.NewReader("one\ntwo\n"), 16)
	stop()
	if err := <-failed; err != nil {
		t.Errorf("got %v, want nil", err)
	}
}
