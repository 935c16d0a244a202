package serve

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"plyfit/game"
	"plyfit/internal/svg"
	"plyfit/search"
)

// diagram draws a small search tree: each node with its value, what was not searched
// dashed, the chosen branch wide. It draws the children that a search left out, too, as
// far as the position at the root, which must be one of game tree, knows them.
type diagram struct {
	tree *searchTree
	p    *svg.Picture
	next float64 // where the next leaf stands
}

const (
	leafWidth, levelHeight, margin = 66.0, 96.0, 30.0
)

// draw is the picture of the tree below s, an explicit tree.
func (t *searchTree) draw(s game.State, label string) template.HTML {
	leaves, depth := extent(s)
	width := float64(leaves)*leafWidth + 2*margin
	height := float64(depth)*levelHeight + 2*margin + 10
	d := diagram{tree: t, p: svg.New(width, height, label), next: margin + leafWidth/2}
	d.p.Rect(0, 0, width, height, 10, "#f7f4ec")
	d.node(s, t.Root, margin+14, "")
	return template.HTML(d.p.String())
}

// extent is how many leaves lie below s, and how deep.
func extent(s game.State) (leaves, depth int) {
	moves := s.Moves(nil)
	if len(moves) == 0 {
		return 1, 0
	}
	for _, m := range moves {
		s.Play(m)
		l, d := extent(s)
		s.Undo()
		leaves, depth = leaves+l, max(depth, d+1)
	}
	return leaves, depth
}

// node draws what stands at s and below it, and gives its x. i is the node of the
// search there, -1 where it was not searched.
func (d *diagram) node(s game.State, i int, y float64, branch string) (x float64) {
	moves := s.Moves(nil)
	if len(moves) == 0 {
		x = d.next
		d.next += leafWidth
		d.leaf(s, x, y, i >= 0)
		return x
	}
	type kid struct {
		x        float64
		searched bool
		name     string
		odds     string
	}
	var kids []kid
	for _, m := range moves {
		name, odds := s.MoveString(m), ""
		if c, ok := game.As[game.Chancer](s); ok && s.Turn() == game.Chance {
			odds = number(c.Prob(m))
		}
		child := -1
		if i >= 0 {
			at := slices.IndexFunc(d.tree.Nodes[i].Children, func(k int) bool { return d.tree.Nodes[k].Move == name })
			if at >= 0 {
				child = d.tree.Nodes[i].Children[at]
			}
		}
		s.Play(m)
		kids = append(kids, kid{d.node(s, child, y+levelHeight, name), child >= 0, name, odds})
		s.Undo()
	}
	x = (kids[0].x + kids[len(kids)-1].x) / 2
	for _, k := range kids {
		colour, wide, dash := "#6f675a", 2.0, ""
		switch {
		case !k.searched:
			colour, dash = "#8a8172", "5 5"
		case branch == "" && k.name == d.tree.best:
			colour, wide = "#0f6b3f", 6
		}
		d.p.Line(x, y+20, k.x, y+levelHeight-20, wide, colour, "stroke-dasharray", dash)
		if k.odds != "" {
			mx, my := (x+k.x)/2, y+levelHeight/2
			d.p.Rect(mx-18, my-11, 36, 21, 5, "#f7f4ec")
			d.p.Text(mx, my+5, 13, "#5b4608", k.odds)
		}
	}
	d.inner(s.Turn(), i, x, y)
	return x
}

// leaf draws an end of the tree.
func (d *diagram) leaf(s game.State, x, y float64, searched bool) {
	text := fmt.Sprintf("%.3g", s.Utility(0))
	width := max(34, 10*float64(len(text))+12)
	fill, ink, dash := "#ffffff", "#26221a", ""
	if !searched {
		fill, ink, dash = "#ebe6da", "#6b6354", "4 3"
	}
	d.p.Rect(x-width/2, y-15, width, 30, 6, fill, "stroke", "#6f675a", "stroke-width", "1.5", "stroke-dasharray", dash)
	d.p.Text(x, y+6, 16, ink, text)
}

// inner draws a node that has children, with the value that the search left there.
func (d *diagram) inner(turn game.Player, i int, x, y float64) {
	value := ""
	if i >= 0 {
		n := &d.tree.Nodes[i]
		value = map[search.Bound]string{search.Exact: "", search.Lower: "≥", search.Upper: "≤"}[n.Bound] + fmt.Sprintf("%.3g", n.Value)
	}
	switch {
	case turn == game.Chance:
		d.p.Circle(x, y, 23, "#f0c24a", "stroke", "#6d5206", "stroke-width", "2")
		d.p.Text(x, y+6, 15, "#2e2302", value, "font-weight", "700")
	case turn == 0:
		d.p.Path("M"+svg.Point(x, y-30)+"L"+svg.Point(x+34, y+22)+"L"+svg.Point(x-34, y+22)+"z", "#245d9e", "stroke", "#173a61", "stroke-width", "2")
		d.p.Text(x, y+15, 15, "#ffffff", value, "font-weight", "700")
	default:
		d.p.Path("M"+svg.Point(x, y+30)+"L"+svg.Point(x+34, y-22)+"L"+svg.Point(x-34, y-22)+"z", "#a83a28", "stroke", "#611d12", "stroke-width", "2")
		d.p.Text(x, y-4, 15, "#ffffff", value, "font-weight", "700")
	}
}

// The most runes of a name beside its bar, and above it, where letters are large on
// narrow screens.
const mostBeside, mostAbove = 20, 44

// bars is a picture of numbers by their names, around zero, with intervals where there
// are any. Names stand beside the bars, or above them if any is too long.
func bars(names []string, values, errors []float64, label string) template.HTML {
	const width, numbers, thick = 360.0, 90.0, 15.0
	row, left, above := 24.0, 210.0, 0.0 // above: of a row, the part for its name
	largest := 0.0
	for i, v := range values {
		largest = max(largest, math.Abs(v)+2*errors[i])
		if utf8.RuneCountInString(names[i]) > mostBeside {
			row, left, above = 40, 0, 16
		}
	}
	if largest == 0 {
		largest = 1
	}
	height := float64(len(names))*row + 16
	p := svg.New(left+width+numbers, height, label)
	p.Rect(0, 0, left+width+numbers, height, 8, "#ffffff")
	zero, scale := left+width/2, width/2/largest
	for i, name := range names {
		y := 8 + float64(i)*row
		if runes := []rune(name); len(runes) > mostAbove {
			name = string(runes[:mostAbove-1]) + "…"
		}
		if above > 0 {
			p.Text(8, y+13, 13, "#1b2330", name, "text-anchor", "start")
		} else {
			p.Text(left-8, y+16, 13, "#1b2330", name, "text-anchor", "end")
		}
		y += above
		p.Line(zero, y, zero, y+row-above, 1, "#7b8798")
		length := values[i] * scale
		colour := "#1f6fb2"
		if length < 0 {
			colour = "#b8432f"
		}
		p.Rect(min(zero, zero+length), y+4, math.Abs(length), thick, 2, colour)
		if e := 1.96 * errors[i] * scale; e > 0 {
			end := zero + length
			p.Path(strings.Join([]string{"M", svg.Point(end-e, y+11.5), "L", svg.Point(end+e, y+11.5)}, ""), "none", "stroke", "#1b2330", "stroke-width", "1.6")
		}
		p.Text(left+width+numbers-6, y+16, 13, "#1b2330", fmt.Sprintf("%.4g", values[i]), "text-anchor", "end")
	}
	return template.HTML(p.String())
}
