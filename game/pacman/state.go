// Package pacman implements Pacman with the rules of Berkeley's course projects, in any maze. The
// ghosts' moves are chance nodes.
//
// A [Layout] is a maze with its initial state and all distances (layout.go, maze.go). A [State]
// contains the places of Pacman and the ghosts and the remaining food. Pacman is player 0 and moves
// first, followed by each ghost in turn. A ghost's move is a chance node with the probabilities of
// random or directional ghosts (ghost.go), or of an external policy ([WithGhosts]). The utility is
// the score, which may be negative.
//
// The rules are exactly Berkeley's:
//
//   - Pacman moves one step or stops. Each move costs 1 point. Food is worth 10 points. Eating the
//     last food gains another 500 points and wins the game. A capsule scares every ghost for 40 of
//     the ghost's own moves. After eating, Pacman meets the ghosts that are close enough.
//   - A ghost moves one step, or half a step while scared. It never stops, and turns back only if
//     it has no other move. Between two cells it continues straight on. Each move of a scared
//     ghost reduces its timer by 1. When the timer reaches 0 between two cells, the ghost is moved
//     to the upper or right one of them. After its move, the ghost may meet Pacman.
//   - Pacman and a ghost meet if they are at most half a cell apart. A scared ghost is worth 200
//     points and returns to its start, no longer scared. Any other ghost costs 500 points and ends
//     the game with a loss, unless the game has just been won.
package pacman

import (
	"math/bits"

	"plyfit/game"
)

// Directions. They are also the moves of Pacman and the ghosts.
const (
	West = iota
	Stop
	East
	North
	South
)

// reverse contains the opposite of each direction.
var reverse = [5]uint8{West: East, Stop: Stop, East: West, North: South, South: North}

// Reverse returns the direction opposite to m. The opposite of Stop is Stop.
func Reverse(m game.Move) game.Move { return game.Move(reverse[m]) }

// Values of turn other than Pacman (0) and the ghosts (1...).
const (
	won  = -2
	lost = -3
)

// A State is a position.
type State struct {
	*rules
	ply   int
	line  []position // positions since the first one, which has nothing to undo; entries after ply are unused
	words []uint64   // remaining food, with one bit for each open cell

	clock    uint64      // number of calls to Play, used to number the positions in line
	policy   game.Policy // created by rules.policy; nil until first used
	thinking bool        // set during a call to policy, while the ghosts follow nature
	known    odds

	crumbs  []cachedCrumbs // cache indexed by a hash of the food; nil until first used
	scratch []crumb
}

// A position contains what Undo restores. It fits into a cache line.
type position struct {
	serial   uint64 // value of clock when the position was created
	capsules uint32 // one bit for each capsule
	score    int32
	left     int16 // number of food dots
	pacman   int16 // half-cell index of Pacman, who is always in a cell
	ate      Cell  // cell of the food eaten by the last move, or -1
	turn     int8
	ghosts   [MaxGhosts]body
}

type body struct {
	at      int16 // half-cell index
	heading uint8 // direction of the last move; Stop at the start
	timer   uint8 // number of the ghost's own moves for which it stays scared
}

var (
	_ game.Chancer     = (*State)(nil)
	_ game.Scorer      = (*State)(nil)
	_ game.Bounder     = (*State)(nil)
	_ game.Ranker      = (*State)(nil)
	_ game.Drawer      = (*State)(nil)
	_ game.Illustrator = (*State)(nil)
)

// state returns a new State whose first position is p.
func (r *rules) state(p position, food []uint64) *State {
	p.serial = 1
	s := &State{rules: r, line: make([]position, 16), words: append([]uint64(nil), food...), clock: 1}
	s.line[0] = p
	return s
}

func (s *State) at() *position { return &s.line[s.ply] }

func (s *State) Turn() game.Player {
	switch t := s.line[s.ply].turn; {
	case t == 0:
		return 0
	case t > 0:
		return game.Chance
	}
	return game.Nobody
}

func (s *State) Score(game.Player) float64 { return float64(s.at().score) }

// Utility implements [game.State]. It returns the score.
func (s *State) Utility(game.Player) float64 { return float64(s.at().score) }

