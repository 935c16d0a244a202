// Package trace stores the tree that a search visited, and shows it.
//
//  1. A [Tree] observes the search: it is called with each node as the search leaves it, children
//     before their parents, and joins them.
//  2. [Tree.Finish] makes the searched position the root.
//  3. [Tree.Steps] replays the search. [Tree.WriteText] prints the tree, [Tree.WriteSVG] draws it,
//     [Tree.WriteDOT] writes it for Graphviz and [Tree.WriteHTML] makes a page with nodes to unfold.
//
// Values, alpha and beta are in player 0's view.
package trace

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"plyfit/game"
	"plyfit/search"
)

// Kinds are those of agents whose searches have an observer.
var Kinds = []string{"greedy", "minimax", "alphabeta", "expectimax", "maxn", "paranoid"}

// Node is a node of a search as it was left.
type Node struct {
	Move     string // that led here; "" at the root
	Prob     float64
	Turn     game.Player
	Rule     search.Rule // how Value follows from the children's
	Text     string      // the position
	Depth    int         // decisions left below it
	Value    float64
	Bound    search.Bound
	Windowed bool // the search reported Alpha and Beta, the window at entry
	Alpha    float64
	Beta     float64
	Children []int    // in the order in which they were searched
	Cut      []string // moves that were not searched, a leaf of an explicit tree with its value; none at a leaf
	Again    bool     // the same move was searched again later, with another window

	hash uint64
}

// Tree keeps the nodes that a search reports. It is the observer of one search.
type Tree struct {
	Nodes []Node
	Root  int
	// Limit is the most nodes that are kept; 0: all. What follows is not kept, Full
	// is set and Stop called, unless it is nil.
	Limit int
	Full  bool
	Stop  func()
	// Spelled writes moves as people do ([game.Spelled]), not in the game's notation.
	Spelled bool

	pending []int // nodes whose parent was not reported yet
	weights []float64
}

var _ search.Observer = (*Tree)(nil)

func (t *Tree) name(s game.State, m game.Move) string {
	if t.Spelled {
		return game.Spelled(s, m)
	}
	return s.MoveString(m)
}

// Node keeps a node with the children reported since.
func (t *Tree) Node(v *search.Visit) {
	if t.Full {
		return
	}
	if t.Limit > 0 && len(t.Nodes) >= t.Limit {
		t.Full = true
		if t.Stop != nil {
			t.Stop()
		}
		return
	}
	if v.Rule == search.Mean {
		t.weights = append(t.weights[:0], v.Weights()...)
	}
	t.add(v.State.Clone(), Node{
		Depth: v.Depth, Value: v.Value, Bound: v.Kind, Rule: v.Rule, Windowed: v.Windowed, Alpha: v.Alpha, Beta: v.Beta,
	})
}

// add takes the children of n, which stands at s, off the nodes that are pending and
// puts n in their place. It may change s.
func (t *Tree) add(s game.State, n Node) {
	n.Text, n.Turn, n.hash = s.String(), s.Turn(), s.Hash()
	moves := s.Moves(nil)
	at := make(map[uint64][]int, len(moves))
	for i, m := range moves {
		s.Play(m)
		h := s.Hash()
		s.Undo()
		at[h] = append(at[h], i)
	}
	found, last := make([]bool, len(moves)), len(t.pending)
	var moved []int          // of moves, those that led to n.Children
	for ; last > 0; last-- { // from the last one searched to the first
		k := t.pending[last-1]
		child := &t.Nodes[k]
		places, ok := at[child.hash]
		if !ok || child.Depth > n.Depth || child.Depth == n.Depth && n.Turn != game.Chance { // nature's moves cost no depth
			break
		}
		i := places[0]
		if free := slices.IndexFunc(places, func(i int) bool { return !found[i] }); free >= 0 {
			i = places[free]
		} else {
			child.Again = true
		}
		found[i] = true
		moved, n.Children = append(moved, i), append(n.Children, k)
	}
	slices.Reverse(n.Children)
	slices.Reverse(moved)
	for a, k := range n.Children { // moves to equal positions have their own order
		child := &t.Nodes[k]
		if same := at[child.hash]; len(same) > 1 && !child.Again {
			for b := a + 1; b < len(moved); b++ {
				if moved[b] < moved[a] && slices.Contains(same, moved[b]) && !t.Nodes[n.Children[b]].Again {
					moved[a], moved[b] = moved[b], moved[a]
				}
			}
		}
		child.Move = t.name(s, moves[moved[a]])
		if n.Rule == search.Mean {
			child.Prob = t.weights[moved[a]]
		}
	}
	t.pending = t.pending[:last]
	for i, m := range moves {
		if !found[i] && len(n.Children) > 0 { // of a leaf, no move was to be searched
			n.Cut = append(n.Cut, t.name(s, m)+unseen(s, m))
		}
	}
	t.pending = append(t.pending, len(t.Nodes))
	t.Nodes = append(t.Nodes, n)
}

// unseen is what the move m leads to, where that is a leaf of an explicit tree, which is its value.
func unseen(s game.State, m game.Move) string {
	s.Play(m)
	defer s.Undo()
	if s.Turn() != game.Nobody || s.String() != number(s.Utility(0)) {
		return ""
	}
	return " (" + s.String() + ")"
}

