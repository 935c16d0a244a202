package pacman

import "plyfit/game"

// Expectation is what is to be expected of a game between policies.
type Expectation struct {
	Score  float64 // the expected score at the end, or where the limit cut the game off
	Won    float64 // the probability that Pacman wins
	Lost   float64 // that he is caught; the rest of 1 is that of games still going on
	Moves  float64 // the expected number of Pacman's moves
	States int     // situations that the policies can come to, finished ones not counted
}

// negligible is the probability of games still going on at which an expectation
// without a limit of moves counts as whole.
const negligible = 1e-13

// Expect follows the probabilities of all situations from s when Pacman moves by one policy and the
// ghosts by another. A situation is a position without its score, on which the policies must not
// depend; each is asked once a situation. Games are cut off after limit of Pacman's moves, and when
// all but 1e-13 of them are over. A limit of 0 is none: policies that go in circles never end.
func Expect(s *State, player, ghosts game.Policy, limit int) Expectation {
	c := chain{player: player, ghosts: ghosts, known: map[uint64]int{}}
	c.find(s)
	for i := 0; i < len(c.links); i++ {
		c.expand(i)
	}
	out := Expectation{Score: s.Score(0), States: len(c.links)}
	now, next := make([]float64, len(c.links)), make([]float64, len(c.links))
	now[0] = 1
	for moves, going := 0, 1.0; going > negligible && (limit == 0 || moves < limit); moves++ {
		out.Moves += going
		// A move of Pacman's and one of each ghost.
		for range 1 + s.Ghosts() {
			clear(next)
			going = 0
			for i, p := range now {
				if p == 0 {
					continue
				}
				for _, l := range c.links[i] {
					q := float64(p * l.prob)
					out.Score += float64(q * l.gain)
					switch l.to {
					case endWon:
						out.Won += q
					case endLost:
						out.Lost += q
					default:
						next[l.to] += q
						going += q
					}
				}
			}
			now, next = next, now
		}
	}
	return out
}

// chain is the Markov chain of the situations.
type chain struct {
	player, ghosts game.Policy
	known          map[uint64]int // by situation
	states         []*State
	links          [][]link

	moves []game.Move
	probs []float64
}

// link leads from a situation to the next, or to an end.
type link struct {
	to   int
	prob float64
	gain float64 // of the score
}

const (
	endWon  = -1
	endLost = -2
)

// find is the number of s, which is made known where it is not.
func (c *chain) find(s *State) int {
	key := s.Situation()
	i, ok := c.known[key]
	if !ok {
		i = len(c.links)
		c.known[key] = i
		c.states = append(c.states, s.Clone().(*State))
		c.links = append(c.links, nil)
	}
	return i
}

// expand asks who is to move in situation i, and follows where that leads.
func (c *chain) expand(i int) {
	s := c.states[i]
	c.states[i] = nil // it was needed only here
	policy := c.player
	if s.Turn() == game.Chance {
		policy = c.ghosts
	}
	c.moves = s.Moves(c.moves[:0])
	c.probs = policy.Probs(s, c.moves, c.probs[:0])
	before := s.Score(0)
	for k, m := range c.moves {
		if c.probs[k] == 0 {
			continue
		}
		s.Play(m)
		l := link{prob: c.probs[k], gain: s.Score(0) - before}
		switch {
		case s.Turn() != game.Nobody:
			l.to = c.find(s)
		case s.Won():
			l.to = endWon
		default:
			l.to = endLost
		}
		c.links[i] = append(c.links[i], l)
		s.Undo()
	}
}
