// Package gogame implements go with the rules of Tromp and Taylor: area scoring without agreement
// on dead stones, and positional superko. Suicide of more than one stone is legal, but can be
// forbidden by an option.
//
// A position is a [State]. Its stones form chains with their liberties (chain.go), so a move
// updates only what it changes. The hashes of all earlier boards are stored, because no board may
// recur. Two consecutive passes end the game, and [State.Score] counts the area. Games are written
// in the format sgf.
package gogame

import (
	"slices"

	"plyfit/game"
)

// A State is a board with all earlier boards.
//
// Its Hash covers the set of earlier boards, because each of them forbids the moves that would
// recreate it. The same moves in two different orders usually lead to different sets, and therefore
// to different table entries. BoardHash covers only the board and the side to move. Boards are
// compared by 64-bit hashes.
type State struct {
	*rules
	komi   float64
	colour []uint8  // colour of each point
	chain  []uint16 // representative stone of each stone's chain
	next   []uint16 // next stone of each stone's chain, in a circle
	chains []chain  // indexed by representative stone
	board  uint64   // hash of the board: the combined keys of the stones

	setup  []uint8 // content of each point on the first position's board
	first  game.Player
	line   []ply // moves since the first position
	floor  int   // number of moves that cannot be undone
	passes int   // number of consecutive passes at the end of the moves

	seen     boards // hashes of all boards
	past     uint64 // contribution of these boards to Hash
	captured []uint16
	merge    []merger
}

// Content of a point.
const (
	empty uint8 = iota
	black
	white
	border
)

// Pass is the move that places no stone.
const Pass game.Move = 0

type ply struct {
	move   uint16
	passes uint8
	taken  int32 // length of State.captured before the move
	merge  int32
	own    bool   // whether the captured stones belonged to the mover
	board  uint64 // hash of the board before the move
}

var (
	_ game.Ranker      = (*State)(nil)
	_ game.Noisy       = (*State)(nil)
	_ game.BoardHasher = (*State)(nil)
	_ game.Countable   = (*State)(nil)
	_ game.Drawer      = (*State)(nil)
	_ game.Illustrator = (*State)(nil)
	_ game.Celled      = (*State)(nil)
)

// Of returns the go position in s, without its wrappers, or nil for other games.
func Of(s game.State) *State {
	own, _ := game.Base(s).(*State)
	return own
}

func (r *rules) start() *State {
	s := r.blank()
	s.begin(0)
	return s
}

// blank returns an empty board without earlier boards.
func (r *rules) blank() *State {
	n := len(r.place)
	s := &State{
		rules: r, komi: r.komi,
		colour: make([]uint8, n), setup: make([]uint8, n),
		chain: make([]uint16, n), next: make([]uint16, n), chains: make([]chain, n),
	}
	for p := range s.colour {
		if r.place[p] < 0 {
			s.colour[p] = border
		}
	}
	return s
}

// begin makes the current board the first position, with mover to move.
func (s *State) begin(mover game.Player) {
	s.first = mover
	copy(s.setup, s.colour)
	s.remember(s.board)
}

func (s *State) remember(board uint64) {
	s.seen.add(board)
	s.past ^= game.Mix(board ^ pastKey)
}

const pastKey = 0x7a5c3d1e9b2f4861

// mover returns the player to move, assuming that the game is not over.
func (s *State) mover() game.Player { return s.first ^ game.Player(len(s.line)&1) }

// Turn implements [game.State]. Black is player 0.
func (s *State) Turn() game.Player {
	if s.passes == 2 {
		return game.Nobody
	}
	return s.mover()
}

// Moves implements [game.State]: the legal points row by row from A1, followed by Pass.
func (s *State) Moves(dst []game.Move) []game.Move {
	if s.passes == 2 {
		return dst
	}
	c := uint8(s.mover()) + black
	for _, p := range s.points {
		if s.colour[p] == empty && s.legal(int(p), c) {
			dst = append(dst, game.Move(p))
		}
	}
	return append(dst, Pass)
}

// legal reports whether a stone of colour c may be placed on the empty point p.
func (s *State) legal(p int, c uint8) bool {
	after, ok := s.after(p, c)
	return ok && !s.seen.has(after)
}

func (s *State) Play(m game.Move) {
	c := uint8(s.mover()) + black
	s.line = append(s.line, ply{move: uint16(m), passes: uint8(s.passes), taken: int32(len(s.captured)), merge: int32(len(s.merge)), board: s.board})
	if m == Pass {
		s.passes++
		return
	}
	s.passes = 0
	s.line[len(s.line)-1].own = s.put(int(m), c)
	s.remember(s.board)
}

func (s *State) Undo() {
	last := len(s.line) - 1
	if last < s.floor {
		panic("gogame: Undo at the first position")
	}
	l := s.line[last]
	s.line = s.line[:last]
	s.passes = int(l.passes)
	if l.move == uint16(Pass) {
		return
	}
	s.seen.drop(s.board)
	s.past ^= game.Mix(s.board ^ pastKey)
	s.takeBack(l, uint8(s.mover())+black)
	s.board = l.board
}

// Utility implements [game.State]: 1, 0 or -1, or the margin if score=points.
func (s *State) Utility(p game.Player) float64 {
	u := s.Score()
	if !s.margin {
		switch {
		case u > 0:
			u = 1
		case u < 0:
			u = -1
		}
	}
	if p == 1 {
		u = -u
	}
	return u
}

