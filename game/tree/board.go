package tree

import (
	"fmt"
	"strconv"
	"strings"

	"plyfit/game"
	"plyfit/internal/text"
)

// tallest is the maximum number of lines in a drawing.
const tallest = 40

// Draw implements [game.Drawer]. It draws the tree below the current node with one line per node,
// and reports how many lines it omits.
func (s *State) Draw(colour bool) string {
	d := drawing{tree: s.tree, colour: colour}
	d.node(s.at, "", "")
	if d.lines > tallest {
		fmt.Fprintf(&d.text, "... and %d more lines\n", d.lines-tallest)
	}
	return d.text.String()
}

type drawing struct {
	*tree
	colour bool
	text   strings.Builder
	lines  int
}

// node draws node i and the tree below it. head is the text before the node, and stem is the text
// before the lines below it.
func (d *drawing) node(i int32, head, stem string) {
	n := &d.nodes[i]
	if d.lines++; d.lines <= tallest {
		style := text.Fg(39)
		switch {
		case n.count == 0:
			style = text.Fg(231)
		case n.turn == game.Chance:
			style = text.Fg(220)
		case n.turn == 1:
			style = text.Fg(203)
		}
		d.text.WriteString(head + text.Paint(d.colour, n.word, style) + "\n")
	}
	for k := range n.count {
		branch, below := "├─ ", "│  "
		if k == n.count-1 {
			branch, below = "└─ ", "   "
		}
		child := d.children[n.first+k]
		label := strconv.Itoa(int(k)+1) + ": "
		if n.turn == game.Chance {
			label = d.nodes[child].odds + ": "
		}
		d.node(child, stem+branch+label, stem+below)
	}
}
