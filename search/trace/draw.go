package trace

import (
	"bufio"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"plyfit/internal/list"
	"plyfit/internal/svg"
	"plyfit/search"
)

// mostDrawn is the maximum number of nodes and cut moves in a drawing. A page can show more.
const mostDrawn = 400

// drawable returns an error if the tree is too large to draw.
func (t *Tree) drawable() error {
	count := len(t.Nodes)
	for i := range t.Nodes {
		count += len(t.Nodes[i].Cut)
	}
	if count > mostDrawn {
		return fmt.Errorf("the tree has %d nodes and cut moves; want at most %d for a drawing; reduce the depth or write a page (.html)", count, mostDrawn)
	}
	return nil
}

// WriteSVG draws the tree with the root at the top, in the style used in textbooks. Triangles that
// point up are maxima, and triangles that point down are minima. Discs are means, and boxes are
// leaves and ends of the game. Each node shows its value or bound, and its window if there is one.
// Cut moves end in a cross. WriteSVG returns an error if the total number of nodes and cut moves
// exceeds mostDrawn.
func (t *Tree) WriteSVG(w io.Writer) error {
	if err := t.drawable(); err != nil {
		return err
	}
	digits := t.digits()
	_, err := io.WriteString(w, svg.Tree(t.drawn(t.Root, digits), 32+float64(20*digits), "Search tree: "+t.line(&t.Nodes[t.Root], ""))+"\n")
	return err
}

// digits returns the number of digits, from 3 to 6, that a drawing needs to tell different values
// apart.
func (t *Tree) digits() int {
	values := list.Map(t.Nodes, func(n Node) float64 { return n.Value })
	slices.Sort(values)
	values = slices.CompactFunc(values, func(a, b float64) bool { return math.Abs(b-a) <= 1e-6*max(1, math.Abs(a)) })
	for digits := 3; digits < 6; digits++ {
		if texts := map[string]bool{}; !slices.ContainsFunc(values, func(v float64) bool {
			text := short(v, digits)
			known := texts[text]
			texts[text] = true
			return known
		}) {
			return digits
		}
	}
	return 6
}

// short formats a value with the given number of digits.
func short(x float64, digits int) string { return strconv.FormatFloat(x+0, 'g', digits, 64) }

// drawn returns the drawing of node k and all nodes below it.
func (t *Tree) drawn(k, digits int) *svg.Node {
	n := &t.Nodes[k]
	out := &svg.Node{Shape: map[string]svg.Shape{"max": svg.Up, "min": svg.Down, "mean": svg.Disc}[n.Role()]}
	out.Value = map[search.Bound]string{search.Lower: "≥ ", search.Upper: "≤ "}[n.Bound] + short(n.Value, digits)
	if out.Shape == svg.Box {
		out.Text, out.Value = out.Value, ""
	}
	if n.Bounded() {
		out.Window = strings.ToLower(fmt.Sprintf("(%s, %s)", short(n.Alpha, digits), short(n.Beta, digits)))
	}
	for i, change := range t.changes(n) {
		child := n.Children[i]
		below := t.drawn(child, digits)
		change, _, _ = strings.Cut(change, ",")
		for _, label := range []string{t.Nodes[child].Move, odds(&t.Nodes[child]), change} {
			if label != "" {
				below.Labels = append(below.Labels, label)
			}
		}
		out.Below = append(out.Below, below)
	}
	for _, m := range n.Cut {
		out.Below = append(out.Below, &svg.Node{Shape: svg.Cross, Labels: []string{m}})
	}
	return out
}

// odds formats the probability of the move that led to a node.
func odds(n *Node) string {
	if n.Prob == 0 {
		return ""
	}
	return fmt.Sprintf("p=%.3g", n.Prob)
}

// WriteDOT writes the tree in Graphviz's DOT language. The command dot -Tsvg draws it.
func (t *Tree) WriteDOT(w io.Writer) error {
	if err := t.drawable(); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "digraph search {\n  node [shape=box];")
	for k := range t.Nodes {
		n := &t.Nodes[k]
		text := n.value()
		if n.Bounded() {
			text += strings.ToLower(fmt.Sprintf(" in (%s, %s)", number(n.Alpha), number(n.Beta)))
		}
		shape := map[string]string{"max": "triangle", "min": "invtriangle", "mean": "circle", "": "box"}[n.Role()]
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

//go:embed page.html
var pageHTML string

// A branch is a node together with its effect on its parent's window.
type branch struct {
	tree   *Tree
	Node   *Node
	Change string
	Level  int
}

// Below returns the children.
func (b branch) Below() (out []branch) {
	for i, change := range b.tree.changes(b.Node) {
		out = append(out, branch{b.tree, &b.tree.Nodes[b.Node.Children[i]], change, b.Level + 1})
	}
	return out
}

// Line returns the text shown for the node.
func (b branch) Line() string { return b.tree.line(b.Node, b.Change) }

// Open reports whether the node is initially unfolded. The first two levels are unfolded, except
// for nodes that were searched again, because the result of their first search was not used.
func (b branch) Open() bool { return b.Level < 2 && !b.Node.Again }

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// WriteHTML writes a self-contained page on which the tree can be unfolded. The parameter title
// describes the search.
func (t *Tree) WriteHTML(w io.Writer, title string) error {
	return pageTemplate.Execute(w, struct {
		Title, Count string
		Root         branch
	}{title, fmt.Sprint(len(t.Nodes)), branch{tree: t, Node: &t.Nodes[t.Root]}})
}

// WriteText prints the tree with one node per line, in search order, so that each node follows its
// parent. A line shows the distance from the root in plies, the move, what the node computes, its
// value or bound, its window and the position. If the node changed its parent's alpha or beta, the
// new value follows "->". Moves that were not searched are listed as cut.
func (t *Tree) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	t.text(out, t.Root, 0, "", "", "")
	return out.Flush()
}

// text prints node k. The parameter stem is the prefix of the node's own line, and below is the
// prefix of its children's lines.
func (t *Tree) text(out *bufio.Writer, k, level int, stem, below, change string) {
	n := &t.Nodes[k]
	fmt.Fprintf(out, "%2d  %s%s\n", level, stem, t.line(n, change))
	changes := t.changes(n)
	for i, child := range n.Children {
		branch, under := "├─ ", "│  "
		if i == len(n.Children)-1 && len(n.Cut) == 0 {
			branch, under = "└─ ", "   "
		}
		t.text(out, child, level+1, below+branch, below+under, changes[i])
	}
	if len(n.Cut) > 0 {
		fmt.Fprintf(out, "%2d  %s└─ cut: %s\n", level+1, below, strings.Join(n.Cut, ", "))
	}
}

func (t *Tree) line(n *Node, change string) string {
	var parts []string
	if n.Move != "" {
		parts = append(parts, n.Move+":")
	}
	if n.Prob > 0 {
		parts = append(parts, fmt.Sprintf("p=%.4g", n.Prob))
	}
	parts = append(parts, n.What(), n.value())
	if n.Bounded() {
		parts = append(parts, strings.ToLower(fmt.Sprintf(" in (%s, %s)", number(n.Alpha), number(n.Beta))))
	}
	if n.Text != number(n.Value) { // the text of a leaf in an explicit tree is its value
		parts = append(parts, " "+n.Text)
	}
	if n.Again {
		parts = append(parts, " searched again below")
	}
	if change != "" {
		parts = append(parts, " -> "+change)
	}
	return strings.Join(parts, " ")
}
