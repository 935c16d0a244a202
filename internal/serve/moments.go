package serve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/internal/svg"
	"plyfit/internal/text"
	"plyfit/search"
	"plyfit/search/trace"
)

// This file divides the search of a typed tree into steps, called moments.

// stepNode is a node of a typed tree, with its values at one moment of the search.
type stepNode struct {
	path   string // moves that lead to the node, as in "2.1"; "" at the root
	turn   game.Player
	shape  svg.Shape
	label  string      // label of the line to the node, giving its probability
	traced *trace.Node // the same node in the search's record; nil if it was not searched
	below  []*stepNode

	value         []float64 // players' utilities at a leaf; elsewhere, as far as they are known
	alpha, beta   float64
	visited, done bool // whether the node was visited, and whether its value is final
	cut           bool
	visits        int // number of simulations through the node; value is then their mean
}

// A moment is a step of the search. A node is entered, receives the value of its child, or has its
// remaining children cut. The fields alpha and beta are the node's window after the step. In Monte
// Carlo tree search, a moment is a simulation, with its line and its result. The zero moment is the
// end of the search.
type moment struct {
	at, child   *stepNode
	cut         bool
	alpha, beta float64
	line        []*stepNode
	result      []float64
}

// stepped is the search of a typed tree with its moments.
type stepped struct {
	*searchTree
	by      method
	root    *stepNode
	moments []moment
	nodes   int
	several bool // whether leaves hold one number per player
}

// step searches the tree that text describes, using the named method. If no method is named, it
// uses the textbook's method for the tree.
func (s *Server) step(ctx context.Context, text, by string) (*stepped, error) {
	w, err := s.config.Catalog.World("tree")
	if err != nil {
		return nil, err
	}
	state, err := w.Parse(text)
	if err != nil {
		return nil, err
	}
	if by == "" {
		usual, err := w.Textbook("", state)
		if err != nil {
			return nil, err
		}
		by, _, _ = strings.Cut(usual, ":")
	}
	k := slices.IndexFunc(methods, func(m method) bool { return m.Name == by })
	if k < 0 {
		return nil, fmt.Errorf("by=%.20s: want minimax, alphabeta, expectimax, random, mixed, maxn or mcts", by)
	}
	shape := game.ShapeOf(w.Game, state)
	t := &stepped{by: methods[k], root: &stepNode{}, several: shape.Players != 2 || shape.Sum != game.Zero}
	if state.Turn() == game.Nobody {
		return nil, errors.New("the tree is only a leaf; want a tree with a choice, such as (max 3 5)")
	}
	if deep := t.grow(state, t.root); t.nodes > mostStepped || deep > s.limits.Depth {
		return nil, fmt.Errorf("the tree has %d nodes and is %d moves deep; want at most %d nodes and %d moves", t.nodes, deep, mostStepped, s.limits.Depth)
	}
	if t.by.Name == "mcts" {
		return t, s.simulate(ctx, t, w, state)
	}
	spec, err := w.Textbook(t.by.agent, state)
	if err != nil {
		return nil, err
	}
	if t.searchTree, err = s.watchTree(ctx, w, spec, state); err != nil {
		return nil, err
	}
	t.value = precise
	nodes := make([]*stepNode, len(t.Nodes))
	t.record(t.root, t.Root, nodes)
	for _, s := range t.Steps() {
		m := moment{at: nodes[s.Node], cut: s.Cut, alpha: s.Alpha, beta: s.Beta}
		if s.Child >= 0 {
			m.child = nodes[s.Child]
		}
		t.moments = append(t.moments, m)
	}
	t.moments = append(t.moments, moment{})
	return t, nil
}

