package gametest

import (
	"fmt"

	"plyfit/game"
)

// mostSiblings is the maximum number of moves after which positions are compared.
const mostSiblings = 64

// A future describes, as text, what can follow a position: the turn, the moves with their
// probabilities, and the hashes after the moves. It includes the utilities of finished games.
type future [len(futures)]string

var futures = [...]string{"the turn differs", "the moves differ", "the probabilities of nature's moves differ", "the same moves lead to different positions", "the utilities differ"}

// siblings checks that moves leading to the same Hash lead to the same position, because a search
// with a transposition table cannot distinguish them.
func (j *checker) siblings(s game.State, moves []game.Move) {
	players := game.ShapeOf(j.g, s).Players
	seen := map[uint64]game.Move{}
	for _, m := range moves[:min(len(moves), mostSiblings)] {
		s.Play(m)
		hash := s.Hash()
		s.Undo()
		first, known := seen[hash]
		if !known {
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

// met compares a position with an earlier position that had the same Hash.
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
			return // reads has already reported this
		}
		players := game.ShapeOf(j.g, s).Players
		j.oneFuture(s, text, futureOf(earlier, players), futureOf(s, players))
	}
}

// oneFuture reports an error if s and the position described by text, which have the same Hash,
// have different futures.
func (j *checker) oneFuture(s game.State, text string, one, other future) {
	if what := one.differs(other); what != "" {
		j.errorf("%q and %q have the Hash %x, but %s; want a Hash that covers everything the future depends on (turn, dice, rights)", text, s, s.Hash(), what)
	}
}

// futureOf returns the future of a position.
func futureOf(s game.State, players int) future {
	moves := s.Moves(nil)
	chancer, _ := game.As[game.Chancer](s)
	var names, probs, hashes, utilities []string
	ends := func() {
		for p := range players {
			if s.Turn() == game.Nobody {
				utilities = append(utilities, fmt.Sprint(s.Utility(game.Player(p))))
			}
		}
	}
	ends()
	for _, m := range moves {
		names = append(names, fmt.Sprint(m, s.MoveString(m)))
		if s.Turn() == game.Chance && chancer != nil {
			probs = append(probs, fmt.Sprint(chancer.Prob(m)))
		}
		s.Play(m)
		hashes = append(hashes, fmt.Sprint(s.Hash()))
		ends()
		s.Undo()
	}
	return future{fmt.Sprint(s.Turn()), fmt.Sprintf("%q", names), fmt.Sprint(probs), fmt.Sprint(hashes), fmt.Sprint(utilities)}
}

// differs describes the first difference between f and g, or returns "" if there is none.
func (f *future) differs(g future) string {
	for i, what := range futures {
		if f[i] != g[i] {
			return what
		}
	}
	return ""
}
