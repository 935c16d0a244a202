package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"plyfit/internal/failure"
)

// key is what a person asks for who watches a game.
type key int

const (
	keyNone key = iota
	keyPause
	keyStep
	keyBack
	keyQuit
	keyInterrupt
)

// errQuit is the cause of a context that the person ended by the key for it.
var errQuit = errors.New("the person quit")

// keyParser takes the keys out of a terminal's bytes. An arrow is three of them: escape,
// [ or O, then a letter; parameters before the letter are skipped.
type keyParser struct {
	escaped  bool // the byte before was escape
	sequence bool // an escape sequence goes on
}

// next is the key that b completes, keyNone where it completes none that is known.
func (p *keyParser) next(b byte) key {
	switch {
	case p.sequence:
		if b < 0x40 { // a parameter
			return keyNone
		}
		p.sequence = false
		switch b {
		case 'C':
			return keyStep
		case 'D':
			return keyBack
		}
		return keyNone
	case p.escaped && (b == '[' || b == 'O'):
		p.escaped, p.sequence = false, true
		return keyNone
	}
	p.escaped = b == 0x1b
	switch b {
	case ' ':
		return keyPause
	case 'n':
		return keyStep
	case 'p':
		return keyBack
	case 'q':
		return keyQuit
	case 0x03: // Ctrl-C, of which a terminal in raw mode makes no signal
		return keyInterrupt
	}
	return keyNone
}

// listen reads keys until in ends. Those that end the game do so at once, by stop, even
// while an agent thinks; the others are sent. More than the buffer holds are dropped.
// The channel is closed when no more will come.
func listen(in io.Reader, stop context.CancelCauseFunc) <-chan key {
	keys := make(chan key, 64)
	go func() {
		defer close(keys)
		var p keyParser
		for buf := make([]byte, 64); ; {
			n, err := in.Read(buf)
			for _, b := range buf[:n] {
				switch k := p.next(b); k {
				case keyNone:
				case keyQuit:
					stop(errQuit)
					return
				case keyInterrupt:
					stop(context.Canceled)
					return
				default:
					select {
					case keys <- k:
					default:
					}
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return keys
}

// raw has the terminal that in is give every key as it is pressed, until restore is
// called. It reports whether in is a terminal that does.
func raw(in io.Reader) (restore func(), ok bool) {
	f, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, false
	}
	before, err := term.MakeRaw(int(f.Fd()))
	if err != nil {
		return nil, false
	}
	return func() { term.Restore(int(f.Fd()), before) }, true
}

// review is which of the positions seen so far stands before the person.
type review struct {
	seen   []scene
	at     int // the one shown
	paused bool
}

// add has the newest position shown.
func (v *review) add(s scene) {
	v.seen = append(v.seen, s)
	v.at = len(v.seen) - 1
}

// newest reports whether the newest position is shown.
func (v *review) newest() bool { return v.at == len(v.seen)-1 }

// forward shows the next one seen, and reports whether there was one.
func (v *review) forward() bool {
	if v.newest() {
		return false
	}
	v.at++
	return true
}

// press obeys a key. changed: there is something else to show; play: the game is to go on
// by a move. Going back pauses too, or what is shown would be gone at once.
func (v *review) press(k key) (changed, play bool) {
	switch {
	case k == keyPause:
		v.paused = !v.paused
		return true, false
	case k == keyStep && v.paused:
		changed = v.forward()
		return changed, !changed
	case k == keyBack && v.at > 0:
		v.at--
		v.paused = true
		return true, false
	}
	return false, false
}

// attend shows the newest position and obeys keys, until the game is to go on, or, where
// it is over, to be left. delay is how long the newest position stays.
func (sh *show) attend(ctx context.Context, over bool, delay time.Duration) error {
	for {
		text := strings.ReplaceAll(sh.frame(&sh.seen[sh.at]), "\n", "\r\n")
		if _, err := io.WriteString(sh.w, text); err != nil {
			return failure.Of(err)
		}
		stays := sh.delay
		if sh.newest() {
			stays = delay
		}
		if done, err := sh.obey(ctx, over, stays); done || err != nil {
			return err
		}
	}
}

// obey waits until there is something else to show, or reports that the game is to go on.
// Unless paused the position on show stays that long.
func (sh *show) obey(ctx context.Context, over bool, stays time.Duration) (done bool, err error) {
	timer := time.After(stays)
	for {
		expired := timer
		if sh.paused {
			expired = nil
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-expired:
			return !sh.forward(), nil
		case k, open := <-sh.keys:
			if !open { // nobody is left to end a pause
				sh.keys, sh.paused = nil, false
				return false, nil
			}
			changed, play := sh.press(k)
			if changed || play && !over {
				return play, nil
			}
		}
	}
}

// hint says which keys there are.
func (sh *show) hint() string {
	if !sh.paused {
		return "space: pause   p: back   q: quit"
	}
	return fmt.Sprintf("position %d of %d   n: one move on   p: back   space: play on   q: quit", sh.at+1, len(sh.seen))
}
