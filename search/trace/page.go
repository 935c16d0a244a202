package trace

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
)

//go:embed page.html
var pageHTML string

// branch is a node with the change that it made to its parent's window.
type branch struct {
	tree   *Tree
	Node   *Node
	Change string
	Level  int
}

// Below are the children.
func (b branch) Below() (out []branch) {
	for i, change := range b.tree.changes(b.Node) {
		out = append(out, branch{b.tree, &b.tree.Nodes[b.Node.Children[i]], change, b.Level + 1})
	}
	return out
}

// Line is what is shown of the node.
func (b branch) Line() string { return b.tree.line(b.Node, b.Change) }

// Open reports whether the node is unfolded at first: the first levels are, but for what
// was searched again, whose first pass is of no account.
func (b branch) Open() bool { return b.Level < 2 && !b.Node.Again }

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// WriteHTML writes a self-contained page with the tree to unfold; title is what was searched.
func (t *Tree) WriteHTML(w io.Writer, title string) error {
	return pageTemplate.Execute(w, struct {
		Title, Count string
		Root         branch
	}{title, fmt.Sprint(len(t.Nodes)), branch{tree: t, Node: &t.Nodes[t.Root]}})
}
