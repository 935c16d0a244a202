// Package equilibrium measures how far a strategy is from an equilibrium, in games of imperfect
// information small enough to be written out.
//
//  1. [NewTree] writes out all positions, and the information sets in which players decide.
//  2. A [Strategy] gives the play in each information set: solved for ([Tree.Solve]), read from
//     a file ([Load]), or sampled from an agent ([Tree.Sample]).
//  3. [Tree.Value] is what each player gets by it, [Tree.BestResponse] the most that one can get
//     against the others' part of it: expectimax over beliefs.
//  4. [Tree.Exploitability] combines these.
package equilibrium

import (
	"context"
	"fmt"
	"slices"

	"plyfit/game"
)

// Tree is a game, written out. It is read only and may be shared.
type Tree struct {
	game  *game.Game
	sets  []informationSet
	known []map[string]int32 // sets of each player, by what the player knows
	nodes []node             // the root first, each before those below it
}

// informationSet is where a player decides without knowing more.
type informationSet struct {
	player game.Player
	info   string
	moves  []game.Move
	names  []string
	state  game.State // one of its positions
	nodes  []int32
}

type node struct {
	turn     game.Player
	set      int32     // where a player decides
	children []int32   // in the order of the moves
	probs    []float64 // of nature's moves
	utility  []float64 // of all players, at the end
}

// maxNodes is the largest number of positions that a Tree may have.
const maxNodes = 1 << 21

// NewTree writes out g, a game of imperfect information with perfect recall
// ([game.HiddenState.Info]). It is an error if g has more than maxNodes positions or ctx ends
// first.
func NewTree(ctx context.Context, g *game.Game) (*Tree, error) {
	if !g.Hidden {
		return nil, fmt.Errorf("%s: want a game of imperfect information", g.Spec)
	}
	b := &builder{&Tree{game: g, known: make([]map[string]int32, g.Players)}, ctx}
	for p := range b.known {
		b.known[p] = map[string]int32{}
	}
	if _, err := b.grow(g.New()); err != nil {
		return nil, err
	}
	return b.Tree, nil
}

type builder struct {
	*Tree
	ctx context.Context
}

// grow adds s and all below it, and is its place among the nodes.
func (b *builder) grow(s game.State) (int32, error) {
	if len(b.nodes) == maxNodes {
		return 0, fmt.Errorf("%s has more than %d positions: want a game that can be written out, such as kuhn or leduc", b.game.Spec, maxNodes)
	}
	const between = 1 << 10 // nodes after which the context is asked again
	if len(b.nodes)%between == 0 && b.ctx.Err() != nil {
		return 0, context.Cause(b.ctx)
	}
	at := int32(len(b.nodes))
	n := node{turn: s.Turn()}
	b.nodes = append(b.nodes, n)
	if n.turn == game.Nobody {
		for p := range b.game.Players {
			n.utility = append(n.utility, s.Utility(game.Player(p)))
		}
		b.nodes[at] = n
		return at, nil
	}
	moves := s.Moves(nil)
	if n.turn >= 0 {
		n.set = b.enter(s, moves, at)
	}
	for _, m := range moves {
		if n.turn == game.Chance {
			n.probs = append(n.probs, s.(game.Chancer).Prob(m))
		}
		s.Play(m)
		child, err := b.grow(s)
		s.Undo()
		if err != nil {
			return 0, err
		}
		n.children = append(n.children, child)
	}
	b.nodes[at] = n
	return at, nil
}

// enter puts the node at into its information set.
func (b *builder) enter(s game.State, moves []game.Move, at int32) int32 {
	info := s.(game.HiddenState).Info(s.Turn())
	i, known := b.known[s.Turn()][info]
	if !known {
		i = int32(len(b.sets))
		b.known[s.Turn()][info] = i
		set := informationSet{player: s.Turn(), info: info, moves: moves, state: s.Clone()}
		for _, m := range moves {
			set.names = append(set.names, s.MoveString(m))
		}
		b.sets = append(b.sets, set)
	}
	b.sets[i].nodes = append(b.sets[i].nodes, at)
	return i
}

// Sets is the number of information sets, Nodes that of positions.
func (t *Tree) Sets() int  { return len(t.sets) }
func (t *Tree) Nodes() int { return len(t.nodes) }

func (t *Tree) uniform() [][]float64 {
	probs := make([][]float64, len(t.sets))
	for i := range probs {
		n := len(t.sets[i].moves)
		probs[i] = slices.Repeat([]float64{1 / float64(n)}, n)
	}
	return probs
}
