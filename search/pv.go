package search

import "plyfit/game"

// variation is the triangular table of principal variations: by ply of the line
// at hand, the moves that were best from there on.
type variation struct {
	ply   int
	lines [][]game.Move
}

// restart goes back to the root, whose line is empty.
func (v *variation) restart() {
	v.ply = 0
	if len(v.lines) == 0 {
		v.lines = make([][]game.Move, 1)
	}
	v.clear()
}

func (v *variation) clear() { v.lines[v.ply] = v.lines[v.ply][:0] }

// down goes to the next ply, up back from it.
func (v *variation) down() {
	v.ply++
	if len(v.lines) <= v.ply {
		v.lines = append(v.lines, nil)
	}
}

func (v *variation) up() { v.ply-- }

// extend makes m, then the line of the present ply, the line of the ply above.
func (v *variation) extend(m game.Move) {
	v.lines[v.ply-1] = append(append(v.lines[v.ply-1][:0], m), v.lines[v.ply]...)
}
