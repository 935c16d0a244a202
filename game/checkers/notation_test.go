package checkers

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

func TestNotation(t *testing.T) {
	const begin = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12:H0:F1"
	if got := start().String(); got != begin {
		t.Errorf("start %q, want %q", got, begin)
	}
	for text, want := range map[string]string{
		"B:B1-12:W21-32": begin,
		"B:W21-32:B1-12:H0:F1 moves 11-15 22-18 15x22": "W:W21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,22:H0:F2",
		"W:WK1:BK32:F7 moves 1-5 32-27":                "W:WK1:BK32:H0:F7 moves 1-5 32-27",
		"W:W:B1":                                       "W:W:B1:H0:F1",
	} {
		s, err := parsePosition(text)
		if err != nil || s.String() != want {
			t.Errorf("%q: %v, %v; want %q", text, s, err, want)
		}
	}
	s := vectors.Must(parsePosition("W:WK1:BK32:F7 moves 1-5 32-27"))
	gametest.Play(t, parseMove, s, "5-9 27-23")
	if want := "W:WK1:BK32:H0:F7 moves 1-5 32-27 5-9 27-23"; s.String() != want {
		t.Errorf("%q, want %q", s, want)
	}
	if c := s.Clone(); c.String() != s.String() {
		t.Errorf("clone %q, want %q", c, s)
	}
}

func TestParseMove(t *testing.T) {
	g := gametest.New(t, New, "checkers")
	s := vectors.Must(parsePosition("W:WK29:B25,18,17,10,9"))
	for text, ok := range map[string]bool{"29x22x15x6x13": false, "11-15": false, "29x22": false, "": false, "29x": false, "x": false} {
		if m, err := g.ParseMove(s, text); (err == nil) != ok {
			t.Errorf("%s: %d, %v", text, m, err)
		}
	}
	for _, m := range s.Moves(nil) {
		if got, err := g.ParseMove(s, s.MoveString(m)); err != nil || got != m {
			t.Errorf("%s: %d, %v", s.MoveString(m), got, err)
		}
	}
	s = vectors.Must(parsePosition("W:W22:B18,11"))
	if m, err := g.ParseMove(s, "22x8"); err != nil || s.MoveString(m) != "22x15x8" {
		t.Errorf("22x8: %d, %v; want 22x15x8", m, err)
	}
}

func TestBadPositions(t *testing.T) {
	for _, c := range []struct {
		text string
		at   int
		want string
	}{
		{"", 0, "B or W"},
		{"X:W1:B2", 0, "B or W"},
		{"B", 1, ":W"},
		{"B:W21", 5, ":B"},
		{"BW21", 0, "B or W"},
		{"B:W33:B1", 3, "from 1 to 32"},
		{"B:W0:B1", 3, "from 1 to 32"},
		{"B:Wx:B1", 3, "a square"},
		{"B:W21,:B1", 6, "a square"},
		{"B:W21;22:B1", 3, "a square"},
		{"B:W21,21:B1", 6, "already"},
		{"B:W21:B1,21", 9, "already"},
		{"B:W21:B1-13", 7, "at most 12"},
		{"B:W1:B2", 3, "K1"},
		{"B:W21:B32", 7, "K32"},
		{"B:W21:B1:H81", 10, "from 0 to 80"},
		{"B:W21:B1:F0", 10, "from 1"},
		{"B:W21:B1:B2", 9, "once"},
		{"B:W21:B1:Z", 9, "W or B"},
		{"B:W21:B1 moves 1-7", 15, "one of 1-5 1-6"},
		{"W:W:B1 moves 1-5", 13, "over"},
	} {
		gametest.Fault(t, gametest.New(t, New, "checkers"), c.text, c.at, c.want)
	}
}

// TestMoveNumber checks that the move number increases after each white move.
func TestMoveNumber(t *testing.T) {
	s := vectors.Must(parsePosition("W:W21,22:B1,2:H0:F31"))
	for _, want := range []string{":F32", ":F32", ":F33"} {
		s.Play(s.Moves(nil)[0])
		if got := s.String(); !strings.HasSuffix(got, want) {
			t.Errorf("%s: want %s", got, want)
		}
	}
}

func TestBoard(t *testing.T) {
	s := vectors.Must(parsePosition("W:WK3,22:BK25,14:H2"))
	want := `  ┌────────────────────────┐
  │    1     2     ♕     4 │   ● ♛ black: men  1, kings 1
  │ 5     6     7     8    │
  │    9    10    11    12 │
  │13     ●    15    16    │   ○ white to move
  │   17    18    19    20 │   2 quiet plies of 80
  │21     ○    23    24    │
  │    ♛    26    27    28 │
  │29    30    31    32    │   ○ ♕ white: men  1, kings 1
  └────────────────────────┘
`
	if got := s.Draw(false); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}

func FuzzParse(f *testing.F) {
	gametest.FuzzParse(f, gametest.New(f, New, "checkers"), false, nil, "B:W21-32:B1-12:H0:F1 moves 11-15 22-18 15x22", "W:WK1:BK32:F7 moves 1-5 32-27",
		"W:WK3,20,25,28:BK9:H12:F40", "W:W:B1", "B:W33:B-1:H:F moves ")
}

var (
	pdnTag  = regexp.MustCompile(`^\[([A-Za-z]+) "((?:[^"\\]|\\.)*)"\]$`)
	pdnMove = regexp.MustCompile(`^[1-9][0-9]?(?:-[1-9][0-9]?|(?:x[1-9][0-9]?)+)$`)
	pdnNum  = regexp.MustCompile(`^[1-9][0-9]*\.(\.\.)?$`)
)

// readPDN reads the tags and moves of a game. Any text other than tags, moves, move numbers and the
// result is an error.
func readPDN(t *testing.T, text string) (tags map[string]string, moves []string) {
	t.Helper()
	tags = map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if m := pdnTag.FindStringSubmatch(line); m != nil {
			tags[m[1]] = m[2]
			continue
		}
		for _, word := range strings.Fields(line) {
			switch {
			case pdnMove.MatchString(word):
				moves = append(moves, word)
			case !pdnNum.MatchString(word) && word != tags["Result"]:
				t.Fatalf("%q in\n%s", word, text)
			}
		}
	}
	return tags, moves
}

// TestPDN checks that the tags and moves in a file reproduce the game and its result.
func TestPDN(t *testing.T) {
	g := gametest.New(t, New, "checkers")
	rng := rand.New(rand.NewPCG(5, 9))
	begins := []string{"", "W:WK3,20,21:B1,K9:H0:F31", start().String(), "B:W21,22,23:B1,K9:H2:F7 moves 9-13 22-18"}
	won := 0
	for i := range 40 {
		record, s := gametest.Record(g, rng, begins[i%4], 10+10*i)
		var file bytes.Buffer
		vectors.Check(pdn.New(&file, g)(record))
		tags, moves := readPDN(t, file.String())
		again := vectors.Must(g.Parse(cmp.Or(tags["FEN"], start().String())))
		gametest.Play(t, parseMove, again, strings.Join(moves, " "))
		if again.String() != s.String() {
			t.Fatalf("game %d ends at %s, want %s\n%s", i, again, s, file.String())
		}
		if u := record.Utility; u != nil && u[0] != u[1] {
			won++
			winner := map[bool]string{true: "0-1", false: "1-0"}[u[0] > u[1]] // seat 0 is black
			if tags["Result"] != winner || tags["Black"] != "first" {
				t.Errorf("game %d: %v for utilities %v", i, tags, u)
			}
		}
	}
	if won == 0 {
		t.Error("no game was won")
	}
}
