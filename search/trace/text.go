package trace

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteText prints the tree, a line a node, each below its parent in search order: its depth from
// the root in plies, the move, what it computes, its value or
// bound, its window, the position, and after -> the alpha or beta of its parent if it moved it.
// Moves not searched are listed as cut.
func (t *Tree) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	t.text(out, t.Root, 0, "", "", "")
	return out.Flush()
}

// text prints node k: stem stands before its own line, below before those under it.
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
	if n.Text != number(n.Value) { // a leaf of an explicit tree is its value
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