// Bounds implements [game.Bounder]. The upper bound is the score plus the points for everything
// that can still be eaten, minus one move for each food dot. The lower bound is the game's Min,
// because every move costs points until the move limit is reached.
func (s *State) Bounds(game.Player) (lo, hi float64) {
	p := s.at()
	if p.turn < 0 {
		return float64(p.score), float64(p.score)
	}
	return s.floor, float64(s.ceiling(p))
}

// lists contains the moves for each set of directions.
var lists = func() (l [32][]game.Move) {
	for set := range l {
		for d := range 5 {
			if set&(1<<d) != 0 {
				l[set] = append(l[set], game.Move(d))
			}
		}
	}
	return l
}()

// legal returns the legal directions at p for the agent to move. The game must not be over.
func (r *rules) legal(p *position) uint8 {
	if p.turn == 0 {
		if r.stop {
			return r.exits[p.pacman]
		}
		return r.exits[p.pacman] &^ (1 << Stop)
	}
	g := &p.ghosts[(p.turn-1)&(MaxGhosts-1)]
	set := r.exits[g.at] &^ (1 << Stop)
	if set == 0 {
		return 1 << g.heading // between two cells
	}
	if on := set &^ (1 << reverse[g.heading]); on != 0 {
		return on
	}
	return set
}

// Moves implements [game.State]: West, Stop, East, North, South.
func (s *State) Moves(dst []game.Move) []game.Move {
	p := &s.line[s.ply]
	if p.turn < 0 {
		return dst
	}
	return append(dst, lists[s.legal(p)&31]...)
}

func (s *State) Play(m game.Move) {
	if s.ply+1 >= len(s.line) {
		s.line = append(s.line, make([]position, len(s.line))...)
	}
	p, q := &s.line[s.ply], &s.line[s.ply+1]
	*q = *p
	s.ply++
	s.clock++
	q.serial, q.ate = s.clock, -1
	by := s.step[m]
	if q.turn == 0 {
		s.advance(q, by)
		return
	}
	g := &q.ghosts[(q.turn-1)&(MaxGhosts-1)]
	g.heading = uint8(m)
	if g.timer == 0 {
		g.at += 2 * by
	} else {
		g.at += by
		if g.timer--; g.timer == 0 {
			g.at = s.snap(g.at)
		}
	}
	if s.touching(g.at - q.pacman) {
		s.meet(q, int(q.turn-1), false)
	}
	s.pass(q)
}

func (s *State) advance(q *position, by int16) {
	q.pacman += 2 * by
	q.score += timePoints
	c := s.cellOf[q.pacman]
	victory := false
	if word, bit := &s.words[c>>6], uint64(1)<<(c&63); *word&bit != 0 {
		*word &^= bit
		q.ate = c
		q.score += foodPoints
		if q.left--; q.left == 0 {
			q.score += winPoints
			victory = true
		}
	}
	if k := s.capsuleAt[c]; k >= 0 && q.capsules&(1<<k) != 0 {
		q.capsules &^= 1 << k
		for i := range s.ghosts {
			q.ghosts[i].timer = scaredTime
		}
	}
	for i := range s.ghosts {
		if s.touching(q.ghosts[i].at - q.pacman) {
			s.meet(q, i, victory)
		}
	}
	if victory {
		q.turn = won
	}
	s.pass(q)
}

// touching reports whether two half-cells whose indices differ by d are at most half a cell apart
// (Berkeley: 0.7 in the Manhattan metric).
func (s *State) touching(d int16) bool {
	return uint16(d+1) <= 2 || d == s.step[North] || d == s.step[South]
}

// meet applies the rules for a meeting between ghost i and Pacman. After Pacman has been caught,
// another ghost in the same place may also catch Pacman.
func (s *State) meet(q *position, i int, victory bool) {
	g := &q.ghosts[i]
	switch {
	case g.timer > 0:
		q.score += ghostPoints
		*g = body{at: s.starts[i], heading: Stop}
	case !victory:
		q.score += lossPoints
		q.turn = lost
	}
}

// pass gives the turn to the next agent, unless the game is over.
func (s *State) pass(q *position) {
	if q.turn < 0 {
		return
	}
	if q.turn++; int(q.turn) > s.ghosts {
		q.turn = 0
	}
}

// snap returns the half-cell index of the cell in which a ghost at h is placed when it stops being
// scared.
func (r *rules) snap(h int16) int16 {
	if r.exits[h] != 0 {
		return h
	}
	return r.half(r.cells[r.cellOf[h]])
}

