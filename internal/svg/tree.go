package svg

// Shape is the shape of a node in a tree.
type Shape int

// Shapes of nodes, as in textbooks.
const (
	Box   Shape = iota // leaf
	Up                 // max node: a triangle that points up
	Down               // min node: a triangle that points down
	Disc               // chance node
	Cross              // pruned subtree
)

// A Node is a node of a tree with its children.
type Node struct {
	Shape     Shape
	Text      string   // text in the node
	Value     string   // text above the node
	Window    string   // text to the right of the node, or below a box
	Labels    []string // lines of text next to the edge to the node
	Link      string   // address that a click opens; "" means none
	Name      string   // name of the link, for screen readers
	Marked    bool     // whether the node has a ring
	Place     string   // name of the click target; "" means none
	Faint     bool     // whether the node and its edge are dashed, because its value was not computed
	Unvisited bool     // whether the node is pale, because the search has not visited it yet
	Chosen    bool     // whether the edge to the node is wide
	Below     []*Node
	x         float64
	lean      float64 // offset from its parent; positive is to the right
}

// Dimensions and colours of a tree.
const (
	treeLevel, treeEdge = 108.0, 40.0
	treeGround          = "#f5f2ea"
	treeInk, treeFaint  = "#26221a", "#6b6152"
	treeChosen          = "#0f6b3f"
	treeMark            = "#b45309"
)

// TreeStyle adapts trees to pages with a dark background. The pictures themselves use light
// colours, so that they are readable in any viewer.
const TreeStyle = `@media (prefers-color-scheme:dark){.tree-ground{fill:#1b212b}.tree-line{stroke:#a9b4c4}.tree-chosen{stroke:#6fd6a3}.tree-mark{stroke:#ffb454}` +
	`.tree-text{fill:#e8ecf3;stroke:#1b212b}.tree-text-in{fill:#e8ecf3}.tree-soft{fill:#a9b4c4}.tree-halo{fill:#a9b4c4;stroke:#1b212b}` +
	`.tree-leaf{fill:#2b3647;stroke:#a9b4c4}.tree-unseen{fill:#1b212b;stroke:#a9b4c4}}`

// Tree draws a tree from the root down. Each leaf has a column of the given width, and every other
// node is centred above its children.
func Tree(root *Node, column float64, label string) string {
	leaves, levels := root.size()
	width := max(float64(leaves)*column, 160) + 2*treeEdge
	height := float64(levels-1)*treeLevel + 2*treeEdge
	p := New(width, height, label)
	p.Rect(0, 0, width, height, 10, treeGround, "class", "tree-ground")
	left := (width - float64(leaves)*column) / 2
	root.stand(&left, column)
	p.node(root, treeEdge)
	return p.String()
}

func (n *Node) size() (leaves, levels int) {
	if len(n.Below) == 0 {
		return 1, 1
	}
	for _, k := range n.Below {
		l, d := k.size()
		leaves, levels = leaves+l, max(levels, d)
	}
	return leaves, levels + 1
}

// stand sets the x coordinates of the node and its descendants, from left to right.
func (n *Node) stand(left *float64, column float64) {
	if len(n.Below) == 0 {
		n.x = *left + column/2
		*left += column
		return
	}
	for _, k := range n.Below {
		k.stand(left, column)
	}
	n.x = (n.Below[0].x + n.Below[len(n.Below)-1].x) / 2
}

