// Package trace records the tree that a search visits and displays it.
//
//  1. A [Tree] observes the search. It receives each node when the search leaves it and links it
//     to its children, which arrive before it.
//  2. [Tree.Finish] makes the searched position the root.
//  3. [Tree.Steps] replays the search. [Tree.WriteText] prints the tree, [Tree.WriteSVG] draws it,
//     [Tree.WriteDOT] writes it for Graphviz, and [Tree.WriteHTML] creates a page on which nodes can
//     be unfolded.
//
// Values, alpha and beta are from player 0's point of view.
package trace

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"plyfit/game"
	"plyfit/search"
)

// Kinds lists the kinds of agents whose searches accept an observer.
var Kinds = []string{"greedy", "minimax", "alphabeta", "expectimax", "maxn", "paranoid"}

// A Node is a node of a search, as it was when the search left it.
type Node struct {
	Move     string // move that led to the node; "" at the root
	Prob     float64
	Turn     game.Player
	Rule     search.Rule // how Value is computed from the children's values
	Text     string      // the position
	Depth    int         // number of decisions from the node to the horizon
	Value    float64
	Bound    search.Bound
	Windowed bool // the search reported a window from Alpha to Beta when it entered the node
	Alpha    float64
	Beta     float64
	Children []int    // in search order
	Cut      []string // moves that were not searched, with the values of leaves in an explicit tree; empty at a leaf
	Again    bool     // the same move was searched again later, with another window

	hash uint64
}

// A Tree stores the nodes that a search reports. It observes a single search.
type Tree struct {
	Nodes []Node
	Root  int
	// Limit is the maximum number of nodes to keep; 0 means no limit. When it is reached, later
	// nodes are dropped, Full is set, and Stop is called unless it is nil.
	Limit int
	Full  bool
	Stop  func()
	// Spelled formats moves in the style used by players ([game.Spelled]) instead of the game's
	// notation.
	Spelled bool

	pending []int // nodes whose parent has not been reported yet
	weights []float64
}

var _ search.Observer = (*Tree)(nil)

func (t *Tree) name(s game.State, m game.Move) string {
	if t.Spelled {
		return game.Spelled(s, m)
	}
	return s.MoveString(m)
}

// Node records a node and links the pending nodes below it as its children.
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

// add adds n to the pending nodes and removes the children of n from them. s is the position at n
// and may be modified.
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
	var moved []int          // indices of the moves that lead to n.Children
	for ; last > 0; last-- { // from the last child searched to the first
		k := t.pending[last-1]
		child := &t.Nodes[k]
		places, ok := at[child.hash]
		if !ok || child.Depth > n.Depth || child.Depth == n.Depth && n.Turn != game.Chance { // nature's moves are not counted in the depth
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
	for a, k := range n.Children { // moves that lead to equal positions keep their search order
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
		if !found[i] && len(n.Children) > 0 { // no move at a leaf should have been searched
			n.Cut = append(n.Cut, t.name(s, m)+unseen(s, m))
		}
	}
	t.pending = append(t.pending, len(t.Nodes))
	t.Nodes = append(t.Nodes, n)
}

// unseen returns the value after the move m, in parentheses, if m leads to a leaf in an explicit
// tree. Otherwise it returns "".
func unseen(s game.State, m game.Move) string {
	s.Play(m)
	defer s.Undo()
	if s.Turn() != game.Nobody || s.String() != number(s.Utility(0)) {
		return ""
	}
	return " (" + s.String() + ")"
}

// Finish makes s the root. The parameter r is the result of searching s. Finish adds a node for s
// if the search did not report one.
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

// Bytes returns an estimate of the tree's memory use. It rounds each allocation up to a multiple of
// 16 bytes, as allocators do.
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

// Role returns the operation of the node: max (also for max^n), min or mean. It returns "" for
// leaves and for the end of the game.
func (n *Node) Role() string {
	if n.Leaf() {
		return ""
	}
	return map[search.Rule]string{search.Largest: "max", search.Own: "max", search.Smallest: "min", search.Mean: "mean"}[n.Rule]
}

// What describes the node's operation and, if that does not determine it, the player to move. The
// results are max, min, chance for a mean at a chance node, "mean of min" if a player follows a
// policy, "min of chance" if nature is treated as an adversary, and p1 if player 1 maximises that
// player's own utility.
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

// value formats the value or bound of a node.
func (n *Node) value() string {
	return map[search.Bound]string{search.Exact: "=", search.Lower: ">=", search.Upper: "<="}[n.Bound] + " " + number(n.Value)
}

// Bounded reports whether the node was searched with a window other than (-Inf, +Inf).
func (n *Node) Bounded() bool {
	return n.Windowed && !(math.IsInf(n.Alpha, -1) && math.IsInf(n.Beta, 1))
}

// A Step is an event in a recorded search. Either Node was entered (Child is -1), or Child returned
// its value to Node, or the remaining moves at Node were cut. Alpha and Beta are the window at Node
// after the event.
type Step struct {
	Node, Child int
	Cut         bool
	Alpha, Beta float64
}

// Steps returns the events of the search in order.
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

// narrowed returns the window at n after a child has returned value.
func (n *Node) narrowed(alpha, beta, value float64) (float64, float64) {
	switch {
	case n.Windowed && n.Rule == search.Largest:
		alpha = max(alpha, value)
	case n.Windowed && n.Rule == search.Smallest:
		beta = min(beta, value)
	}
	return alpha, beta
}

// changes returns, for each child of n, the new alpha or beta at n if the child changed it,
// otherwise "".
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

// number formats a value with up to six significant digits.
func number(x float64) string {
	if x == 0 {
		x = 0 // removes the sign of -0
	}
	return fmt.Sprintf("%.6g", x)
}
