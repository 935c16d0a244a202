package backgammon

import (
	"fmt"
	"strconv"
	"strings"

	"plyfit/game"
	"plyfit/internal/svg"
)

// Dimensions of the picture: the width of a point and the length of its triangle, the radius of a
// checker, and the widths of the bar and the frame.
const (
	pointWidth, pointLength = 52.0, 190.0
	radius, barWidth, frame = 22.0, 56.0, 22.0
	boardWidth              = 12*pointWidth + barWidth + 70
	boardHeight             = 2*pointLength + 110
)

// SVG implements [game.Illustrator]. X's checkers are light and O's are dark, and the home boards
// are on the right. The points are numbered from the point of view of the player below, who sits at
// the bottom.
func (s *State) SVG(below game.Player) string {
	p := svg.New(boardWidth+2*frame, boardHeight+2*frame, "backgammon: "+s.String())
	p.Rect(0, 0, boardWidth+2*frame, boardHeight+2*frame, 12, "#4a2f1d")
	p.Rect(frame, frame, 12*pointWidth+barWidth, boardHeight, 0, "#1f5c46")
	p.Rect(frame+6*pointWidth, frame, barWidth, boardHeight, 0, "#4a2f1d")
	at, touched := s.at(), s.touched()
	if below != 1 {
		below = 0
	}
	for i := 1; i <= 24; i++ { // in the numbering of the player below
		mine := i
		if below == 1 {
			mine = 25 - i
		}
		drawPoint(p, i, at.sides[0].count(mine), at.sides[1].count(25-mine), touched>>mine&1 != 0)
		x, y, _ := pointAt(i)
		name := mine
		if at.player == 1 {
			name = 25 - mine
		}
		p.Place(strconv.Itoa(name), x-pointWidth/2, y, pointWidth, pointLength+20)
	}
	middle := frame + 6*pointWidth + barWidth/2
	for q := range game.Player(2) {
		y, step := frame+boardHeight/2+60, 46.0
		if q == below { // the checkers of the player below enter from the far side
			y, step = frame+boardHeight/2-60, -46.0
		}
		for k := range at.sides[q].count(Bar) {
			checker(p, middle, y+float64(k)*step, q)
		}
		s.tray(p, q, below)
	}
	p.Place("bar", middle-barWidth/2, frame, barWidth, boardHeight)
	p.Place("off", frame+12*pointWidth+barWidth, frame, 70, boardHeight)
	for k, face := range at.dice {
		if face > 0 {
			x := frame + 7.3*pointWidth + barWidth + float64(k)*60
			if at.player != below {
				x = frame + 1.6*pointWidth + float64(k)*60
			}
			p.Die(x, frame+boardHeight/2-23, 46, int(face), [2]string{"#fdf6e8", "#2c2a2e"}[at.player], [2]string{"#2c2a2e", "#fdf6e8"}[at.player], "#b8a683")
		}
	}
	return p.String()
}

// pointAt returns the horizontal centre of point i in the numbering of the player below, the top of
// the point's area, and whether the point hangs from the upper edge.
func pointAt(i int) (x, y float64, upper bool) {
	column := 12 - i
	if i > 12 {
		column, upper = i-13, true
	}
	x = frame + (float64(column)+0.5)*pointWidth
	if column >= 6 {
		x += barWidth
	}
	y = frame
	if !upper {
		y = frame + boardHeight - pointLength - 20
	}
	return x, y, upper
}

// drawPoint draws a triangle and the checkers on it, which belong to one player.
func drawPoint(p *svg.Picture, i, x, o int, touched bool) {
	cx, _, upper := pointAt(i)
	base, sign, text := frame+boardHeight, -1.0, frame+boardHeight+16
	if upper {
		base, sign, text = frame, 1.0, frame-7
	}
	colour := [2]string{"#c9a066", "#8b3a2b"}[i%2]
	p.Path("M"+svg.Point(cx-pointWidth/2+2, base)+"L"+svg.Point(cx, base+sign*pointLength)+"L"+svg.Point(cx+pointWidth/2-2, base)+"z", colour)
	p.Text(cx, text, 14, "#f5e9d8", strconv.Itoa(i))
	count, player := x, game.Player(0)
	if o > 0 {
		count, player = o, 1
	}
	step := min(2*radius, (pointLength+10-2*radius)/float64(max(count-1, 1)))
	for k := range count {
		checker(p, cx, base+sign*(radius+2+float64(k)*step), player)
	}
	if count > 5 {
		p.Text(cx, base+sign*(radius+2+float64(count-1)*step)+6, 17, [2]string{"#1c1a18", "#ffffff"}[player], strconv.Itoa(count), "font-weight", "700")
	}
	if touched {
		p.Circle(cx, base+sign*6, 5, "#ffd23e")
	}
}

func checker(p *svg.Picture, x, y float64, player game.Player) {
	p.Circle(x, y, radius, [2]string{"#f4ead9", "#2c2a2e"}[player], "stroke", [2]string{"#8d7a5c", "#8a8690"}[player], "stroke-width", "2.5")
	p.Circle(x, y, radius-8, "none", "stroke", [2]string{"#b8a683", "#55525a"}[player], "stroke-width", "2")
}

// tray draws the number of checkers that a player has borne off, and the player's pips.
func (s *State) tray(p *svg.Picture, player, below game.Player) {
	x, y := frame+12*pointWidth+barWidth+35, frame+34.0
	if player == below {
		y = frame + boardHeight - 62
	}
	side := &s.at().sides[player]
	p.Circle(x, y-14, 8, [2]string{"#f4ead9", "#2c2a2e"}[player], "stroke", "#b8a683", "stroke-width", "1.5")
	p.Text(x, y+14, 16, "#f5e9d8", fmt.Sprintf("off %d", side.count(Off)))
	p.Text(x, y+34, 13, "#f5e9d8", fmt.Sprintf("%d pips", side.pips()))
}

// Clicks implements [game.Illustrator]. There is a chain for each checker that moves. The places in
// a chain are points in the mover's numbering, the bar, and off. A pass and a roll have no places.
func (s *State) Clicks(m game.Move) [][]string {
	if s.Turn() == game.Chance || m == pass {
		return nil
	}
	var chains [][]string
	for _, h := range s.hops(m) {
		chains = append(chains, strings.Split(strings.ReplaceAll(h.String(), "*", ""), "/"))
	}
	return chains
}
