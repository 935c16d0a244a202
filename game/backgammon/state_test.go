package backgammon

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

// A board contains 26 places in the mover's numbering. The mover's checkers are positive and the
// opponent's are negative. The opponent's bar is first and the mover's bar is last.
type board [26]int

func (b board) xgid(turn int, dice [2]int) string {
	var out strings.Builder
	out.WriteString("XGID=")
	for i := range b {
		n := b[i]
		if turn < 0 {
			n = -b[25-i]
		}
		switch {
		case n > 0:
			out.WriteByte(byte('A' - 1 + n))
		case n < 0:
			out.WriteByte(byte('a' - 1 - n))
		default:
			out.WriteByte('-')
		}
	}
	fmt.Fprintf(&out, ":0:0:%d:%d%d:0:0:0:0:10", turn, dice[0], dice[1])
	return out.String()
}

func boardOf(s *State, p game.Player) (b board) {
	var own, other [26]int8
	s.Places(p, &own)
	s.Places(1-p, &other)
	for i := 1; i <= Bar; i++ {
		b[i] += int(own[i])
		b[25-i] -= int(other[i])
	}
	return b
}

func numbers(t testing.TB, text string) (out []int) {
	for _, f := range strings.Fields(text) {
		n := vectors.Must(strconv.Atoi(f))
		out = append(out, n)
	}
	return out
}

// A vector is a line of moves.txt or opening21.txt.
type vector struct {
	board   board
	dice    [2]int
	results []board
}

func turns(t testing.TB) (out []vector) {
	t.Helper()
	for _, name := range []string{"testdata/moves.txt", "testdata/opening21.txt"} {
		for _, line := range vectors.Lines(t, name) {
			fields := strings.Split(line, ";")
			v := vector{board: board(numbers(t, fields[0])), dice: [2]int(numbers(t, fields[1]))}
			for _, r := range strings.Split(fields[3], "|") {
				v.results = append(v.results, board(numbers(t, r)))
			}
			out = append(out, v)
		}
	}
	return out
}

// TestAfterstates checks that, for either player, the turns lead to exactly the positions on which
// two other move generators agree, and that each position is reached only once.
func TestAfterstates(t *testing.T) {
	all := turns(t)
	if len(all) != 1521 {
		t.Fatalf("%d vectors, want 1521", len(all))
	}
	less := func(a, b board) int { return slices.Compare(a[:], b[:]) }
	for _, v := range all {
		slices.SortFunc(v.results, less)
		for who, turn := range []int{1, -1} {
			text := v.board.xgid(turn, v.dice)
			s := vectors.Must(parse(text))
			if s.Turn() != game.Player(who) {
				t.Fatalf("%s: turn %d", text, s.Turn())
			}
			var got []board
			for _, m := range s.Moves(nil) {
				s.Play(m)
				got = append(got, boardOf(s, game.Player(who)))
				s.Undo()
			}
			slices.SortFunc(got, less)
			if !slices.Equal(got, v.results) {
				t.Fatalf("%s: %d afterstates, want %d", text, len(got), len(v.results))
			}
		}
	}
}

// Unusual positions: checkers on the bar, bearing off, closed boards, and imminent backgammons.
var odd = []string{
	"XGID=bA-BA-ABB-Ab-A---b-a-BbaA-:0:0:1:00:0:0:0:0:10",
	"XGID=-BBBB-AB-------bb--cbbb-A-:0:0:-1:00:0:0:0:0:10",
	"XGID=--A-------------------o---:0:0:-1:65:0:0:0:0:10",
	"XGID=-O---------------------n--:0:0:1:11:0:0:0:0:10",
	"XGID=aBBBBBB------------bbbbbbA:0:0:1:00:0:0:0:0:10",
	"XGID=--o--------------------O--:0:0:1:21:0:0:0:0:10",
	"XGID=-a-----------------------A:0:0:1:00:0:0:0:0:10",
}

func TestLaw(t *testing.T) {
	gametest.Law(t, gametest.New(t, New, "backgammon"), gametest.Options{Playouts: 400, Positions: odd})
}

func TestStart(t *testing.T) {
	s := gametest.New(t, New, "backgammon").New()
	if want := "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"; s.String() != want {
		t.Errorf("%s, want %s", s, want)
	}
	if s.Turn() != game.Chance || len(s.Moves(nil)) != 21 {
		t.Errorf("turn %d, %d moves", s.Turn(), len(s.Moves(nil)))
	}
	s.Play(roll(1, 3))
	if hi, lo := s.(*State).Dice(); hi != 3 || lo != 1 {
		t.Errorf("dice %d %d", hi, lo)
	}
}

// TestUtility checks player 0's utility in finished games. A utility of NaN means that the position
// must be rejected.
func TestUtility(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64 // player 0's
	}{
		{"XGID=-------------------------N:0:0:-1:00:0:0:0:0:10", math.NaN()},
		{"XGID=-----N--------------------:0:0:1:00:0:0:0:0:10", -1},
		{"XGID=-----O--------------------:0:0:1:00:0:0:0:0:10", -2},
		{"XGID=-----O--------------------:0:0:-1:00:0:0:0:0:10", math.NaN()},
		{"XGID=-----M-------------BA-----:0:0:1:00:0:0:0:0:10", math.NaN()},
		{"XGID=-----M-------------A-A----:0:0:1:00:0:0:0:0:10", -3},
		{"XGID=-----N------------A-------:0:0:1:00:0:0:0:0:10", -2},
		{"XGID=-----M-------------------B:0:0:1:00:0:0:0:0:10", -3},
		{"XGID=-----L-------------------B:0:0:1:00:0:0:0:0:10", -1},
		{"XGID=b-m-----------------------:0:0:-1:00:0:0:0:0:10", 3},
		{"XGID=-------m-b----------------:0:0:-1:00:0:0:0:0:10", 2},
		{"XGID=----------------------b---:0:0:-1:00:0:0:0:0:10", 1},
	} {
		s, err := parse(c.text)
		if c.want != c.want {
			if err == nil {
				t.Errorf("%s: is read", c.text)
			}
			continue
		}
		if err != nil {
			t.Error(err)
			continue
		}
		if s.Turn() != game.Nobody || s.Utility(0) != c.want || s.Utility(1) != -c.want {
			t.Errorf("%s: turn %d, utility %v, want %v", c.text, s.Turn(), s.Utility(0), c.want)
		}
	}
}

