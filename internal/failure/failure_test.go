package failure

import (
	"errors"
	"fmt"
	"testing"
)

func TestFailure(t *testing.T) {
	input := errors.New("bad input")
	if Is(nil) || Is(input) || Of(nil) != nil {
		t.Error("an error that nobody marked is a failure")
	}
	err := fmt.Errorf("game 3: %w", Of(input))
	if !Is(err) || !errors.Is(err, input) || err.Error() != "game 3: bad input" {
		t.Errorf("marked and wrapped: %v", err)
	}
}
