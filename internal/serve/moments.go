package serve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/internal/svg"
	"plyfit/internal/text"
	"plyfit/search"
)

// This file is the search of a typed tree, taken apart into its moments.

// stepNode is a node of a typed tree, with its values at one step of the search.
type stepNode struct {
	path  string // the moves that lead to it: "2.1"; "" at the root
	turn  game.Player
	shape svg.Shape
	rule  search.Rule // how the search makes its value of those below
	odds  float64     // with which it is reached, where the search takes a mean
	label string      // of the line to it: chance's probability
	below []*stepNode
	found int // the node of the search; -1: it was not searched

	value       []float64 // what each player gets: of a leaf, or as far as is known
	alpha, beta float64
	met, done   bool // visited; its value is final
	cut         bool
	visits      int // by simulations, of which value is the mean
}

// moment is a step of the search: a node is entered, or has the value of the child below, or its
// other children are cut; or a simulation goes down a line to it and is worth got.
type moment struct {
	at, child *stepNode
	cut       bool
	line      []*stepNode
	got       []float64
}

// stepped is a search of a typed tree, with its moments.
type stepped struct {
	*searchTree
	by      method
	root    *stepNode
	moments []moment
	nodes   int
	several bool // leaves hold a number for each of several players
}

// step searches the tree that text says by a method; "" is the textbook's for the tree.
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
	t := &stepped{by: methods[k], several: shape.Players != 2 || shape.Sum != game.Zero}
	if state.Turn() == game.Nobody {
		return nil, errors.New("a leaf alone: want a tree with a choice, such as (max 3 5)")
	}
	if deep := t.grow(state, &stepNode{}, 0); t.nodes > mostStepped || deep > s.limits.Depth {
		return nil, fmt.Errorf("a tree of %d nodes, %d moves deep: want at most %d nodes and %d moves", t.nodes, deep, mostStepped, s.limits.Depth)
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
	t.nodes, t.root = 0, &stepNode{alpha: math.Inf(-1), beta: math.Inf(1)}
	t.grow(state, t.root, t.Root)
	t.walk(t.root)
	t.moments = append(t.moments, moment{})
	return t, nil
}

// simulate has Monte Carlo tree search grow its tree of s.
func (s *Server) simulate(ctx context.Context, t *stepped, w *catalog.World, state game.State) error {
	t.searchTree, t.nodes, t.root = &searchTree{agent: t.by.agent, value: precise}, 0, &stepNode{}
	t.grow(state, t.root, -1)
	t.moments = append(t.moments, moment{at: t.root})
	agent, err := w.Agent(t.agent, catalog.AgentOptions{Simulation: func(line []game.Move, got []float64) {
		m := moment{at: t.root, line: []*stepNode{t.root}, got: slices.Clone(got)}
		if len(got) == 1 {
			m.got = append(m.got, -got[0])
		}
		for _, move := range line {
			m.at = m.at.below[move] // moves of a tree are its children by number
			m.line = append(m.line, m.at)
		}
		t.moments = append(t.moments, m)
	}})
	if err != nil {
		return err
	}
	var r search.Result
	err = s.turn(ctx, func(ctx context.Context) (err error) {
		r, err = s.found(ctx, agent, state, 1)
		return err
	})
	if r.Move != game.NoMove {
		t.best = game.Spelled(state, r.Move)
	}
	t.moments = append(t.moments, moment{})
	return err
}

// grow makes n the node of s, node i of the search, and returns how deep the tree below is.
func (t *stepped) grow(s game.State, n *stepNode, i int) (deep int) {
	t.nodes++
	n.turn, n.found = s.Turn(), i
	if n.turn == game.Nobody {
		for p := range s.(interface{ Shape() game.Shape }).Shape().Players {
			n.value = append(n.value, s.Utility(game.Player(p))+0)
		}
		return 0
	}
	n.shape = map[game.Player]svg.Shape{game.Chance: svg.Disc, 0: svg.Up}[n.turn]
	if n.shape == svg.Box {
		n.shape = svg.Down
	}
	moves := s.Moves(nil)
	chance, _ := game.As[game.Chancer](s)
	for k, m := range moves {
		if t.nodes > mostStepped {
			break
		}
		child := &stepNode{path: strings.TrimPrefix(n.path+"."+strconv.Itoa(k+1), "."), found: -1}
		if n.turn == game.Chance {
			child.label = precise(chance.Prob(m))
		}
		if t.searchTree != nil && i >= 0 {
			n.rule = t.Nodes[i].Rule
			name := game.Spelled(s, m)
			for _, c := range t.Nodes[i].Children {
				if t.Nodes[c].Move == name {
					child.found, child.odds = c, t.Nodes[c].Prob
				}
			}
			if n.rule == search.Mean && child.label == "" {
				child.label = precise(child.odds)
			}
		}
		s.Play(m)
		deep = max(deep, 1+t.grow(s, child, child.found))
		s.Undo()
		n.below = append(n.below, child)
	}
	return deep
}

