// Package equilibrium measures how far a strategy is from an equilibrium. It covers games of
// imperfect information that are small enough to be enumerated.
//
//  1. [NewTree] enumerates all positions and the information sets in which players decide.
//  2. A [Strategy] defines the play in each information set. It is computed ([Tree.Solve]), read
//     from a file ([Tree.Load]) or sampled from an agent ([Tree.Sample]).
//  3. [Tree.Value] returns the expected utility of each player. [Tree.BestResponse] returns the
//     highest utility that a player can get against the others, by expectimax over beliefs.
//  4. [Tree.Exploitability] combines these results.
package equilibrium

import (
	"context"
	"fmt"
	"slices"

	"plyfit/game"
)

// A Tree is an enumerated game. It is read-only and may be shared.
type Tree struct {
	game  *game.Game
	sets  []informationSet
	known []map[string]int32 // for each player, indices of information sets by what the player knows
	nodes []node             // the root comes first; parents precede their children
}

// An informationSet is a set of positions that the deciding player cannot distinguish.
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
	set      int32     // index of the information set if a player decides
	children []int32   // in the order of the moves
	probs    []float64 // probabilities of the moves at a chance node
	utility  []float64 // each player's utility if the game is over
}

// maxNodes is the maximum number of positions in a Tree.
const maxNodes = 1 << 21

// NewTree enumerates g, a game of imperfect information with perfect recall
// ([game.HiddenState.Info]). It returns an error if g has more than maxNodes positions, or if ctx
// ends before the enumeration is complete.
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

// grow adds the state s and all positions below it, and returns the index of the node for s.
func (b *builder) grow(s game.State) (int32, error) {
	if len(b.nodes) == maxNodes {
		return 0, fmt.Errorf("%s has more than %d positions; use a smaller game, such as kuhn or leduc", b.game.Spec, maxNodes)
	}
	const between = 1 << 10 // number of nodes between checks of the context
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

// enter adds the node with index at to its information set.
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

// Sets returns the number of information sets, and Nodes returns the number of positions.
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
