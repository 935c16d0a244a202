package pacman

import (
	"fmt"
	"strings"

	"plyfit/game"
	"plyfit/internal/svg"
)

// ghostPaints contains the colours of the ghosts by number. The fifth ghost has the first colour
// again, and so on.
var ghostPaints = [4]string{"#ef4136", "#f49ac1", "#2bc8d8", "#f7941d"}

// SVG implements [game.Illustrator]. It draws the maze, the food, the capsules, the ghosts, and
// Pacman facing in the direction of the last move. Scared ghosts are blue. The places are the four
// edges, one for each direction, and the middle, for stopping.
func (s *State) SVG(game.Player) string {
	const cell = 36.0
	width, height := float64(s.Width)*cell, float64(s.Height)*cell
	p := svg.New(width, height+30, "pacman: "+s.String())
	p.Rect(0, 0, width, height+30, 8, "#07080f")
	s.pictureMaze(p, cell)
	at := s.at()
	for i := range s.ghosts {
		g := at.ghosts[i]
		x, y := s.pixel(g.at, cell)
		colour := ghostPaints[i%len(ghostPaints)]
		if g.timer > 0 {
			colour = "#3f62ff"
		}
		drawGhost(p, x, y, colour)
	}
	x, y := s.pixel(at.pacman, cell)
	if at.turn == lost {
		p.Path("M"+svg.Point(x-11, y-11)+"l22 22m0-22l-22 22", "none", "stroke", "#ff5c4d", "stroke-width", "6", "stroke-linecap", "round")
	} else {
		s.drawPacman(p, x, y)
	}
	text := fmt.Sprintf("score %d, food %d", at.score, at.left)
	switch at.turn {
	case won:
		text += ", won"
	case lost:
		text += ", lost"
	}
	p.Text(width/2, height+21, 17, "#f4f4f6", text)
	p.Place("left", 0, 0, width/3, height)
	p.Place("right", 2*width/3, 0, width/3, height)
	p.Place("up", width/3, 0, width/3, height/3)
	p.Place("down", width/3, 2*height/3, width/3, height/3)
	p.Place("stop", width/3, height/3, width/3, height/3)
	return p.String()
}

// pixel returns the coordinates of the centre of a half-cell.
func (s *State) pixel(h int16, cell float64) (x, y float64) {
	x2, y2 := int(h)%s.stride, int(h)/s.stride
	return (float64(x2)/2 + 0.5) * cell, (float64(s.Height) - float64(y2)/2 - 0.5) * cell
}

func (s *State) pictureMaze(p *svg.Picture, cell float64) {
	middle := func(x, y int) (float64, float64) {
		return (float64(x) + 0.5) * cell, (float64(s.Height-1-y) + 0.5) * cell
	}
	var outline strings.Builder
	for y := range s.Height {
		for x := range s.Width {
			if !s.wall(x, y) {
				continue
			}
			cx, cy := middle(x, y)
			alone := true
			for i, to := range [4]spot{{x + 1, y}, {x, y + 1}, {x - 1, y}, {x, y - 1}} {
				if s.joined(spot{x, y}, to) {
					alone = false
					if i < 2 {
						tx, ty := middle(to.x, to.y)
						outline.WriteString("M" + svg.Point(cx, cy) + "L" + svg.Point(tx, ty))
					}
				}
			}
			if alone && !s.buried(x, y) {
				p.Rect(cx-7, cy-7, 14, 14, 4, "#3a63f3")
			}
		}
	}
	p.Path(outline.String(), "none", "stroke", "#3a63f3", "stroke-width", "9", "stroke-linecap", "round", "stroke-linejoin", "round")
	for cell, at := range s.cells {
		if s.words[cell>>6]&(1<<(cell&63)) != 0 {
			cx, cy := middle(at.x, at.y)
			p.Circle(cx, cy, 4, "#ffe2c2")
		}
	}
	for i, c := range s.capsules {
		if s.at().capsules&(1<<i) != 0 {
			cx, cy := middle(s.cells[c].x, s.cells[c].y)
			p.Circle(cx, cy, 9, "#ffffff")
		}
	}
}

// drawPacman draws Pacman facing in the direction of the last move. Before the first move, Pacman
// faces right.
func (s *State) drawPacman(p *svg.Picture, x, y float64) {
	turn := 0
	for ply := s.ply; ply > 0; ply-- {
		if d := s.line[ply].pacman - s.line[ply-1].pacman; d != 0 {
			for heading, step := range s.step {
				if heading != Stop && d == 2*step {
					turn = [5]int{West: 180, North: 270, South: 90}[heading]
				}
			}
			break
		}
	}
	p.Path("M"+svg.Point(x, y)+"l11.500-9.600a15 15 0 1 0 0 19.200z", "#ffd93b", "transform", fmt.Sprintf("rotate(%d %.2f %.2f)", turn, x, y))
}

func drawGhost(p *svg.Picture, x, y float64, colour string) {
	p.Path("M"+svg.Point(x-13, y+14)+"v-14a13 13 0 0 1 26 0v14l-4.330-4-4.330 4-4.340-4-4.330 4-4.330-4z", colour)
	for _, dx := range [2]float64{-5, 5} {
		p.Circle(x+dx, y-2, 4, "#ffffff")
		p.Circle(x+dx, y-2, 2, "#11142b")
	}
}

// Clicks implements [game.Illustrator]. The places are the edges and the middle of the maze. The
// ghosts' moves have no place.
func (s *State) Clicks(m game.Move) [][]string {
	if s.Turn() != 0 {
		return nil
	}
	return [][]string{{[5]string{West: "left", Stop: "stop", East: "right", North: "up", South: "down"}[m]}}
}