func (s *State) Undo() {
	if s.ply == 0 {
		panic("pacman: Undo at the first position")
	}
	if c := s.line[s.ply].ate; c >= 0 {
		s.words[c>>6] |= 1 << (c & 63)
	}
	s.ply--
}

func (s *State) Hash() uint64 {
	return fold(s.Situation(), 0x9e3779b97f4a7c15^uint64(uint32(s.line[s.ply].score))<<16)
}

// Situation returns a hash of everything that determines future changes of the score, that is,
// everything except the score itself. It combines the halves of 128-bit products of the position's
// words.
func (s *State) Situation() uint64 {
	p := &s.line[s.ply]
	h := fold(uint64(p.capsules)<<32|uint64(uint16(p.pacman))<<8|uint64(uint8(p.turn)), 0x9e3779b97f4a7c15)
	for i := 0; i < s.ghosts; i += 2 {
		a, b := p.ghosts[i], p.ghosts[(i+1)&(MaxGhosts-1)]
		w := uint64(uint16(a.at)) | uint64(a.heading)<<16 | uint64(a.timer)<<24 |
			uint64(uint16(b.at))<<32 | uint64(b.heading)<<48 | uint64(b.timer)<<56
		h = fold(h^w, 0xe7037ed1a0b428db)
	}
	for _, w := range s.words {
		h = fold(h^w, 0xa0761d6478bd642f)
	}
	return h
}

func fold(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x^0xbf58476d1ce4e5b9, y)
	return hi ^ lo ^ x>>29
}

// Clone implements [game.State]. If the ghosts follow an external policy, the copy creates its own
// policy when it first needs one.
func (s *State) Clone() game.State {
	c := s.state(*s.at(), s.words)
	c.thinking = s.thinking
	return c
}

// WithStop returns a copy of the position in which Pacman may stop if allowed is set.
func (s *State) WithStop(allowed bool) *State {
	c := s.Clone().(*State)
	r := *s.rules
	r.stop = allowed
	c.rules = &r
	return c
}

// Maze returns the layout.
func (s *State) Maze() *Layout { return s.Layout }

// Pacman returns the cell of Pacman.
func (s *State) Pacman() Cell { return s.cellOf[s.at().pacman] }

// Ghosts returns the number of ghosts.
func (s *State) Ghosts() int { return s.ghosts }

// A Ghost contains the place and state of a ghost.
type Ghost struct {
	Cell    Cell // the ghost's cell, or the next cell that it will reach if it is between two
	Half    bool // whether the ghost is half a cell before Cell
	Heading int  // direction of the ghost's last move; Stop at its start
	Timer   int  // number of the ghost's own moves for which it stays scared
}

// Ghost returns the i-th ghost, counted from 0.
func (s *State) Ghost(i int) Ghost {
	b := s.at().ghosts[i]
	g := Ghost{Cell: s.cellOf[b.at], Heading: int(b.heading), Timer: int(b.timer)}
	if s.exits[b.at] == 0 {
		g.Half = true
		g.Cell = s.cellOf[b.at+s.step[b.heading]]
	}
	return g
}

// Won reports whether the game is over and Pacman has eaten all food.
func (s *State) Won() bool { return s.at().turn == won }

// FoodLeft returns the number of remaining food dots.
func (s *State) FoodLeft() int { return int(s.at().left) }

// Food returns the remaining food. Bit c%64 of word c/64 represents cell c. The slice belongs to
// the state and changes with it.
func (s *State) Food() []uint64 { return s.words }

// CapsulesLeft returns the number of remaining capsules.
func (s *State) CapsulesLeft() int { return bits.OnesCount32(s.at().capsules) }

// Capsule returns the cell of the layout's capsule i, counted from 0. left reports whether the
// capsule has not yet been eaten.
func (s *State) Capsule(i int) (c Cell, left bool) {
	return s.capsules[i], s.at().capsules&(1<<i) != 0
}

// GhostDistance returns the Manhattan distance from Pacman to the i-th ghost, in cells.
func (s *State) GhostDistance(i int) float64 {
	p := s.at()
	return float64(s.between(p.ghosts[i].at, p.pacman)) / 2
}