func TestFaults(t *testing.T) {
	const good = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
	vectors.Must(parse(good))
	for text, want := range map[string]string{
		"XGID=-b----F-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10": "at most 15 checkers for player 0",
		"XGID=-c----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10": "at most 15 checkers for player 1",
		"XGID=-b----P-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10": "for up to 15 checkers",
		"XGID=Ab----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10": "player 1's bar",
		"XGID=-b----E-C---eE---c-e----Ba:0:0:1:31:0:0:0:0:10": "player 0's bar",
		"XGID=-b----E-C---eE---c-e----B":                      "26 places",
		"XGID=-b----E-C---eE---c-e----B-:x:0:1:31:0:0:0:0:10": "cube",
		"XGID=-b----E-C---eE---c-e----B-:0:0:0:31:0:0:0:0:10": "1 or -1",
		"XGID=-b----E-C---eE---c-e----B-:0:0:1:71:0:0:0:0:10": "two dice from 1 to 6",
		"XGID=-b----E-C---eE---c-e----B-:0:0:1:10:0:0:0:0:10": "two dice from 1 to 6",
		"XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10":  "two dice",
		"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5":    "the highest cube",
		"XGID=-b----E-C---eE---c-e----B-:0:0:1:3":             "two dice",
		"XGID=--------------------------:0:0:1:00:0:0:0:0:10": "only one player",
		"XGID=-O------------------------:0:0:1:31:0:0:0:0:10": "dice 00",
		"XGID=-O------------------------:0:0:-1:00:0:0:0:0:1": "player 0, who has lost",
	} {
		if s, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want an error on %q", text, s, err, want)
		}
	}
}

func TestMoveStrings(t *testing.T) {
	for _, c := range []struct{ text, move string }{
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10", "13/7 8/7"},
		{"XGID=-b----E-C---eE---c-e----B-:0:0:-1:61:0:0:0:0:10", "13/7 8/7"},
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:65:0:0:0:0:10", "24/13"},
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:44:0:0:0:0:10", "24/20(2) 13/9(2)"},
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:11:0:0:0:0:10", "8/7(2) 6/5(2)"},
		{"XGID=-b-a--E-C---eE---c-d----B-:0:0:1:55:0:0:0:0:10", "13/3*(2)"},
		{"XGID=-b-a--E-C---eE---c-d----B-:0:0:1:53:0:0:0:0:10", "8/3* 6/3"},
		{"XGID=---------a------a-A-------:0:0:1:21:0:0:0:0:10", "18/16*/15"},
		{"XGID=---------a------a-A-------:0:0:1:21:0:0:0:0:10", "18/15"},
		{"XGID=-AA----------------aa-----:0:0:1:65:0:0:0:0:10", "2/off 1/off"},
		{"XGID=-bbbbbb-----------------AB:0:0:1:65:0:0:0:0:10", "bar/20 bar/19"},
		{"XGID=-b-----------------bbbbbbA:0:0:1:65:0:0:0:0:10", "pass"},
	} {
		s, err := parse(c.text)
		if err != nil {
			t.Error(err)
			continue
		}
		m, err := parseMove(s, c.move)
		if err != nil || s.MoveString(m) != c.move {
			t.Errorf("%s: %q is read as %q, %v", c.text, c.move, s.MoveString(m), err)
		}
	}
	s := vectors.Must(parse("XGID=-b-a--E-C---eE---c-d----B-:0:0:1:53:0:0:0:0:10"))
	for _, same := range []string{"8/3* 6/3", "6/3 8/3", "6/3* 8/3", " 6/3*  8/3*"} {
		if m, err := parseMove(s, same); err != nil || s.MoveString(m) != "8/3* 6/3" {
			t.Errorf("%q is read as %d, %v", same, m, err)
		}
	}
	for _, wrong := range []string{"8/3", "8/3 8/3", "8/3 6/4", "", "/", "8", "8/3/", "pass", "bar/3", "8/3(5)"} {
		if m, err := parseMove(s, wrong); err == nil {
			t.Errorf("%q is read as %q", wrong, s.MoveString(m))
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10", "13/7 8/7")
	f.Add("XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10", "61")
	for _, text := range odd {
		f.Add(text, "bar/24*/off(2)")
	}
	f.Fuzz(func(t *testing.T, text, move string) {
		s, err := parse(text)
		if err != nil {
			return
		}
		again, err := parse(s.String())
		if err != nil || *again.at() != *s.at() {
			t.Fatalf("%q: %q, %v", text, s, err)
		}
		if m, err := parseMove(s, move); err == nil {
			if name := s.MoveString(m); !slices.Contains(s.Moves(nil), m) {
				t.Fatalf("%q: %q is read as %q", text, move, name)
			}
			s.Play(m)
		}
		s.Draw(false)
	})
}
