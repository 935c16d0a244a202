package pig

import (
	"fmt"

	"plyfit/game"
	"plyfit/internal/svg"
)

// SVG implements [game.Illustrator]. It draws a bar for each player with the score and the turn
// total. Below the bars are the die, which is the place to roll, and the place to hold.
func (s *State) SVG(game.Player) string {
	const width, row, left, bar = 520.0, 56.0, 96.0, 340.0
	at := s.at()
	height := float64(s.players)*row + 150
	p := svg.New(width, height, "pig: "+s.String())
	p.Rect(0, 0, width, height, 12, "#fbe9ec")
	for i := range game.Player(s.players) {
		y := 18 + float64(i)*row
		held, turn := float64(at.scores[i]), 0.0
		if i == at.player {
			turn = float64(at.turn)
			p.Rect(8, y-6, width-16, row-8, 8, "#ffffff", "stroke", "#b2345a", "stroke-width", "2")
		}
		scale := bar / float64(s.target)
		p.Text(18, y+24, 17, "#3b1622", fmt.Sprintf("player %d", i), "text-anchor", "start")
		p.Rect(left, y+6, bar, 24, 4, "#ead0d6")
		p.Rect(left, y+6, (held+turn)*scale, 24, 4, "#f0a53c")
		p.Rect(left, y+6, held*scale, 24, 4, "#b2345a")
		text := fmt.Sprintf("%.0f", held)
		if turn > 0 {
			text += fmt.Sprintf("+%.0f", turn)
		}
		p.Text(width-20, y+24, 18, "#3b1622", text, "text-anchor", "end", "font-weight", "700")
	}
	y := float64(s.players)*row + 28
	face := s.rolled()
	p.Die(130, y, 76, face, "#ffffff", "#3b1622", "#3b1622")
	switch {
	case face == 1:
		p.Text(270, y+44, 17, "#8c1434", "a 1: the turn is lost", "text-anchor", "start")
	case at.stage == over:
		p.Text(270, y+44, 19, "#3b1622", fmt.Sprintf("player %d wins", at.player), "text-anchor", "start", "font-weight", "700")
	}
	p.Text(30, y+44, 18, "#3b1622", "roll", "text-anchor", "start")
	p.Place("roll", 20, y-8, 210, 96)
	if at.stage == deciding && at.turn > 0 {
		p.Rect(400, y+10, 100, 56, 10, "#b2345a")
		p.Text(450, y+46, 20, "#ffffff", "hold", "font-weight", "700")
	}
	p.Place("hold", 400, y-8, 110, 96)
	return p.String()
}

// Clicks implements [game.Illustrator]. The places are the die and the button to hold.
func (s *State) Clicks(m game.Move) [][]string {
	if s.Turn() == game.Chance {
		return nil
	}
	return [][]string{{s.MoveString(m)}}
}
