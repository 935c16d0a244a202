// Package tree is the game whose positions are explicit trees, such as the examples of textbooks.
//
// The journey: a position is text such as
//
//	(max (chance 1/2 10 1/2 10) (chance 1/2 9 1/2 100))
//	(p0 (p1 <1,2,-3> <0,0,0>) (p2 <4,1,1> <2,2,2>))
//
// parse.go reads it into flat arrays; a [State] walks down from its root and prints what is below.
// Max is player 0, min player 1, and a leaf with one number v gives v to player 0 and -v to player
// 1.
package tree

import (
	"strconv"
	"strings"

	"plyfit/game"
)

// start is S0: figure 5.2 of Russell and Norvig, Artificial Intelligence.
const start = "(max (min 3 12 8) (min 2 4 6) (min 14 5 2))"

// New is the game of explicit trees; it takes no options.
func New(o *game.Options) (*game.Game, error) {
	first, err := parse(start)
	if err != nil {
		return nil, err
	}
	shape := first.shape
	var colours []string
	if shape.Players == 2 { // as the nodes of the picture say
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

// State is a node of a tree. Its [game.Shape] is that of the tree it was parsed
// as: the one a search begins in.
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

// Moves implements [game.State]: move i leads to child i.
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

// Bounds implements [game.Bounder]: the least and the greatest that any leaf below gives to p.
func (s *State) Bounds(p game.Player) (lo, hi float64) {
	if int(p) >= s.shape.Players {
		return 0, 0
	}
	i := int(s.at)*s.shape.Players + int(p)
	return s.low[i], s.high[i]
}

// Hash implements [game.State]: equal subtrees have equal hashes.
func (s *State) Hash() uint64 { return s.nodes[s.at].hash }

func (s *State) Prob(m game.Move) float64 {
	return s.nodes[s.children[s.nodes[s.at].first+int32(m)]].prob
}

// For implements [game.Chancer]: chance is player 0's luck.
func (s *State) For() game.Player { return 0 }

// Chancy reports whether nature is to move here or below.
func (s *State) Chancy() bool { return strings.Contains(s.String(), "chance") }

func (s *State) Shape() game.Shape { return s.shape }

func (s *State) Clone() game.State { return &State{tree: s.tree, at: s.at} }

// String implements [game.State]: the tree below.
func (s *State) String() string { return string(s.print(nil, s.at)) }

// MoveString implements [game.State]: the child's number, from 1.
func (s *State) MoveString(m game.Move) string { return strconv.Itoa(int(m) + 1) }

// Leaves is the number of leaves below.
func (s *State) Leaves() int { return int(s.nodes[s.at].leaves) }

// Mean is what the leaves below give to p, each counted once.
func (s *State) Mean(p game.Player) float64 {
	return s.sum[int(s.at)*s.shape.Players+int(p)] / float64(s.nodes[s.at].leaves)
}

// RandomPlay is what p gets on average where every player moves at random.
func (s *State) RandomPlay(p game.Player) float64 {
	return s.random[int(s.at)*s.shape.Players+int(p)]
}
