package proc

import (
	"errors"
	"fmt"
	"testing"
)

func TestFailure(t *testing.T) {
	input := errors.New("bad input")
	if Failed(nil) || Failed(input) || Failure(nil) != nil {
		t.Error("an error that no one marked is a failure")
	}
	err := fmt.Errorf("game 3: %w", Failure(input))
	if !Failed(err) || !errors.Is(err, input) || err.Error() != "game 3: bad input" {
		t.Errorf("marked and wrapped: %v", err)
	}
}
