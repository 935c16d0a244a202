package trace

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"plyfit/internal/list"
	"plyfit/internal/svg"
	"plyfit/search"
)

// mostDrawn is how many nodes and cut moves a drawing has at most; a page unfolds more.
const mostDrawn = 400

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

// WriteSVG draws the tree from the root down as textbooks do: triangles choose, up for the largest
// value and down for the smallest, discs are means, boxes are leaves and ends. Each shows its value or bound and
// its window, if any. Cut moves end in a cross. A tree of more than mostDrawn nodes is an error.
func (t *Tree) WriteSVG(w io.Writer) error {
	if err := t.drawable(); err != nil {
		return err
	}
	digits := t.digits()
	_, err := io.WriteString(w, svg.Tree(t.drawn(t.Root, digits), 32+float64(20*digits), "The tree of a search: "+t.line(&t.Nodes[t.Root], ""))+"\n")
	return err
}

// digits is how many a drawing needs, from 3 to 6, to distinguish all values that differ.
func (t *Tree) digits() int {
	values := list.Map(t.Nodes, func(n Node) float64 { return n.Value })
	slices.Sort(values)
	values = slices.CompactFunc(values, func(a, b float64) bool { return math.Abs(b-a) <= 1e-6*max(1, math.Abs(a)) })
	for digits := 3; digits < 6; digits++ {
		if texts := map[string]bool{}; !slices.ContainsFunc(values, func(v float64) bool {
			text := short(v, digits)
			met := texts[text]
			texts[text] = true
			return met
		}) {
			return digits
		}
	}
	return 6
}

// short is a value in so many digits.
func short(x float64, digits int) string { return strconv.FormatFloat(x+0, 'g', digits, 64) }

// drawn is node k with all below it as it is drawn, with so many digits.
func (t *Tree) drawn(k, digits int) *svg.Node {
	n := &t.Nodes[k]
	out := &svg.Node{Shape: map[string]svg.Shape{"max": svg.Up, "min": svg.Down, "mean": svg.Disc}[n.Role()], Value: sign(n, digits)}
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

// sign is a node's value, after one sign where it is a bound.
func sign(n *Node, digits int) string {
	return map[search.Bound]string{search.Lower: "≥ ", search.Upper: "≤ "}[n.Bound] + short(n.Value, digits)
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
