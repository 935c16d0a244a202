package position

import "plyfit/game"

// tracked is a position whose evaluation is a [Tracker], updated along the line of play.
type tracked struct {
	pos    *Position
	pushed []bool // with slip: whether each Play told the tracker
}

// Play makes m and tells the tracker, unless m is only chosen and yet to slip.
func (t *tracked) Play(m game.Move) {
	p := t.pos
	moves := true
	if p.Slip != nil {
		_, pending := p.Slip.Intended()
		moves = pending || p.Base.Turn() < 0
		t.pushed = append(t.pushed, moves)
	}
	if moves {
		p.Static.tracker.Push(p.Base, m)
	}
	p.State.Play(m)
}

// Undo takes the last Play back.
func (t *tracked) Undo() {
	p := t.pos
	p.State.Undo()
	if p.Slip != nil {
		last := len(t.pushed) - 1
		moved := t.pushed[last]
		t.pushed = t.pushed[:last]
		if !moved {
			return
		}
	}
	p.Static.tracker.Pop()
}