// node draws a node and its descendants, edges first.
func (p *Picture) node(n *Node, y float64) {
	const part = 0.58 // position of the labels along an edge, at which they overlap neither each other nor the value below
	for _, k := range n.Below {
		colour, wide, more := treeFaint, 1.5, []string{"class", "tree-line", "fill", "none"}
		switch {
		case k.Shape == Cross:
			more = append(more, "stroke-dasharray", "4 4")
		case k.Faint:
			more = append(more, "stroke-dasharray", "5 5")
		case k.Chosen:
			colour, wide, more = treeChosen, 6, []string{"class", "tree-chosen", "fill", "none"}
		}
		p.Line(n.x, y, k.x, y+treeLevel, wide, colour, more...)
	}
	for _, k := range n.Below {
		k.lean = k.x - n.x
		p.node(k, y+treeLevel)
		for i, text := range k.Labels {
			p.Text(n.x+part*(k.x-n.x), y+part*treeLevel-5+12*float64(i), 11, treeInk, text, "class", "tree-text", "stroke", treeGround, "stroke-width", "4", "paint-order", "stroke")
		}
	}
	ink, class, opacity := "#ffffff", "", "1"
	if n.Unvisited {
		ink, class, opacity = treeInk, "tree-text-in", "0.35"
	}
	switch x := n.x; n.Shape {
	case Box:
		ink, class = treeInk, "tree-text-in"
		width := max(30, 9*float64(len([]rune(n.Text)))+12)
		fill, more := "#ffffff", []string{"class", "tree-leaf", "stroke", treeFaint, "stroke-width", "1.5"}
		if n.Faint {
			ink, class, fill = treeFaint, "tree-soft", "#ebe6da"
			more = []string{"class", "tree-unseen", "stroke", treeFaint, "stroke-width", "1.5", "stroke-dasharray", "4 3"}
		}
		if n.Unvisited {
			ink, class, fill = treeFaint, "tree-soft", "#ebe6da"
			more = []string{"class", "tree-unseen", "stroke", treeFaint, "stroke-width", "1", "stroke-opacity", "0.5"}
		}
		p.Rect(x-width/2, y-14, width, 28, 6, fill, more...)
	case Up:
		p.triangle(n, y, -1, "#245d9e", "stroke", "#173a61", "stroke-width", "2", "opacity", opacity)
	case Down:
		p.triangle(n, y, 1, "#a83a28", "stroke", "#611d12", "stroke-width", "2", "opacity", opacity)
	case Disc:
		ink = treeInk
		if n.Unvisited {
			p.Circle(x, y, 20, treeGround, "class", "tree-ground")
		}
		p.Circle(x, y, 20, "#f0c24a", "stroke", "#6d5206", "stroke-width", "2", "opacity", opacity)
	case Cross:
		p.Line(x-6, y-6, x+6, y+6, 2, treeFaint, "class", "tree-line")
		p.Line(x-6, y+6, x+6, y-6, 2, treeFaint, "class", "tree-line")
	}
	if n.Marked {
		p.Circle(n.x, y, 31, "none", "class", "tree-mark", "stroke", treeMark, "stroke-width", "3", "pointer-events", "none")
	}
	p.words(n, y, ink, class)
	if n.Link != "" {
		p.Link(n.Link, n.Name, n.x-26, y-26, 52, 52)
	}
	if n.Place != "" {
		p.Place(n.Place, n.x-26, y-26, 52, 52)
	}
}

// triangle draws a triangle that points up if sign is -1, or down if it is 1. It covers the lines
// behind it.
func (p *Picture) triangle(n *Node, y, sign float64, fill string, more ...string) {
	outline := "M" + Point(n.x, y+23*sign) + "L" + Point(n.x+25, y-19*sign) + "L" + Point(n.x-25, y-19*sign) + "z"
	if n.Unvisited {
		p.Path(outline, treeGround, "class", "tree-ground")
	}
	p.Path(outline, fill, more...)
}

// words draws the text in and around a node. ink and class apply to the text inside.
func (p *Picture) words(n *Node, y float64, ink, class string) {
	base := map[Shape]float64{Box: 6, Up: 14, Down: -5, Disc: 5}[n.Shape]
	size := 12.0
	if n.Shape == Box {
		size = 15
	}
	if n.Text != "" {
		var more []string
		if class != "" {
			more = []string{"class", class}
		}
		p.Text(n.x, y+base, size, ink, n.Text, more...)
	}
	if n.Value != "" {
		x, anchor, apart := n.x, "middle", 4.0 // next to the ring and the edge from above, rather than on them
		if n.Marked {
			apart = 22
		}
		switch {
		case n.lean < 0:
			x, anchor = x-apart, "end"
		case n.lean > 0 || n.Marked || y > treeEdge:
			x, anchor = x+apart, "start"
		}
		p.Text(x, y-28, 12, treeInk, n.Value, "class", "tree-text", "text-anchor", anchor, "stroke", treeGround, "stroke-width", "4", "paint-order", "stroke")
	}
	switch x := n.x + 28; {
	case n.Window == "":
	case n.Shape == Box:
		p.Text(n.x, y+27, 9.5, treeFaint, n.Window, "class", "tree-soft")
	default:
		if n.Marked {
			x += 8
		}
		p.Text(x, y+3, 9.5, treeFaint, n.Window, "class", "tree-halo", "text-anchor", "start", "stroke", treeGround, "stroke-width", "4", "paint-order", "stroke")
	}
}
