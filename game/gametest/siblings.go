package gametest

import (
	"slices"

	"plyfit/game"
)

// mostSiblings bounds the moves of a position whose ends are compared.
const mostSiblings = 64

// future is what can be asked of a position and of what its moves lead to.
type future struct {
	turn      game.Player
	moves     []game.Move
	names     []string
	probs     []float64
	hashes    []uint64    // after each move
	utilities [][]float64 // of each player, here or after each move, where the game is over
}

// siblings checks that moves which lead to one Hash lead to one position: a search with a
// table takes them for the same.
func (j *checker) siblings(s game.State, moves []game.Move) {
	players := game.ShapeOf(j.g, s).Players
	seen := map[uint64]game.Move{}
	for _, m := range moves[:min(len(moves), mostSiblings)] {
		s.Play(m)
		hash := s.Hash()
		s.Undo()
		first, met := seen[hash]
		if !met {
			seen[hash] = m
			continue
		}
		s.Play(first)
		one, text := futureOf(s, players), s.String()
		s.Undo()
		s.Play(m)
		j.oneFuture(s, text, one, futureOf(s, players))
		s.Undo()
	}
}

// met compares a position with an earlier one of the same Hash.
func (j *checker) met(s game.State, at snapshot) {
	const most = 1 << 16
	text, met := j.texts[at.hash]
	switch {
	case !met && len(j.texts) < most:
		if j.texts == nil {
			j.texts = map[uint64]string{}
		}
		j.texts[at.hash] = at.text
	case met && text != at.text:
		earlier, err := j.g.Parse(text)
		if err != nil {
			return // reads has said so
		}
		players := game.ShapeOf(j.g, s).Players
		j.oneFuture(s, text, futureOf(earlier, players), futureOf(s, players))
	}
}

// oneFuture complains where positions of one Hash, s and another's text, have other futures.
func (j *checker) oneFuture(s game.State, text string, one, other future) {
	if what := one.differs(other); what != "" {
		j.errorf("%q and %q have the Hash %x, but %s: want a Hash that covers all that the future depends on (whose turn, dice, what may still be done)", text, s, s.Hash(), what)
	}
}

// futureOf is the future of a position.
func futureOf(s game.State, players int) (f future) {
	f.turn, f.moves = s.Turn(), s.Moves(nil)
	chancer, _ := game.As[game.Chancer](s)
	ends := func() {
		if s.Turn() != game.Nobody {
			return
		}
		var u []float64
		for p := range players {
			u = append(u, s.Utility(game.Player(p)))
		}
		f.utilities = append(f.utilities, u)
	}
	ends()
	for _, next := range f.moves {
		f.names = append(f.names, s.MoveString(next))
		if f.turn == game.Chance && chancer != nil {
			f.probs = append(f.probs, chancer.Prob(next))
		}
		s.Play(next)
		f.hashes = append(f.hashes, s.Hash())
		ends()
		s.Undo()
	}
	return f
}

// differs says in what f is another future than g; "" where it is none that can be seen.
func (f *future) differs(g future) string {
	switch {
	case f.turn != g.turn:
		return "the turn differs"
	case !slices.Equal(f.moves, g.moves) || !slices.Equal(f.names, g.names):
		return "the moves differ"
	case !slices.Equal(f.probs, g.probs):
		return "the probabilities of nature's moves differ"
	case !slices.Equal(f.hashes, g.hashes):
		return "the same moves lead on to other positions"
	case !slices.EqualFunc(f.utilities, g.utilities, slices.Equal[[]float64]):
		return "the utilities differ"
	}
	return ""
}
