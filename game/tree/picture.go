package tree

import (
	"fmt"
	"strconv"

	"plyfit/game"
	"plyfit/internal/svg"
)

var _ game.Illustrator = (*State)(nil)

// widest is how many leaves a picture shows at most.
const widest = 48

// SVG implements [game.Illustrator]: max as a triangle that points up, min as one that
// points down, chance as a circle with the probabilities on its branches. The children
// of the present node are the places of its moves. Large trees are told of in words.
func (s *State) SVG(game.Player) string {
	const column, level, edge = 58.0, 92.0, 34.0
	n := &s.nodes[s.at]
	label := "tree: " + s.String()
	leaves := max(s.Leaves(), 1)
	if leaves > widest {
		p := svg.New(480, 120, "tree: too large for a picture")
		p.Rect(0, 0, 480, 120, 10, "#f5f2ea")
		p.Text(240, 66, 18, "#3a3327", fmt.Sprintf("%s: %d leaves below, %d moves deep", n.word, leaves, n.depth))
		return p.String()
	}
	width, height := max(float64(leaves)*column, 160)+2*edge, float64(n.depth)*level+2*edge
	p := svg.New(width, height, label)
	p.Rect(0, 0, width, height, 10, "#f5f2ea")
	d := diagram{tree: s.tree, p: p, column: column, level: level, next: edge + column/2}
	if leaves == 1 {
		d.next = width / 2
	}
	d.node(s.at, edge, "")
	return p.String()
}

// diagram is a picture of a tree in the making: leaves stand side by side, each node
// above the middle of its children.
type diagram struct {
	*tree
	p             *svg.Picture
	column, level float64
	next          float64 // where the next leaf stands
}

// node draws node i and all below it, and gives its x; place is its name as a place.
func (d *diagram) node(i int32, y float64, place string) (x float64) {
	n := &d.nodes[i]
	if n.count == 0 {
		x = d.next
		d.next += d.column
	}
	var below []float64
	for k := range n.count {
		child := ""
		if y < d.level { // the root's
			child = strconv.Itoa(int(k) + 1)
		}
		below = append(below, d.node(d.children[n.first+k], y+d.level, child))
	}
	if len(below) > 0 {
		x = (below[0] + below[len(below)-1]) / 2
	}
	for k, to := range below {
		d.p.Line(x, y+16, to, y+d.level-16, 2, "#7d7363")
		if n.turn == game.Chance {
			odds := d.nodes[d.children[n.first+int32(k)]].odds
			mx, my := (x+to)/2, y+d.level/2
			d.p.Rect(mx-16, my-10, 32, 20, 5, "#f5f2ea")
			d.p.Text(mx, my+5, 13, "#5b4608", odds)
		}
	}
	drawNode(d.p, x, y, n)
	if place != "" {
		d.p.Place(place, x-26, y-26, 52, 52)
	}
	return x
}

// drawNode draws one node in its own form.
func drawNode(p *svg.Picture, x, y float64, n *node) {
	switch {
	case n.count == 0:
		width := max(30, 9*float64(len(n.word))+12)
		p.Rect(x-width/2, y-14, width, 28, 6, "#ffffff", "stroke", "#7d7363", "stroke-width", "1.5")
		p.Text(x, y+6, 16, "#26221a", n.word)
	case n.turn == game.Chance:
		p.Circle(x, y, 20, "#f0c24a", "stroke", "#6d5206", "stroke-width", "2")
	case n.turn == 0:
		p.Path("M"+svg.Point(x, y-23)+"L"+svg.Point(x+25, y+19)+"L"+svg.Point(x-25, y+19)+"z", "#2f6db3", "stroke", "#173a61", "stroke-width", "2")
		p.Text(x, y+14, 12, "#ffffff", n.word)
	default:
		p.Path("M"+svg.Point(x, y+23)+"L"+svg.Point(x+25, y-19)+"L"+svg.Point(x-25, y-19)+"z", "#b8432f", "stroke", "#611d12", "stroke-width", "2")
		p.Text(x, y-5, 12, "#ffffff", n.word)
	}
}

// Clicks implements [game.Illustrator]: the child; chance has none, and neither has a
// tree too large for a picture.
func (s *State) Clicks(m game.Move) [][]string {
	if s.Turn() < 0 || s.Leaves() > widest {
		return nil
	}
	return [][]string{{s.MoveString(m)}}
}
