package trace

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"plyfit/internal/svg"
	"plyfit/search"
)

// mostDrawn is how many nodes and cut moves a drawing has at most; a page unfolds more.
const mostDrawn = 400

// Sizes of a drawing, in pixels.
const (
	column   = 92.0 // between leaves
	floor    = 92.0 // between levels
	nodeSize = 13.0
	margin   = 54.0
)

// Colours that stand on white and on black ground.
const (
	inkMax, inkMin, inkChance, inkLeaf, inkCut = "#1673b8", "#c2571a", "#0d8a63", "#767f8c", "#a0a6b0"
	inkText, inkGround                         = "#1b2330", "#ffffff"
)

// drawing is the places of the nodes.
type drawing struct {
	*Tree
	p      *svg.Picture
	leaves int
	levels int
	x      map[int]float64
	cuts   map[int][]float64 // of each node's cut moves
}

// drawable refuses trees that are too large to be looked at whole.
func (t *Tree) drawable() error {
	count := len(t.Nodes)
	for i := range t.Nodes {
		count += len(t.Nodes[i].Cut)
	}
	if count > mostDrawn {
		return fmt.Errorf("a tree of %d nodes and cut moves: want at most %d to draw, less depth, or a page (.html)", count, mostDrawn)
	}
	return nil
}

// WriteSVG draws the tree from the root down as textbooks do: triangles choose, upwards
// player 0 and downwards another, discs are chance, squares are leaves and ends. Each
// has its value or bound and, where it was entered with one, its window. Cut moves end
// in a cross. A tree of more than mostDrawn nodes is an error.
func (t *Tree) WriteSVG(w io.Writer) error {
	if err := t.drawable(); err != nil {
		return err
	}
	d := drawing{Tree: t, x: map[int]float64{}, cuts: map[int][]float64{}}
	d.place(t.Root, 0)
	width := 2*margin + float64(column*float64(max(d.leaves-1, 0)))
	height := 2*margin + float64(floor*float64(d.levels))
	d.p = svg.New(width, height, "The tree of a search: "+t.line(&t.Nodes[t.Root], ""))
	d.p.Rect(0, 0, width, height, 0, inkGround)
	d.draw(t.Root, 0)
	_, err := io.WriteString(w, d.p.String()+"\n")
	return err
}

// place gives node k, and all below it, columns from the left.
func (d *drawing) place(k, level int) float64 {
	n := &d.Nodes[k]
	d.levels = max(d.levels, level)
	next := func() float64 {
		d.leaves++
		return margin + float64(column*float64(d.leaves-1))
	}
	if n.Leaf() {
		d.x[k] = next()
		return d.x[k]
	}
	first, last := -1.0, 0.0
	note := func(x float64) {
		if first < 0 {
			first = x
		}
		last = x
	}
	for _, child := range n.Children {
		note(d.place(child, level+1))
	}
	for range n.Cut {
		d.levels = max(d.levels, level+1)
		x := next()
		d.cuts[k] = append(d.cuts[k], x)
		note(x)
	}
	d.x[k] = (first + last) / 2
	return d.x[k]
}

// draw draws node k and all below it, the lines first.
func (d *drawing) draw(k, level int) {
	n := &d.Nodes[k]
	x, y := d.x[k], margin+float64(floor*float64(level))
	label := func(to float64, lines []string, colour string) {
		for i, text := range lines {
			d.p.Text((x+float64(2*to))/3, y+floor*2/3-6+float64(12*float64(i)), 11, colour, text, "stroke", inkGround, "stroke-width", "4", "paint-order", "stroke")
		}
	}
	for i, change := range d.changes(n) {
		child := n.Children[i]
		to := d.x[child]
		d.p.Line(x, y, to, y+floor, 1.5, inkLeaf)
		d.draw(child, level+1)
		lines := []string{d.Nodes[child].Move}
		if odds := odds(&d.Nodes[child]); odds != "" {
			lines = append(lines, odds)
		}
		if what, _, _ := strings.Cut(change, ","); what != "" {
			lines = append(lines, what)
		}
		label(to, lines, inkText)
	}
	for i, to := range d.cuts[k] {
		d.p.Line(x, y, to, y+floor, 1.2, inkCut, "stroke-dasharray", "4 4")
		label(to, n.Cut[i:i+1], inkLeaf)
		d.p.Line(to-6, y+floor-6, to+6, y+floor+6, 2, inkCut)
		d.p.Line(to-6, y+floor+6, to+6, y+floor-6, 2, inkCut)
	}
	d.mark(n, x, y)
}

