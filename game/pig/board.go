package pig

import (
	"fmt"
	"strings"

	"plyfit/game"
	"plyfit/internal/text"
)

// Draw implements [game.Drawer]. For each player, it draws a bar with the player's score and,
// hatched, the turn total. The last roll follows.
func (s *State) Draw(colour bool) string {
	const width = 50
	p := s.at()
	var b strings.Builder
	for i := range game.Player(s.players) {
		held, turn := int(p.scores[i]), 0
		if i == p.player {
			turn = int(p.turn)
		}
		h, t := held*width/s.target, (held+turn)*width/s.target
		mark := " "
		if i == p.player {
			mark = ">"
		}
		fmt.Fprintf(&b, "%s player %d  %s%s%s %4d", mark, i,
			text.Paint(colour, strings.Repeat("█", h), text.Fg(39)), text.Paint(colour, strings.Repeat("▒", t-h), text.Fg(220)), text.Paint(colour, strings.Repeat("·", width-t), text.Fg(240)), held)
		if turn > 0 {
			b.WriteString(text.Paint(colour, fmt.Sprintf(" + %d", turn), text.Fg(220)))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "target %d", s.target)
	if face := s.rolled(); face > 0 {
		fmt.Fprintf(&b, "   rolled %s %d", []string{"⚀", "⚁", "⚂", "⚃", "⚄", "⚅"}[face-1], face)
		if face == 1 {
			b.WriteString(text.Paint(colour, ": the turn is lost", text.Fg(203)))
		}
	}
	switch p.stage {
	case over:
		fmt.Fprintf(&b, "   player %d wins", p.player)
	case rolling:
		b.WriteString("   the die rolls")
	}
	b.WriteByte('\n')
	return b.String()
}

// rolled returns the face of the last roll. It returns 0 if the die was not just rolled, or if the
// face is unknown because the turn total was limited to the points needed.
func (s *State) rolled() int {
	if s.ply == 0 || s.line[s.ply-1].stage != rolling {
		return 0
	}
	p, before := s.at(), &s.line[s.ply-1]
	switch {
	case p.player != before.player:
		return 1
	case int(p.scores[p.player]+p.turn) == s.target:
		return 0
	}
	return int(p.turn - before.turn)
}

// mostSteps is the maximum number of steps into which the points up to the target are divided.
const mostSteps = 50

// Cells implements [game.Celled]. Each cell contains a number of points, in units of one step.
func (s *State) Cells() game.Cells {
	return game.Cells{
		Rows: 1, Columns: s.players + 1, States: s.steps() + 1,
		Legend: "progress towards the target: own score, the other scores in order of play, turn total",
	}
}

// steps returns the number of steps into which the points up to the target are divided.
func (s *State) steps() int { return min(s.target, mostSteps) }

func (s *State) Fill(p game.Player, dst []uint8) {
	at := s.at()
	step := func(points uint16) uint8 { return uint8(min(int(points), s.target) * s.steps() / s.target) }
	for i := range s.players {
		dst[i] = step(at.scores[(int(p)+i)%s.players])
	}
	dst[s.players] = step(at.turn)
}