// Finish makes s, which was searched with the result r, the root: a search may not have
// reported it.
func (t *Tree) Finish(s game.State, r *search.Result) {
	if last := len(t.Nodes) - 1; last < 0 || t.Nodes[last].hash != s.Hash() {
		n := Node{Depth: math.MaxInt, Bound: search.Exact, Alpha: math.Inf(-1), Beta: math.Inf(1)}
		n.Windowed = last >= 0 && t.Nodes[last].Windowed
		if n.Rule = search.Largest; s.Turn() != 0 {
			n.Rule = search.Smallest
		}
		if len(r.Values) > 0 {
			n.Value = r.Values[0]
		}
		t.add(s.Clone(), n)
	}
	t.Root = len(t.Nodes) - 1
}

// Bytes is how much memory the tree takes, by an estimate: what it holds, each part of it
// rounded up to 16 bytes as allocators do.
func (t *Tree) Bytes() (bytes int64) {
	part := func(n int) { bytes += int64(n+15) &^ 15 }
	part(cap(t.Nodes) * int(reflect.TypeFor[Node]().Size()))
	part(cap(t.pending) * 8)
	for i := range t.Nodes {
		n := &t.Nodes[i]
		part(len(n.Text))
		part(len(n.Move))
		part(cap(n.Children) * 8)
		part(cap(n.Cut) * 16)
		for _, move := range n.Cut {
			part(len(move))
		}
	}
	return bytes
}

// Leaf reports whether nothing was searched below the node.
func (n *Node) Leaf() bool { return len(n.Children) == 0 }

// Role is what the node computes: max (max^n included), min or mean; "" of a leaf and an end.
func (n *Node) Role() string {
	if n.Leaf() {
		return ""
	}
	return map[search.Rule]string{search.Largest: "max", search.Own: "max", search.Smallest: "min", search.Mean: "mean"}[n.Rule]
}

// What names what the node computes and, unless that follows, of whose moves: max, min, chance for a
// mean over chance, "mean of min" where a player follows a policy, "min of chance" where chance is
// taken for an adversary, p1 where player 1 maximises his own utility.
func (n *Node) What() string {
	mover := map[game.Player]string{game.Chance: "chance", 0: "max"}[n.Turn]
	if mover == "" {
		mover = "min"
	}
	switch role := n.Role(); {
	case n.Turn == game.Nobody:
		return "end"
	case role == "":
		return "leaf"
	case n.Rule == search.Own:
		return fmt.Sprintf("p%d", n.Turn)
	case role == mover || role == "mean" && mover == "chance":
		return mover
	default:
		return role + " of " + mover
	}
}

// value is the value of a node or its bound.
func (n *Node) value() string {
	return map[search.Bound]string{search.Exact: "=", search.Lower: ">=", search.Upper: "<="}[n.Bound] + " " + number(n.Value)
}

// Bounded reports whether the node was searched with a window that leaves something out.
func (n *Node) Bounded() bool {
	return n.Windowed && !(math.IsInf(n.Alpha, -1) && math.IsInf(n.Beta, 1))
}

// Step is a moment of a recorded search: Node was entered (Child is -1), Child returned its value to
// it, or its other moves were cut. Alpha and Beta are the window that Node has then.
type Step struct {
	Node, Child int
	Cut         bool
	Alpha, Beta float64
}

// Steps returns the moments of the search in order.
func (t *Tree) Steps() []Step { return t.steps(nil, t.Root) }

func (t *Tree) steps(all []Step, k int) []Step {
	n := &t.Nodes[k]
	s := Step{Node: k, Child: -1, Alpha: n.Alpha, Beta: n.Beta}
	all = append(all, s)
	for _, s.Child = range n.Children {
		s.Alpha, s.Beta = n.narrowed(s.Alpha, s.Beta, t.Nodes[s.Child].Value)
		all = append(t.steps(all, s.Child), s)
	}
	if len(n.Cut) > 0 {
		s.Child, s.Cut = -1, true
		all = append(all, s)
	}
	return all
}

// narrowed returns the window of n after a child with a value.
func (n *Node) narrowed(alpha, beta, value float64) (float64, float64) {
	switch {
	case n.Windowed && n.Rule == search.Largest:
		alpha = max(alpha, value)
	case n.Windowed && n.Rule == search.Smallest:
		beta = min(beta, value)
	}
	return alpha, beta
}

// changes returns, for each child of n, the alpha or beta of n that it moved; "" if it moved neither.
func (t *Tree) changes(n *Node) []string {
	out := make([]string, len(n.Children))
	alpha, beta := n.Alpha, n.Beta
	for i, k := range n.Children {
		a, b := n.narrowed(alpha, beta, t.Nodes[k].Value)
		switch {
		case a > alpha:
			out[i] = "alpha " + number(a)
		case b < beta:
			out[i] = "beta " + number(b)
		}
		if alpha, beta = a, b; n.Windowed && i == len(n.Children)-1 && alpha >= beta && len(n.Cut) > 0 {
			out[i] += fmt.Sprintf(", alpha %s >= beta %s: cut", number(alpha), number(beta))
		}
	}
	return out
}

// number is a value in a few digits.
func number(x float64) string {
	if x == 0 {
		x = 0 // no minus
	}
	return fmt.Sprintf("%.6g", x)
}
