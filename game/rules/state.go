package rules

import (
	"slices"

	"plyfit/game"
)

// A state is a position, with the positions before it for Undo.
type state struct {
	*Rules
	path []place
}

// A place is a position in a game. node is nil until its moves are needed.
type place struct {
	*record
	node *node
}

// These types add the optional interfaces that the description of the game declares.
type (
	chancer struct{ s *state }
	scorer  struct{ s *state }
	celled  struct{ s *state }
)

// noisy adds noisy moves to a state.
type noisy struct {
	game.State
	s *state
}

var (
	_ game.Chancer     = chancer{}
	_ game.Scorer      = scorer{}
	_ game.Celled      = celled{}
	_ game.Drawer      = celled{}
	_ game.Illustrator = celled{}
	_ game.Noisy       = noisy{}
	_ game.Wrapper     = noisy{}
)

// state returns a state that begins at a place. It has the interfaces that the game declares.
func (r *Rules) state(at place) (base game.State) {
	s := &state{r, []place{at}}
	switch [3]bool{r.Chance, r.Scores, r.board != nil} {
	case [3]bool{false, false, false}:
		base = s
	case [3]bool{false, false, true}:
		base = struct {
			*state
			celled
		}{s, celled{s}}
	case [3]bool{false, true, false}:
		base = struct {
			*state
			scorer
		}{s, scorer{s}}
	case [3]bool{false, true, true}:
		base = struct {
			*state
			scorer
			celled
		}{s, scorer{s}, celled{s}}
	case [3]bool{true, false, false}:
		base = struct {
			*state
			chancer
		}{s, chancer{s}}
	case [3]bool{true, false, true}:
		base = struct {
			*state
			chancer
			celled
		}{s, chancer{s}, celled{s}}
	case [3]bool{true, true, false}:
		base = struct {
			*state
			chancer
			scorer
		}{s, chancer{s}, scorer{s}}
	case [3]bool{true, true, true}:
		base = struct {
			*state
			chancer
			scorer
			celled
		}{s, chancer{s}, scorer{s}, celled{s}}
	}
	if r.HasNoisy {
		return noisy{base, s}
	}
	return base
}

func (s *state) at() *place { return &s.path[len(s.path)-1] }

// node returns the position with its moves.
func (s *state) node() *node {
	at := s.at()
	if at.node == nil {
		at.node = s.Rules.node(at.Position)
	}
	return at.node
}

func (s *state) Turn() game.Player { return s.at().record.Turn }

func (s *state) Moves(dst []game.Move) []game.Move {
	if s.Turn() == game.Nobody {
		return dst
	}
	return append(dst, s.node().ids...)
}

func (s *state) Play(m game.Move) {
	n := s.node()
	s.path = append(s.path, place{record: &n.After[slices.Index(n.ids, m)]})
}

func (s *state) Undo() {
	if len(s.path) == 1 {
		panic("rules: Undo at the first position")
	}
	s.path = s.path[:len(s.path)-1]
}

func (s *state) Utility(p game.Player) float64 { return s.at().record.Utility[p] }

func (s *state) Hash() uint64 { return s.at().hash }

func (s *state) Clone() game.State { return s.state(*s.at()) }

func (s *state) String() string { return s.at().Position }

func (s *state) MoveString(m game.Move) string {
	n := s.node()
	return n.Moves[slices.Index(n.ids, m)]
}

func (c chancer) Prob(m game.Move) float64 {
	n := c.s.node()
	return n.Probabilities[slices.Index(n.ids, m)]
}

func (c chancer) For() game.Player { return game.Player(*c.s.node().Luck) }

func (c scorer) Score(p game.Player) float64 { return c.s.at().Scores[p] }

func (n noisy) Noisy(dst []game.Move) []game.Move { return append(dst, n.s.node().loud...) }

// Forced implements [game.Noisy]. A player whose moves are all noisy cannot wait.
func (n noisy) Forced() bool { return len(n.s.node().loud) == len(n.s.node().ids) }

func (n noisy) Unwrap() game.State { return n.State }

// TermValues returns the values of the terms from p's point of view. It is a method of every base
// state of this package.
func (s *state) TermValues(p game.Player) []float64 {
	views := s.at().Terms
	switch {
	case len(views) > 1:
		return views[p]
	case p == 0:
		return views[0]
	}
	negated := make([]float64, len(views[0]))
	for i, v := range views[0] {
		negated[i] = -v
	}
	return negated
}
