package terminal

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestKeyParser(t *testing.T) {
	for in, want := range map[string][]key{
		" npq\x03":         {keyPause, keyStep, keyBack, keyQuit, keyInterrupt},
		"\x1b[C\x1b[D":     {keyStep, keyBack},
		"\x1bOC\x1bOD":     {keyStep, keyBack},
		"\x1b[1;5C ":       {keyStep, keyPause}, // with Ctrl held
		"\x1b[3~n\x1b[Ap":  {keyStep, keyBack},  // other keys are skipped whole
		"\x1bn\x1b\x1b[Dx": {keyStep, keyBack},  // escape by itself is none
		"Cd[O;\n":          nil,
	} {
		var p keyParser
		var got []key
		for _, b := range []byte(in) {
			if k := p.next(b); k != keyNone {
				got = append(got, k)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: keys %v, want %v", in, got, want)
		}
	}
}

func TestListen(t *testing.T) {
	for in, want := range map[string]struct {
		keys  []key
		cause error
	}{
		" n":     {[]key{keyPause, keyStep}, nil},
		"pq n":   {[]key{keyBack}, errQuit},
		"\x03 n": {nil, context.Canceled},
	} {
		ctx, stop := context.WithCancelCause(context.Background())
		var got []key
		for k := range listen(strings.NewReader(in), stop) {
			got = append(got, k)
		}
		if !slices.Equal(got, want.keys) || !errors.Is(context.Cause(ctx), want.cause) {
			t.Errorf("%q: keys %v, cause %v, want %v, %v", in, got, context.Cause(ctx), want.keys, want.cause)
		}
		stop(nil)
	}
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	for range listen(strings.NewReader(strings.Repeat("n", 1000)+"q"), stop) {
		<-ctx.Done() // q is heard though nobody took the keys before it
	}
	if !errors.Is(context.Cause(ctx), errQuit) {
		t.Errorf("q after 1,000 keys: cause %v, want %v", context.Cause(ctx), errQuit)
	}
}

func TestReview(t *testing.T) {
	var v review
	for range 3 {
		v.add(scene{})
	}
	type state struct {
		changed, play bool
		at            int
		paused        bool
	}
	for i, step := range []struct {
		key  key
		want state
	}{
		{keyStep, state{false, false, 2, false}}, // only while paused
		{keyPause, state{true, false, 2, true}},
		{keyBack, state{true, false, 1, true}},
		{keyBack, state{true, false, 0, true}},
		{keyBack, state{false, false, 0, true}}, // there is nothing before
		{keyStep, state{true, false, 1, true}},
		{keyStep, state{true, false, 2, true}},
		{keyStep, state{false, true, 2, true}}, // nothing seen is left: the game goes on
		{keyPause, state{true, false, 2, false}},
		{keyBack, state{true, false, 1, true}}, // pauses too
	} {
		changed, play := v.press(step.key)
		if got := (state{changed, play, v.at, v.paused}); got != step.want {
			t.Fatalf("key %d of the row: %+v, want %+v", i+1, got, step.want)
		}
	}
	if v.add(scene{}); !v.newest() || v.forward() || v.at != 3 {
		t.Errorf("after a new position: the one shown is %d, want the newest, 3", v.at)
	}
	v.at = 0
	if !v.forward() || v.at != 1 {
		t.Errorf("on from the first: %d, want 1", v.at)
	}
}
