package gogame

import (
	"fmt"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

func TestLaw(t *testing.T) {
	for _, c := range []struct {
		text      string
		playouts  int
		positions []string
	}{
		{"go:size=2", 50, nil},
		{"go:size=3,score=points", 50, nil},
		{"go:size=5", 20, []string{"5/1X3/X1XO1/1XO1O/3O1 X", "2O2/XXOO1/1XXO1/XX1OO/1XO2 O moves A5 pass"}},
		{"go", 6, nil},
		{"go:size=7,suicide=off", 2, nil},
	} {
		gametest.Law(t, gametest.New(t, New, c.text), gametest.Options{Playouts: c.playouts, Positions: c.positions, Plies: 400})
	}
}

func TestOptions(t *testing.T) {
	gametest.Refuse(t, New, "go:size=1", "go:size=20", "go:komi=0.25", "go:komi=none", "go:score=area", "go:handicap=2")
	for text, want := range map[string]string{
		"go:size=9,komi=7": "go", "go:size=19,komi=7.5": "go:size=19", "go:size=5,komi=0,suicide=off": "go:size=5,komi=0,suicide=off", "go:score=points": "go:score=points",
	} {
		if g := gametest.New(t, New, text); g.Spec != want {
			t.Errorf("%s is %s, want %s", text, g.Spec, want)
		}
	}
}

// TestPlaythrough replays OpenSpiel's playthrough (go.txt), whose last phase has many captures and
// recaptures. It compares the numbers of legal moves and the final board.
func TestPlaythrough(t *testing.T) {
	p := gametest.Playthrough{
		Moves: "D4 D3 B2 B5 G6 C1 A7 C6 E3 E1 F7 A1 C3 C4 G5 G3 E6 F1 F4 A4 pass B3 A5 D6 B6 D5 E7 B1 E5 E4 B7 D4 A3 G1 F2 " +
			"C2 F6 pass F3 G4 D7 A2 D1 A6 pass C7 B7 C5 B6 C3 pass A3 D2 B2 G2 A5 F5 G3 pass A7 E2 B6 E1 G1 G7 pass G4 pass pass",
		Counts:  map[int]int{0: 50, 1: 49, 2: 48, 3: 47, 4: 46, 5: 45, 20: 30, 21: 29, 40: 11, 41: 11, 60: 6, 61: 7},
		Returns: []float64{-1, 1},
	}
	s := p.Follow(t, gametest.New(t, New, "go:size=7,komi=4.5,suicide=off")).(*State)
	const want = "O.OXXXX OOOOXXX OOOOXXX O.OOOXX OOOOXX. OOOXXXX OOOXX.O"
	for i, row := range strings.Fields(want) {
		for x, point := range row {
			if got := ".XO"[s.colour[s.points[7*(6-i)+x]]]; got != byte(point) {
				t.Errorf("row %d, column %d: %q, want %q", 7-i, x+1, got, point)
			}
		}
	}
}

// TestLegalPositions counts the boards on which every stone is connected to a liberty (Tromp and
// Farnebäck, "Combinatorics of Go", 2006, table 1). It places and removes one stone at a time.
func TestLegalPositions(t *testing.T) {
	for size, want := range map[int]int{2: 57, 3: 12675, 4: 24318165} {
		if size == 4 && !vectors.Long() {
			continue
		}
		s := gametest.New(t, New, fmt.Sprintf("go:size=%d", size)).New().(*State)
		var count func(i int) int
		count = func(i int) int {
			if i == len(s.points) {
				return 1
			}
			n := count(i + 1)
			for c := black; c <= white; c++ {
				p, board := int(s.points[i]), s.board
				l := ply{move: uint16(p), merge: int32(len(s.merge))}
				l.own = s.put(p, c)
				if len(s.captured) == 0 { // a stone without a liberty will never get one
					n += count(i + 1)
				}
				s.takeBack(l, c)
				s.board = board
			}
			return n
		}
		if got := count(0); got != want {
			t.Errorf("%d positions of %dx%d, want %d", got, size, size, want)
		}
	}
}

// TestPerft counts the possible sequences of first moves, including passes. On boards from 2x2 to
// 4x4, it compares the counts with those of the naive rules.
func TestPerft(t *testing.T) {
	for size := 2; size <= 4; size++ {
		s := gametest.New(t, New, fmt.Sprintf("go:size=%d", size)).New()
		depth := []int{0, 0, 7, 5, 4}[size]
		for d := 1; d <= depth; d++ {
			want := newNaive(size, true).perft(d)
			if got := game.Perft(s, d, nil); got != want {
				t.Errorf("perft %d of %dx%d is %d, by the other rules %d", d, size, size, got, want)
			}
		}
	}
	for text, want := range map[string][]int64{"go": {82, 6643, 531522}, "go:size=19": {362, 130683}} {
		s := gametest.New(t, New, text).New()
		for d, n := range want {
			if got := game.Perft(s, d+1, nil); got != n {
				t.Errorf("perft %d of %s is %d, want %d", d+1, text, got, n)
			}
		}
	}
}

// perft counts sequences of moves. It copies the position for each move.
func (v *naive) perft(depth int) (n int64) {
	if depth == 0 {
		return 1
	}
	if v.passes == 2 {
		return 0
	}
	for _, i := range append(v.moves(), -1) {
		c := *v
		c.past = make(map[string]bool, len(v.past)+1)
		for b := range v.past {
			c.past[b] = true
		}
		c.play(i)
		n += c.perft(depth - 1)
	}
	return n
}

// TestSuperko checks legal and illegal moves in cycles. The examples with two stones sent and one
// returned, with suicides and with three kos come from KataGo (cpp/tests/testrules.cpp, positional
// superko). Additional rows at the bottom make these boards square.
func TestSuperko(t *testing.T) {
	const (
		sending  = "1O1XXO/OXXXO1/O1X1OO/XXXOO1/OOOO1O/6 X moves "
		suicides = "1OXO1X/OXXOOO/XX4/6/6/6 X moves "
	)
	for _, c := range []struct {
		name, game, position string
		legal, forbidden     string
	}{
		{"ko", "go:size=4", "4/1XO1/XO1O/1XO1 X moves C2", "", "B2"},
		{"ko, after a threat and its answer", "go:size=4", "4/1XO1/XO1O/1XO1 X moves C2 A4 D4", "B2", ""},
		{"a stone alone never kills itself", "go:size=3", "1X1/X1X/1X1 O", "", "B2"},
		{"two stones kill themselves", "go:size=4", "4/XX2/O1X1/XXX1 O", "B2", ""},
		{"which an option forbids", "go:size=4,suicide=off", "4/XX2/O1X1/XXX1 O", "", "B2"},
		{"a ko", "go:size=6,suicide=off", sending + "F5", "", "F6"},
		{"a ko after a pass", "go:size=6,suicide=off", sending + "F5 pass D4", "F6", ""},
		{"two stones are sent", "go:size=6,suicide=off", sending + "F5 pass D4 C6", "A6", ""},
		{"and not one returned", "go:size=6,suicide=off", sending + "F5 pass D4 C6 A6", "F6", "B6"},
		{"but a ko is", "go:size=6,suicide=off", sending + "F5 pass D4 C6 A6 F6", "", "F5"},
		{"then one is returned", "go:size=6,suicide=off", sending + "F5 pass D4 C6 A6 F6 pass B6", "", "F5"},
		{"and two sent again", "go:size=6,suicide=off", sending + "F5 pass D4 C6 A6 F6 pass B6 pass C6", "", "A6 F5"},
		{"after a suicide", "go:size=6", suicides + "E6 pass", "E6", "F6"},
		{"after two", "go:size=6", suicides + "E6 pass E6 A6 F6 B6 pass", "A6", "A5"},
		{"and some more", "go:size=6", suicides + "E6 pass E6 A6 F6 B6 pass A6 E6", "", "A5"},
		{"three kos", "go:size=7,suicide=off", "OOOOOOO/OXO1O1O/X1XOXOX/XXXXXXX/OOOOOOO/7/7 X moves D6 B5 F6 D5 B6", "", "B5 F5"},
	} {
		g := gametest.New(t, New, c.game)
		s, err := g.Parse(c.position)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, m := range strings.Fields(c.legal) {
			if _, err := g.ParseMove(s, m); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		for _, m := range strings.Fields(c.forbidden) {
			if _, err := g.ParseMove(s, m); err == nil {
				t.Errorf("%s: %s is legal at %s", c.name, m, s)
			}
		}
	}
}

// TestArea replays KataGo's test of area rules, in which the board is divided equally and komi
// decides.
func TestArea(t *testing.T) {
	p := gametest.Playthrough{Moves: "B3 C2 B2 C3 B1 C1 B4 C4 pass pass", Returns: []float64{-0.5, 0.5}}
	p.Follow(t, gametest.New(t, New, "go:size=4,komi=0.5,score=points"))
}

// TestHashOfThePast checks that the same moves in two different orders lead to the same board, but
// to a different Hash if the boards on the way differ.
func TestHashOfThePast(t *testing.T) {
	g := gametest.New(t, New, "go:size=5")
	read := func(text string) *State {
		s := vectors.Must(g.Parse("5/5/5/5/5 X moves " + text))
		return s.(*State)
	}
	a, b := read("A1 B2 C3 D4"), read("C3 B2 A1 D4")
	if a.BoardHash() != b.BoardHash() || a.Hash() == b.Hash() {
		t.Errorf("board hashes %x and %x, hashes %x and %x: want the boards the same, the past not", a.BoardHash(), b.BoardHash(), a.Hash(), b.Hash())
	}
	if c := read("A1 B2 C3 D4 pass"); c.BoardHash() == a.BoardHash() || c.Hash() == a.Hash() {
		t.Error("a pass changes nothing")
	}
}
