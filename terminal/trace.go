package terminal

import (
	"fmt"
	"io"
	"math"
	"strings"

	"plyfit/game"
	"plyfit/internal/failure"
	"plyfit/search"
)

// Tracer prints every node that a search tells it of: how many decisions are
// left below it, its value or bound in player 0's view, the position, the window
// in which its value was sought, and the moves that were not searched. Nodes
// are told of when they are left, so children come before their parents.
//
// It is the observer of one search after another, never of two at once.
type Tracer struct {
	w           io.Writer
	alpha, beta float64
	windowed    bool
	told        []toldNode // nodes whose parent was not told of yet
	err         error      // the first of writing
}

type toldNode struct {
	hash  uint64
	depth int
}

var _ search.WindowObserver = (*Tracer)(nil)

// NewTracer is a tracer that writes to w, a line a node.
func NewTracer(w io.Writer) *Tracer { return &Tracer{w: w} }

// Begin forgets the nodes told of so far: a new search follows.
func (t *Tracer) Begin() { t.told = t.told[:0] }

// Err is the first error of writing, marked as a failure; nil if there was none.
func (t *Tracer) Err() error { return failure.Of(t.err) }

// Window keeps the window, in player 0's view, of the node that is told of next.
func (t *Tracer) Window(alpha, beta float64) { t.alpha, t.beta, t.windowed = alpha, beta, true }

// Node prints a node with depth decisions left below it; value is player 0's.
func (t *Tracer) Node(s game.State, depth int, value float64, kind search.Bound) {
	sign := map[search.Bound]string{search.Exact: "=", search.Lower: ">=", search.Upper: "<="}[kind]
	line := fmt.Sprintf("depth %2d  %-2s %-10s %s", depth, sign, Number(value), s)
	if t.windowed && !(math.IsInf(t.alpha, -1) && math.IsInf(t.beta, 1)) {
		line += strings.ToLower(fmt.Sprintf("  window %s to %s", Number(t.alpha), Number(t.beta)))
	}
	if cut := t.claim(s.Clone(), depth); len(cut) > 0 {
		line += "  cut " + strings.Join(cut, " ")
	}
	if _, err := fmt.Fprintln(t.w, line); t.err == nil {
		t.err = err
	}
}

// claim takes the children of s off the nodes told of, puts s in their place,
// and gives the moves of s that led to none of them: none for a leaf, none of
// whose moves was to be searched. It may change s.
func (t *Tracer) claim(s game.State, depth int) (cut []string) {
	moves := s.Moves(nil)
	hashes := make([]uint64, len(moves))
	for i, m := range moves {
		s.Play(m)
		hashes[i] = s.Hash()
		s.Undo()
	}
	seen := make([]bool, len(moves))
	any := false
	for n := len(t.told) - 1; n >= 0; n-- {
		child := -1
		for i, h := range hashes {
			if !seen[i] && h == t.told[n].hash && (t.told[n].depth < depth || s.Turn() == game.Chance) {
				child = i
			}
		}
		if child < 0 {
			break
		}
		seen[child], any, t.told = true, true, t.told[:n]
	}
	t.told = append(t.told, toldNode{s.Hash(), depth})
	for i, m := range moves {
		if any && !seen[i] {
			cut = append(cut, s.MoveString(m))
		}
	}
	return cut
}
