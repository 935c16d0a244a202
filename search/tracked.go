package search

import "plyfit/game"

// tracked is a position whose evaluation is a [Tracker], kept up to date along the
// line of play.
type tracked struct {
	pos    *position
	pushed []bool // with slip: whether each Play told the tracker
}

// Play tells the tracker of m, unless it is only chosen and yet to slip, and makes
// it.
func (t *tracked) Play(m game.Move) {
	p := t.pos
	moves := true
	if p.slip != nil {
		_, pending := p.slip.Intended()
		moves = pending || p.base.Turn() < 0
		t.pushed = append(t.pushed, moves)
	}
	if moves {
		p.static.tracker.Push(p.base, m)
	}
	p.state.Play(m)
}

// Undo takes the last Play back.
func (t *tracked) Undo() {
	p := t.pos
	p.state.Undo()
	if p.slip != nil {
		last := len(t.pushed) - 1
		moved := t.pushed[last]
		t.pushed = t.pushed[:last]
		if !moved {
			return
		}
	}
	p.static.tracker.Pop()
}