// walk lists the moments below n in the order of the search.
func (t *stepped) walk(n *stepNode) {
	t.moments = append(t.moments, moment{at: n})
	cut := false
	for _, c := range n.below {
		if c.found < 0 {
			cut = true
			continue
		}
		t.walk(c)
		t.moments = append(t.moments, moment{at: n, child: c})
	}
	if cut {
		t.moments = append(t.moments, moment{at: n, cut: true})
	}
}

// play makes the moment so; the zero moment is the end.
func (t *stepped) play(m moment) {
	switch n, c := m.at, m.child; {
	case n == nil:
		t.root.done = true
	case m.line != nil:
		for _, n := range m.line {
			n.met = true
			n.visits++
			if n.value == nil {
				n.value = make([]float64, len(m.got))
			}
			for p, v := range m.got {
				if len(n.below) > 0 {
					n.value[p] += float64((v - n.value[p]) / float64(n.visits))
				}
			}
		}
	case m.cut:
		for _, c := range n.below {
			c.cut = c.found < 0
		}
	case c == nil:
		n.met = true
		n.done = len(n.below) == 0
	default:
		c.done = true
		n.take(c)
	}
	if n, c := m.at, m.child; n != nil && c == nil && !m.cut && m.line == nil {
		for _, below := range n.below {
			below.alpha, below.beta = n.alpha, n.beta
		}
	}
}

// take has the value of n's child c in the value of n, and in its alpha or beta.
func (n *stepNode) take(c *stepNode) {
	if n.rule == search.Mean {
		for i, v := range c.value {
			if len(n.value) <= i {
				n.value = append(n.value, 0)
			}
			n.value[i] += float64(c.odds * v)
		}
		return
	}
	chooser := map[search.Rule]game.Player{search.Largest: 0, search.Smallest: 1, search.Own: max(n.turn, 0)}[n.rule]
	if n.value == nil || c.value[chooser] > n.value[chooser] {
		n.value = slices.Clone(c.value)
	}
	if chooser == 0 {
		n.alpha = max(n.alpha, c.value[0])
	} else {
		n.beta = min(n.beta, c.value[0])
	}
	for _, below := range n.below {
		if !below.met {
			below.alpha, below.beta = n.alpha, n.beta
		}
	}
}

// who names who moves at n.
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

// shown is the value of n: a number where two players' numbers are opposed, else one for each.
func (n *stepNode) shown() string {
	if len(n.value) == 2 && n.value[0] == -n.value[1] {
		return precise(n.value[0] + 0)
	}
	all := list.Map(n.value, func(v float64) string { return precise(v + 0) })
	return "<" + strings.Join(all, ", ") + ">"
}

// branch names n in a sentence.
func (n *stepNode) branch() string {
	if n.path == "" {
		return "the root"
	}
	return "branch " + n.path
}

// window is alpha and beta of n as far as the search has them.
func (t *stepped) window(n *stepNode) string {
	if t.by.Name != "alphabeta" {
		return ""
	}
	return "α " + t.end(n.alpha) + ", β " + t.end(n.beta)
}

// say describes what happens at a moment that was played.
func (t *stepped) say(m moment) string {
	n := m.at
	switch {
	case n == nil && t.by.Name == "mcts":
		return fmt.Sprintf("After %d simulations %s plays the branch with most visits, %s. A simulation got %s on average.", t.root.visits, t.root.who(), t.best, t.root.shown())
	case m.line != nil:
		got := &stepNode{value: m.got}
		return fmt.Sprintf("A simulation goes to %s and gets %s. Each node on its way has one visit more, and a new mean.", n.branch(), got.shown())
	case n == nil:
		best := ""
		if t.best != "" {
			best = ": " + t.root.who() + " plays branch " + t.best
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
		return fmt.Sprintf("Cut: alpha %s is at least beta %s, so that this node cannot be reached by good play. The search does not look at %s.", t.end(n.alpha), t.end(n.beta), strings.Join(names, ", "))
	case m.child == nil && len(n.below) == 0:
		return fmt.Sprintf("The leaf of %s is worth %s.", n.branch(), n.shown())
	case m.child == nil:
		text := fmt.Sprintf("%s is to move at %s.", n.who(), n.branch())
		if window := t.window(n); window != "" {
			text = strings.TrimSuffix(text, ".") + ", with alpha " + t.end(n.alpha) + " and beta " + t.end(n.beta) + "."
		}
		return text
	case n.rule == search.Mean:
		return fmt.Sprintf("%s is worth %s, with probability %s: the sum at %s is %s so far.", text.Capital(m.child.branch()), m.child.shown(), precise(m.child.odds), n.branch(), n.shown())
	}
	text := fmt.Sprintf("%s is worth %s. The best for %s at %s is %s so far.", text.Capital(m.child.branch()), t.sign(m.child)+m.child.shown(), strings.TrimPrefix(n.who(), "The "), n.branch(), n.shown())
	if t.by.Name == "alphabeta" {
		text = strings.TrimSuffix(text, ".") + ": alpha " + t.end(n.alpha) + ", beta " + t.end(n.beta) + "."
	}
	return text
}

// sign is that of a bound of a node that the search left early.
func (t *stepped) sign(n *stepNode) string {
	if bound := t.Nodes[n.found].Bound; bound != search.Exact {
		return relation[bound] + " "
	}
	return ""
}
