package lecture

import (
	"plyfit/game"
	"plyfit/game/pacman"
)

// Expectation is the exact outcome of a [Chase].
type Expectation struct {
	Score  float64 // expected score at the end or at the limit
	Won    float64 // probability that Pacman wins
	Lost   float64 // probability that Pacman is caught; games cut off make up the rest of 1
	Moves  float64 // expected number of Pacman's moves
	States int     // number of reachable situations, without finished games
}

// negligible is the probability of unfinished games at which [Chase.Expect] stops.
const negligible = 1e-13

// Ends of games come before all situations.
const (
	won = iota
	lost
	ends
)

// link leads from a situation to the next.
type link struct {
	to   int
	prob float64
	gain float64 // of the score
}

// Expect follows the probabilities of all situations. A situation is a position without its score,
// which the policies must not depend on; each policy is asked once per situation. Expect cuts games
// off after limit of Pacman's moves, and when all but 1e-13 of them are over. A limit of 0 is none:
// Expect then never returns if the policies go in circles.
func (c *Chase) Expect(limit int) Expectation {
	known := map[uint64]int{}
	states, links := make([]*pacman.State, ends), make([][]link, ends)
	find := func(s *pacman.State) int {
		switch {
		case s.Turn() == game.Nobody && s.Won():
			return won
		case s.Turn() == game.Nobody:
			return lost
		}
		i, ok := known[s.Situation()]
		if !ok {
			i = len(states)
			known[s.Situation()] = i
			states = append(states, s.Clone().(*pacman.State))
		}
		return i
	}
	for i := find(c.Start); i < len(states); i++ {
		s := states[i]
		states[i] = nil // free it: the links are enough from here on
		var out []link
		moves, probs := c.odds(s)
		before := s.Score(0)
		for k, m := range moves {
			if probs[k] > 0 {
				s.Play(m)
				out = append(out, link{find(s), probs[k], s.Score(0) - before})
				s.Undo()
			}
		}
		links = append(links, out)
	}
	out := Expectation{Score: c.Start.Score(0), States: len(links) - ends}
	now, next := make([]float64, len(links)), make([]float64, len(links))
	now[ends] = 1
	for moves, going := 0, 1.0; going > negligible && (limit == 0 || moves < limit); moves++ {
		out.Moves += going
		// Pacman moves, then each ghost.
		for range 1 + c.Start.Ghosts() {
			copy(next, now[:ends])
			clear(next[ends:])
			going = 0
			for i, p := range now {
				for _, l := range links[i] {
					q := float64(p * l.prob)
					out.Score += float64(q * l.gain)
					next[l.to] += q
					if l.to >= ends {
						going += q
					}
				}
			}
			now, next = next, now
		}
	}
	out.Won, out.Lost = now[won], now[lost]
	return out
}