// CountNow implements [game.Countable]. It counts the area as if both players passed.
func (s *State) CountNow(p game.Player) float64 { return s.Utility(p) }

// Hash implements [game.State]. It covers the board, the player to move, whether the last move was
// a pass, and the set of earlier boards.
func (s *State) Hash() uint64 { return game.Mix(s.BoardHash()+uint64(s.passes)) ^ s.past }

func (s *State) BoardHash() uint64 {
	return game.Mix(s.board ^ uint64(s.mover()+1)<<32)
}

func (s *State) Clone() game.State {
	c := *s
	c.colour, c.chain, c.next, c.chains = slices.Clone(s.colour), slices.Clone(s.chain), slices.Clone(s.next), slices.Clone(s.chains)
	c.line, c.seen, c.captured, c.merge = slices.Clone(s.line), s.seen.clone(), nil, nil
	c.floor = len(c.line)
	return &c
}

// Size returns the number of points along an edge of the board.
func (s *State) Size() int { return s.size }

// Komi returns the points that white gets as compensation for moving second.
func (s *State) Komi() float64 { return s.komi }

// Passed reports whether the last move was a pass.
func (s *State) Passed() bool { return s.passes > 0 }

// Last returns the last move. ok is false in the first position.
func (s *State) Last() (m game.Move, ok bool) {
	if len(s.line) == 0 {
		return Pass, false
	}
	return game.Move(s.line[len(s.line)-1].move), true
}

// Past returns the first position and the moves since then.
func (s *State) Past() (first *State, moves []game.Move) {
	first = s.rules.blank()
	first.komi = s.komi
	for _, p := range s.points {
		if c := s.setup[p]; c != empty {
			first.put(int(p), c)
		}
	}
	first.merge = first.merge[:0]
	first.begin(s.first)
	for _, l := range s.line {
		moves = append(moves, game.Move(l.move))
	}
	return first, moves
}

// Smallest and largest size of a board.
const (
	minSize = 2
	maxSize = 19
)

type rules struct {
	size    int
	stride  int     // distance from a point to the one above it
	points  []int32 // point numbers of the board's cells, row by row from A1
	place   []int32 // number of each point of the board, row by row; -1 off the board
	key     [2][]uint64
	suicide bool // whether suicide of two or more stones is legal
	margin  bool // whether the utility is the margin in points instead of 1, 0 or -1
	komi    float64
}

// New returns the game with these options:
//
//   - size: the number of points along an edge of the board.
//   - komi: white's compensation in points for moving second.
//   - score: win, or points for the margin.
//   - suicide: whether players may fill the last liberty of their own stones.
func New(o *game.Options) (*game.Game, error) {
	r := &rules{size: o.Int("size", 9, minSize, maxSize)}
	r.komi = o.Float("komi", usualKomi(r.size), -maxSize*maxSize, maxSize*maxSize)
	if r.komi*2 != float64(int(r.komi*2)) {
		o.Fail("komi", "a multiple of 0.5")
	}
	r.margin = o.String("score", "win", "win", "points") == "points"
	r.suicide = o.Bool("suicide", true)
	r.lay()
	g := &game.Game{
		Name:      "go",
		Spec:      o.Spec("go"),
		Doc:       "go under the Tromp-Taylor rules; size=9 (2 to 19), komi=7 (7.5 on boards larger than 9x9 and on 5x5 to 8x8, 0 on smaller ones), score=win (1, 0 or -1) or points (the margin), suicide=on (for two stones or more)",
		Players:   2,
		Seats:     []string{"Black", "White"},
		Sum:       game.Zero,
		Min:       -1,
		Max:       1,
		MaxPlies:  8*r.size*r.size + 64,
		New:       func() game.State { return r.start() },
		Parse:     r.parse,
		ParseMove: parseMove,
		Formats:   []game.Format{sgf},
		Dialects:  []game.Dialect{r.gtp()},
	}
	if r.margin {
		g.Max = float64(r.size*r.size) + max(r.komi, -r.komi)
		g.Min = -g.Max
	}
	return g, o.Err()
}

// usualKomi returns the default komi for a board of the given size.
func usualKomi(size int) float64 {
	switch {
	case size < 5:
		return 0
	case size == 9:
		return 7
	}
	return 7.5
}

// lay assigns numbers to the points. Several points are off the board: point 0, a row below the
// board, a row above it, and one point beside each row. Each point of the board therefore has four
// neighbours.
func (r *rules) lay() {
	r.stride = r.size + 1
	all := (r.size+2)*r.stride + 1
	r.place = make([]int32, all)
	r.key = [2][]uint64{make([]uint64, all), make([]uint64, all)}
	for p := range r.place {
		r.place[p] = -1
	}
	for row := range r.size {
		for column := range r.size {
			p := r.point(row, column)
			r.place[p] = int32(len(r.points))
			r.points = append(r.points, int32(p))
			for colour := range r.key {
				r.key[colour][p] = game.Mix(uint64(1<<20 + colour<<16 + row<<8 + column))
			}
		}
	}
}

// point returns the number of the point in a row and a column, both counted from 0.
func (r *rules) point(row, column int) int { return (row+1)*r.stride + column + 1 }
