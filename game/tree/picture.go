package tree

import (
	"fmt"
	"strconv"

	"plyfit/game"
	"plyfit/internal/svg"
)

// widest is the maximum number of leaves in a picture.
const widest = 48

// SVG implements [game.Illustrator]. It draws max as an upward triangle, min as a downward
// triangle, and a chance node as a circle with the probabilities on its branches. The places are
// the children of the current node. If the tree is large, the picture contains only text.
func (s *State) SVG(game.Player) string {
	n := &s.nodes[s.at]
	if leaves := s.Leaves(); leaves > widest {
		p := svg.New(480, 120, "the tree is too large to draw")
		p.Rect(0, 0, 480, 120, 10, "#f5f2ea", "class", "tree-ground")
		p.Text(240, 66, 18, "#3a3327", fmt.Sprintf("%s: %d leaves below, %d moves deep", n.word, leaves, n.depth), "class", "tree-text-in")
		return p.String()
	}
	root := s.drawn(s.at)
	for i, k := range root.Below {
		k.Place = strconv.Itoa(i + 1)
	}
	return svg.Tree(root, 58, "tree: "+s.String())
}

// drawn returns the drawing of node i and the tree below it.
func (t *tree) drawn(i int32) *svg.Node {
	n := &t.nodes[i]
	out := &svg.Node{Text: n.word}
	switch {
	case n.count == 0:
	case n.turn == game.Chance:
		out.Shape, out.Text = svg.Disc, ""
	case n.turn == 0:
		out.Shape = svg.Up
	default:
		out.Shape = svg.Down
	}
	for k := range n.count {
		child := t.children[n.first+k]
		below := t.drawn(child)
		if n.turn == game.Chance {
			below.Labels = []string{t.nodes[child].odds}
		}
		out.Below = append(out.Below, below)
	}
	return out
}

// Clicks implements [game.Illustrator]. A move is made by clicking the child. A move has no place
// at a chance node or if the tree is too large to draw.
func (s *State) Clicks(m game.Move) [][]string {
	if s.Turn() < 0 || s.Leaves() > widest {
		return nil
	}
	return [][]string{{s.MoveString(m)}}
}
