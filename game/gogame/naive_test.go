package gogame

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
)

// naive implements the rules of Tromp and Taylor literally. A board is a string, and the past is a
// set of boards. Nothing is optimised, except that buffers are reused and neighbours are stored.
type naive struct {
	n       int
	suicide bool
	board   []byte // '.', 'X' or 'O', row by row from the bottom
	past    map[string]bool
	turn    byte
	passes  int

	near   [][]int // neighbours of each point
	points []int   // result of the last call to reach
	known  []bool  // points reached by the current walk over the board
	next   []byte
}

func newNaive(n int, suicide bool) *naive {
	v := &naive{n: n, suicide: suicide, board: make([]byte, n*n), past: map[string]bool{}, turn: 'X'}
	for i := range v.board {
		v.board[i] = '.'
		v.near = append(v.near, v.around(i))
	}
	v.known = make([]bool, n*n)
	v.past[string(v.board)] = true
	return v
}

func (v *naive) around(i int) (list []int) {
	x, y := i%v.n, i/v.n
	for _, d := range [4][2]int{{0, -1}, {-1, 0}, {1, 0}, {0, 1}} {
		if a, b := x+d[0], y+d[1]; a >= 0 && a < v.n && b >= 0 && b < v.n {
			list = append(list, b*v.n+a)
		}
	}
	return list
}

// reach returns the points that have the same content as i and are connected to it, and whether any
// point with the content sought is adjacent to them. These points must not be marked in known.
func (v *naive) reach(board []byte, i int, sought byte) (points []int, found bool) {
	points = append(v.points[:0], i)
	v.known[i] = true
	for k := 0; k < len(points); k++ {
		for _, j := range v.near[points[k]] {
			if board[j] == sought {
				found = true
			}
			if board[j] == board[i] && !v.known[j] {
				v.known[j] = true
				points = append(points, j)
			}
		}
	}
	v.points = points
	return points, found
}

// clear empties all points of the given colour that are not connected to an empty point. The points
// are emptied at the end, so that they do not count as empty during the search.
func (v *naive) clear(board []byte, colour byte) {
	clear(v.known)
	var gone []int
	for i := range board {
		if board[i] == colour && !v.known[i] {
			if points, breathes := v.reach(board, i, '.'); !breathes {
				gone = append(gone, points...)
			}
		}
	}
	for _, i := range gone {
		board[i] = '.'
	}
}

// after returns the board after a stone is placed on i, or nil if the move is illegal. The result
// is valid until the next call.
func (v *naive) after(i int) []byte {
	if v.board[i] != '.' {
		return nil
	}
	v.next = append(v.next[:0], v.board...)
	next := v.next
	next[i] = v.turn
	v.clear(next, 'X'^'O'^v.turn)
	clear(v.known)
	if _, breathes := v.reach(next, i, '.'); !breathes && !v.suicide {
		return nil
	}
	v.clear(next, v.turn)
	if v.past[string(next)] {
		return nil
	}
	return next
}

// moves returns the legal points, row by row from A1. A pass is legal until the end of the game.
func (v *naive) moves() (list []int) {
	for i := range v.board {
		if v.after(i) != nil {
			list = append(list, i)
		}
	}
	return list
}

func (v *naive) play(i int) { // -1 passes
	if i < 0 {
		v.passes++
	} else {
		v.board = slices.Clone(v.after(i))
		v.past[string(v.board)] = true
		v.passes = 0
	}
	v.turn = 'X' ^ 'O' ^ v.turn
}

func (v *naive) score() (points int) {
	for i, c := range v.board {
		x, o := c == 'X', c == 'O'
		if c == '.' {
			clear(v.known)
			_, x = v.reach(v.board, i, 'X')
			clear(v.known)
			_, o = v.reach(v.board, i, 'O')
		}
		if x && !o {
			points++
		}
		if o && !x {
			points--
		}
	}
	return points
}

// agree compares a position with the naive implementation.
func agree(t *testing.T, s *State, v *naive) {
	t.Helper()
	for i, p := range s.points {
		if ".XO"[s.colour[p]] != v.board[i] {
			t.Fatalf("%s: %q on %s, by the other rules %q", s, ".XO"[s.colour[p]], s.MoveString(game.Move(p)), v.board[i])
		}
	}
	want := v.moves()
	got := s.Moves(nil)
	if v.passes == 2 {
		if len(got) != 0 || s.Turn() != game.Nobody {
			t.Fatalf("%s: %d moves after two passes", s, len(got))
		}
		if float64(v.score()) != s.Score()+s.komi {
			t.Fatalf("%s: black is ahead by %v, by the other rules %v", s, s.Score()+s.komi, v.score())
		}
		return
	}
	if len(got) != len(want)+1 || got[len(want)] != Pass {
		t.Fatalf("%s: %d moves, by the other rules %d and a pass", s, len(got), len(want))
	}
	for k, i := range want {
		if got[k] != game.Move(s.points[i]) {
			t.Fatalf("%s: %s is legal, by the other rules %s", s, s.MoveString(got[k]), s.MoveString(game.Move(s.points[i])))
		}
	}
}

var (
	randomGames = flag.Int("games", 0, "random games played by both implementations")
	firstGame   = flag.Int("first", 0, "number of the first of these games: a long run can be split")
)

// TestAgainstNaiveRules plays random games with both implementations and compares all moves. Small
// boards produce many superko bans and suicides. With PLYFIT_LONG, the test plays a million games.
// -games N sets the number of games, and -first K sets the first game.
func TestAgainstNaiveRules(t *testing.T) {
	games := *randomGames
	if games == 0 {
		games = 400
		if vectors.Long() {
			games = 1_000_000
		}
	}
	repeats, suicides := 0, 0
	for n := *firstGame; n < *firstGame+games; n++ {
		size := 2 + n%4
		if n%1000 == 99 {
			size = 9
		}
		options := []string{"size=" + string('0'+rune(size))}
		if n%3 == 0 {
			options = append(options, "suicide=off")
		}
		g := vectors.Must(New(game.NewOptions("go", options...)))
		rng := rand.New(rand.NewPCG(5, uint64(n)))
		s, v := g.New().(*State), newNaive(size, n%3 != 0)
		for plies := 0; ; plies++ {
			agree(t, s, v)
			if s.Turn() == game.Nobody || plies == g.MaxPlies {
				break
			}
			c := uint8(s.mover()) + black
			for _, p := range s.points {
				if s.colour[p] == empty {
					if after, ok := s.after(int(p), c); ok && after != s.board && s.seen.has(after) {
						repeats++
					}
				}
			}
			moves := v.moves()
			i := -1
			if k := rng.IntN(len(moves) + 1); k < len(moves) && (len(moves) > 0) {
				i = moves[k]
			}
			m := Pass
			if i >= 0 {
				m = game.Move(s.points[i])
			}
			if rng.IntN(8) == 0 { // undo a move and play it again
				before := s.Hash()
				s.Play(m)
				s.Undo()
				if s.Hash() != before {
					t.Fatalf("%s: the hash differs after %s was taken back", s, s.MoveString(m))
				}
			}
			s.Play(m)
			if l := s.line[len(s.line)-1]; l.own {
				suicides++
			}
			v.play(i)
		}
		if n%7 == 0 {
			for len(s.line) > s.floor {
				s.Undo()
			}
			agree(t, s, newNaive(size, n%3 != 0))
		}
	}
	if repeats < games/4 || suicides < games/10 {
		t.Errorf("%d moves forbidden by superko, %d suicides: want many", repeats, suicides)
	}
	t.Logf("%d games: %d moves forbidden by superko, %d suicides", games, repeats, suicides)
}