// mark draws the node itself with its value and window.
func (d *drawing) mark(n *Node, x, y float64) {
	const s = nodeSize
	switch n.who() {
	case "max":
		d.p.Path(fmt.Sprintf("M%s L%s L%s Z", svg.Point(x, y-s), svg.Point(x+s, y+s*0.8), svg.Point(x-s, y+s*0.8)), inkMax)
	case "min":
		d.p.Path(fmt.Sprintf("M%s L%s L%s Z", svg.Point(x, y+s), svg.Point(x+s, y-s*0.8), svg.Point(x-s, y-s*0.8)), inkMin)
	case "chance":
		d.p.Circle(x, y, s, inkChance)
	default:
		d.p.Rect(x-s*0.7, y-s*0.7, 1.4*s, 1.4*s, 2, inkLeaf)
	}
	if n.Leaf() {
		d.p.Text(x, y+s+12, 12, inkText, sign(n))
	} else {
		d.p.Text(x, y-s-6, 12, inkText, sign(n))
	}
	if !n.bounded() {
		return
	}
	window := strings.ToLower(fmt.Sprintf("(%.3g, %.3g)", n.Alpha, n.Beta))
	if n.Leaf() {
		d.p.Text(x, y+s+25, 9.5, inkLeaf, window)
	} else {
		d.p.Text(x+s+5, y+3, 9.5, inkLeaf, window, "text-anchor", "start")
	}
}

// sign is a node's value, after one sign where it is a bound.
func sign(n *Node) string {
	return map[search.Bound]string{search.Lower: "≥ ", search.Upper: "≤ "}[n.Bound] + fmt.Sprintf("%.3g", n.Value+0)
}

// odds is the probability of the move that led to a node.
func odds(n *Node) string {
	if n.Prob == 0 {
		return ""
	}
	return fmt.Sprintf("p=%.3g", n.Prob)
}

// WriteDOT writes the tree in Graphviz's language: dot -Tsvg draws it.
func (t *Tree) WriteDOT(w io.Writer) error {
	if err := t.drawable(); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "digraph search {\n  node [shape=box];")
	for k := range t.Nodes {
		n := &t.Nodes[k]
		text := n.value()
		if n.bounded() {
			text += strings.ToLower(fmt.Sprintf(" in (%s, %s)", number(n.Alpha), number(n.Beta)))
		}
		shape := map[string]string{"max": "triangle", "min": "invtriangle", "chance": "circle"}[n.who()]
		if shape == "" {
			shape = "box"
		}
		fmt.Fprintf(out, "  n%d [shape=%s, label=%q, tooltip=%q];\n", k, shape, text, n.Text)
		for i, change := range t.changes(n) {
			child := n.Children[i]
			label := strings.TrimSpace(t.Nodes[child].Move + " " + odds(&t.Nodes[child]))
			if change != "" {
				label += "\n" + change
			}
			fmt.Fprintf(out, "  n%d -> n%d [label=%q];\n", k, child, label)
		}
		for i, m := range n.Cut {
			fmt.Fprintf(out, "  n%d_cut%d [shape=plain, label=\"cut\"];\n  n%d -> n%d_cut%d [style=dashed, label=%q];\n", k, i, k, k, i, m)
		}
	}
	fmt.Fprintln(out, "}")
	return out.Flush()
}