// record links n and its descendants to node k of the search and that node's descendants.
func (t *stepped) record(n *stepNode, k int, nodes []*stepNode) {
	n.traced, nodes[k] = &t.Nodes[k], n
	for _, c := range n.traced.Children {
		move, _ := strconv.Atoi(t.Nodes[c].Move) // moves in a tree are numbers from 1
		child := n.below[move-1]
		if n.traced.Rule == search.Mean && child.label == "" {
			child.label = precise(t.Nodes[c].Prob)
		}
		t.record(child, c, nodes)
	}
}

// simulate runs Monte Carlo tree search in state and appends its moments.
func (s *Server) simulate(ctx context.Context, t *stepped, w *catalog.World, state game.State) error {
	t.searchTree = &searchTree{agent: t.by.agent, value: precise}
	t.moments = append(t.moments, moment{at: t.root})
	agent, err := w.Agent(t.agent, catalog.AgentOptions{Simulation: func(line []game.Move, got []float64) {
		m := moment{at: t.root, line: []*stepNode{t.root}, result: slices.Clone(got)}
		if len(got) == 1 {
			m.result = append(m.result, -got[0])
		}
		for _, move := range line {
			m.at = m.at.below[move] // moves in a tree are indices of children
			m.line = append(m.line, m.at)
		}
		t.moments = append(t.moments, m)
	}})
	if err != nil {
		return err
	}
	r, err := s.search(ctx, agent, state, 1)
	if r.Move != game.NoMove {
		t.best = game.Spelled(state, r.Move)
	}
	t.moments = append(t.moments, moment{})
	return err
}

// grow builds the tree of s below the node n and returns its depth. It stops when the tree has more
// than mostStepped nodes.
func (t *stepped) grow(s game.State, n *stepNode) (deep int) {
	t.nodes++
	switch n.turn = s.Turn(); n.turn {
	case game.Nobody:
		for p := range s.(interface{ Shape() game.Shape }).Shape().Players {
			n.value = append(n.value, s.Utility(game.Player(p))+0)
		}
		return 0
	case game.Chance:
		n.shape = svg.Disc
	case 0:
		n.shape = svg.Up
	default:
		n.shape = svg.Down
	}
	chance, _ := game.As[game.Chancer](s)
	for k, m := range s.Moves(nil) {
		if t.nodes > mostStepped {
			break
		}
		child := &stepNode{path: strings.TrimPrefix(n.path+"."+strconv.Itoa(k+1), ".")}
		if n.turn == game.Chance {
			child.label = precise(chance.Prob(m))
		}
		s.Play(m)
		deep = max(deep, 1+t.grow(s, child))
		s.Undo()
		n.below = append(n.below, child)
	}
	return deep
}

// play applies a moment to the nodes of the tree.
func (t *stepped) play(m moment) {
	switch n := m.at; {
	case n == nil:
		t.root.done = true
		return
	case m.line != nil:
		for _, n := range m.line {
			n.visited = true
			n.visits++
			if n.value == nil {
				n.value = make([]float64, len(m.result))
			}
			for p, v := range m.result {
				if len(n.below) > 0 {
					n.value[p] += float64((v - n.value[p]) / float64(n.visits))
				}
			}
		}
	case m.cut:
		for _, c := range n.below {
			c.cut = c.traced == nil
		}
	case m.child == nil:
		n.visited, n.done = true, len(n.below) == 0
	default:
		m.child.done = true
		n.update(m.child)
	}
	m.at.alpha, m.at.beta = m.alpha, m.beta
}

// update recomputes the value of n from the value of its child c.
func (n *stepNode) update(c *stepNode) {
	rule := n.traced.Rule
	chooser := map[search.Rule]game.Player{search.Smallest: 1, search.Own: n.turn}[rule]
	switch {
	case rule == search.Mean:
		if n.value == nil {
			n.value = make([]float64, len(c.value))
		}
		for i, v := range c.value {
			n.value[i] += float64(c.traced.Prob * v)
		}
	case n.value == nil || c.value[chooser] > n.value[chooser]:
		n.value = slices.Clone(c.value)
	}
}

