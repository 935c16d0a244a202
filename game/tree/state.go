// Package tree implements a game whose positions are explicit game trees, such as the examples in
// textbooks.
//
// A position is given as text, for example:
//
//	(max (chance 1/2 10 1/2 10) (chance 1/2 9 1/2 100))
//	(p0 (p1 <1,2,-3> <0,0,0>) (p2 <4,1,1> <2,2,2>))
//
// The parser reads the text into flat arrays. A [State] descends from the root and prints the tree
// below the current node. Max is player 0 and min is player 1. A leaf with a single number v gives
// v to player 0 and -v to player 1.
package tree

import (
	"strconv"
	"strings"

	"plyfit/game"
)

// start is the initial position: figure 5.2 of Russell and Norvig, Artificial Intelligence.
const start = "(max (min 3 12 8) (min 2 4 6) (min 14 5 2))"

// New returns the game of explicit trees. It has no options.
func New(o *game.Options) (*game.Game, error) {
	first, err := parse(start)
	if err != nil {
		return nil, err
	}
	shape := first.shape
	var colours []string
	if shape.Players == 2 { // names used for the nodes in the picture
		colours = []string{"Max", "Min"}
	}
	return &game.Game{
		Name:      "tree",
		Colours:   colours,
		Spec:      "tree",
		Doc:       "an explicit tree; as a position: (max (min 3 12 8) (chance 1/2 4 1/2 6)), (p0 <1,2,-3> ...) for more players",
		Players:   shape.Players,
		Sum:       shape.Sum,
		Min:       shape.Min,
		Max:       shape.Max,
		MaxPlies:  maxDepth,
		New:       func() game.State { return &State{tree: first} },
		Parse:     read,
		ParseMove: game.FindMove,
	}, o.Err()
}

// A State is a node of a tree. Its [game.Shape] is that of the whole parsed tree.
type State struct {
	*tree
	at   int32
	path []int32
}

var (
	_ game.Chancer     = (*State)(nil)
	_ game.Bounder     = (*State)(nil)
	_ game.Shaper      = (*State)(nil)
	_ game.Drawer      = (*State)(nil)
	_ game.Illustrator = (*State)(nil)
)

func (s *State) Turn() game.Player { return s.nodes[s.at].turn }

// Moves implements [game.State]. Move i leads to child i.
func (s *State) Moves(dst []game.Move) []game.Move {
	for i := range s.nodes[s.at].count {
		dst = append(dst, game.Move(i))
	}
	return dst
}

func (s *State) Play(m game.Move) {
	s.path = append(s.path, s.at)
	s.at = s.children[s.nodes[s.at].first+int32(m)]
}

func (s *State) Undo() {
	last := len(s.path) - 1
	if last < 0 {
		panic("tree: Undo at the first position")
	}
	s.at, s.path = s.path[last], s.path[:last]
}

func (s *State) Utility(p game.Player) float64 {
	lo, _ := s.Bounds(p)
	return lo
}

// Bounds implements [game.Bounder]. The bounds are p's smallest and largest utilities at the leaves
// below the node.
func (s *State) Bounds(p game.Player) (lo, hi float64) {
	if int(p) >= s.shape.Players {
		return 0, 0
	}
	i := int(s.at)*s.shape.Players + int(p)
	return s.low[i], s.high[i]
}

// Hash implements [game.State]. Equal subtrees have equal hashes.
func (s *State) Hash() uint64 { return s.nodes[s.at].hash }

func (s *State) Prob(m game.Move) float64 {
	return s.nodes[s.children[s.nodes[s.at].first+int32(m)]].prob
}

// For implements [game.Chancer]. All chance nodes belong to player 0.
func (s *State) For() game.Player { return 0 }

// Chancy reports whether the current node or any node below it is a chance node.
func (s *State) Chancy() bool { return strings.Contains(s.String(), "chance") }

func (s *State) Shape() game.Shape { return s.shape }

func (s *State) Clone() game.State { return &State{tree: s.tree, at: s.at} }

// String implements [game.State]. It returns the tree below the current node.
func (s *State) String() string { return string(s.print(nil, s.at)) }

// MoveString implements [game.State]. It returns the number of the child, counted from 1.
func (s *State) MoveString(m game.Move) string { return strconv.Itoa(int(m) + 1) }

// Leaves returns the number of leaves below the current node.
func (s *State) Leaves() int { return int(s.nodes[s.at].leaves) }

// Mean returns p's mean utility at the leaves below the current node, all with equal weight.
func (s *State) Mean(p game.Player) float64 {
	return s.sum[int(s.at)*s.shape.Players+int(p)] / float64(s.nodes[s.at].leaves)
}

// RandomPlay returns p's expected utility if every player moves at random.
func (s *State) RandomPlay(p game.Player) float64 {
	return s.random[int(s.at)*s.shape.Players+int(p)]
}
