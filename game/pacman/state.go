// Package pacman is Pacman by the rules of Berkeley's course projects, in any maze, with the ghosts
// as chance nodes.
//
// The journey: a [Layout] is a maze with its initial set-up and all distances (layout.go, maze.go);
// [New] makes the game; a [State] is where everyone is and what food is left. Pacman is player 0
// and decides; then each ghost moves in turn, a chance node whose probabilities are those of random
// or directional ghosts (ghost.go), or of any policy ([WithGhosts]). The utility is the score,
// which may be negative.
//
// Rules (Berkeley's, to the letter). Pacman's move: one step or none; food +10; the last food +500,
// and won; a capsule scares every ghost for 40 of its own moves; -1 for time; then he meets every
// ghost. A ghost's move: one step, half a step while scared; it never stops and turns back only
// where it must, or at its start; between two cells it goes straight on; its timer drops by 1, and
// when that ends it is put on a whole cell, upwards or to the right if between two; then it meets
// Pacman. Those half a cell apart or less meet: a scared ghost is worth 200 and restarts at its
// start, not scared; any other takes 500 and the game is lost, unless it is already won.
package pacman

import (
	"math/bits"

	"plyfit/game"
)

// Directions, which are also the moves of Pacman and of the ghosts.
const (
	West = iota
	Stop
	East
	North
	South
)

// reverse is the way back by direction.
var reverse = [5]uint8{West: East, Stop: Stop, East: West, North: South, South: North}

// Reverse returns the direction opposite to m, one of the five; Stop is its own.
func Reverse(m game.Move) game.Move { return game.Move(reverse[m]) }

// Who is to move, beside Pacman (0) and the ghosts (1...).
const (
	won  = -2
	lost = -3
)

// State is a position.
type State struct {
	*rules
	ply   int
	line  []position // since the first, which has nothing to undo; beyond ply it is room
	words []uint64   // the food left, a bit an open cell

	clock    uint64      // of calls of Play, so that positions in line have a name of their own
	policy   game.Policy // of rules.policy; nil until it is first asked
	thinking bool        // it is being asked: meanwhile the ghosts move as they would without it
	known    odds

	crumbs  []remembered // by hash of the food, nil until asked for
	scratch []crumb
}

// position is what Undo gives back; 64 bytes, all of one cache line.
type position struct {
	serial   uint64 // the clock when it arose
	capsules uint32 // a bit each
	score    int32
	left     int16 // food
	pacman   int16 // half-cell index, always of a cell
	ate      Cell  // the food eaten on the way here, -1 none
	turn     int8
	ghosts   [MaxGhosts]body
}

type body struct {
	at      int16 // half-cell index
	heading uint8 // the direction of its last move, Stop at its start
	timer   uint8 // moves of its own for which it stays scared
}

var (
	_ game.Chancer     = (*State)(nil)
	_ game.Scorer      = (*State)(nil)
	_ game.Bounder     = (*State)(nil)
	_ game.Ranker      = (*State)(nil)
	_ game.Drawer      = (*State)(nil)
	_ game.Illustrator = (*State)(nil)
)

// state is a State of its own with p for its first position.
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

// Utility implements [game.State]: the score.
func (s *State) Utility(game.Player) float64 { return float64(s.at().score) }

// Bounds implements [game.Bounder]: at most what is left to eat, less a move for each food dot; at
// least the game's Min, since every move costs and only the limit of moves ends that.
func (s *State) Bounds(game.Player) (lo, hi float64) {
	p := s.at()
	if p.turn < 0 {
		return float64(p.score), float64(p.score)
	}
	return s.floor, float64(s.ceiling(p))
}

// lists holds the moves of each set of directions.
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

// legal is the set of directions open to whom p has to move, who must be someone.
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
	if s.met(g.at - q.pacman) {
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
		if s.met(q.ghosts[i].at - q.pacman) {
			s.meet(q, i, victory)
		}
	}
	if victory {
		q.turn = won
	}
	s.pass(q)
}

// met reports whether two whose half-cell indices differ by d are at most half a
// cell apart (Berkeley: 0.7, in Manhattan's metric).
func (s *State) met(d int16) bool {
	return uint16(d+1) <= 2 || d == s.step[North] || d == s.step[South]
}

// meet is what happens when ghost i and Pacman have met. Pacman, once caught,
// may be caught again by the next ghost in the same place.
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

// pass hands the turn on, unless the game is over.
func (s *State) pass(q *position) {
	if q.turn < 0 {
		return
	}
	if q.turn++; int(q.turn) > s.ghosts {
		q.turn = 0
	}
}

// snap is the half-cell index of the cell that a ghost stands on when its fear ends at h.
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

// Situation is a hash of all that decides future changes of the score, so of all but the score:
// products of the position's words, each product's halves added up.
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

// Clone implements [game.State]. Where the ghosts follow a policy put in from
// outside, the copy makes one of its own when it needs it.
func (s *State) Clone() game.State {
	c := s.state(*s.at(), s.words)
	c.thinking = s.thinking
	return c
}

// WithStop is a copy of the position in a game in which Pacman may, or may not, stand still.
func (s *State) WithStop(allowed bool) *State {
	c := s.Clone().(*State)
	r := *s.rules
	r.stop = allowed
	c.rules = &r
	return c
}

// Maze is the layout.
func (s *State) Maze() *Layout { return s.Layout }

// Pacman is the cell where Pacman stands.
func (s *State) Pacman() Cell { return s.cellOf[s.at().pacman] }

// Ghosts is the number of ghosts, Ghost the i-th of them, from 0.
func (s *State) Ghosts() int { return s.ghosts }

// Ghost is where a ghost stands and how it goes on.
type Ghost struct {
	Cell    Cell // where it stands, or the one it heads for from between two
	Half    bool // it stands half a cell before Cell
	Heading int  // the direction of its last move, Stop at its start
	Timer   int  // moves of its own for which it stays scared
}

// Ghost is the i-th ghost, from 0.
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

// FoodLeft is the number of food dots left.
func (s *State) FoodLeft() int { return int(s.at().left) }

// Food is the food left, cell c being bit c%64 of word c/64. It belongs to the
// state and changes with it.
func (s *State) Food() []uint64 { return s.words }

// CapsulesLeft is the number of capsules left.
func (s *State) CapsulesLeft() int { return bits.OnesCount32(s.at().capsules) }

// Capsule reports whether capsule i of the layout, from 0, is left, and where.
func (s *State) Capsule(i int) (c Cell, left bool) {
	return s.capsules[i], s.at().capsules&(1<<i) != 0
}

// GhostDistance is Manhattan's distance from Pacman to the i-th ghost, in cells.
func (s *State) GhostDistance(i int) float64 {
	p := s.at()
	return float64(s.between(p.ghosts[i].at, p.pacman)) / 2
}