// who returns the name of the player who moves at n.
func (n *stepNode) who() string {
	switch {
	case len(n.below) == 0:
		return "The leaf"
	case n.turn == game.Chance:
		return "Chance"
	case n.shape == svg.Up && len(n.value) <= 2:
		return "Max"
	case n.turn == 1 && len(n.value) <= 2:
		return "Min"
	}
	return fmt.Sprintf("Player %d", n.turn)
}

// shown formats the value of n: one number if the two players' values are opposites, otherwise one
// number per player.
func (n *stepNode) shown() string {
	if len(n.value) == 2 && n.value[0] == -n.value[1] {
		return precise(n.value[0] + 0)
	}
	all := list.Map(n.value, func(v float64) string { return precise(v + 0) })
	return "<" + strings.Join(all, ", ") + ">"
}

// branch returns the name of n for use in a sentence.
func (n *stepNode) branch() string {
	if n.path == "" {
		return "the root"
	}
	return "branch " + n.path
}

// window formats alpha and beta at n, as far as the search has raised or lowered them. It returns
// "" unless the method is alpha-beta.
func (t *stepped) window(n *stepNode) string {
	if t.by.Name != "alphabeta" {
		return ""
	}
	return "α " + t.end(n.alpha) + ", β " + t.end(n.beta)
}

// describe returns a description of a moment that has been played.
func (t *stepped) describe(m moment) string {
	n := m.at
	switch {
	case n == nil && t.by.Name == "mcts":
		return fmt.Sprintf("After %d simulations, %s plays the branch with the most visits, %s. The mean result of a simulation is %s.", t.root.visits, t.root.who(), t.best, t.root.shown())
	case m.line != nil:
		got := &stepNode{value: m.result}
		return fmt.Sprintf("A simulation goes to %s and yields %s. Each node on the path gets one more visit and a new mean.", n.branch(), got.shown())
	case n == nil:
		best := ""
		if t.best != "" {
			best = ", and " + t.root.who() + " plays branch " + t.best
		}
		return fmt.Sprintf("The tree is worth %s%s. %d of %d nodes were visited.", t.root.shown(), best, len(t.Nodes), t.nodes)
	case m.cut:
		var names []string
		for _, c := range n.below {
			if c.cut {
				name := c.branch()
				if len(c.below) == 0 {
					name = "leaf " + c.shown()
				}
				names = append(names, name)
			}
		}
		return fmt.Sprintf("Cut: alpha %s is at least beta %s, so good play cannot reach this node. The search skips %s.", t.end(n.alpha), t.end(n.beta), strings.Join(names, ", "))
	case m.child == nil && len(n.below) == 0:
		return fmt.Sprintf("The leaf of %s is worth %s.", n.branch(), n.shown())
	case m.child == nil:
		text := n.who() + " is to move at " + n.branch()
		if t.window(n) != "" {
			text += ", with alpha " + t.end(n.alpha) + " and beta " + t.end(n.beta)
		}
		return text + "."
	case n.traced.Rule == search.Mean:
		return fmt.Sprintf("%s is worth %s, with probability %s. The sum at %s is %s so far.", text.Capital(m.child.branch()), m.child.shown(), precise(m.child.traced.Prob), n.branch(), n.shown())
	}
	text := fmt.Sprintf("%s is worth %s. The best value for %s at %s is %s so far", text.Capital(m.child.branch()), t.sign(m.child)+m.child.shown(), n.who(), n.branch(), n.shown())
	if t.window(n) != "" {
		text += ": alpha " + t.end(n.alpha) + ", beta " + t.end(n.beta)
	}
	return text + "."
}

// sign returns the relation between the value of n and a bound that the search returned, or "" if
// the value is exact.
func (t *stepped) sign(n *stepNode) string {
	if n.traced.Bound == search.Exact {
		return ""
	}
	return relation[n.traced.Bound] + " "
}
