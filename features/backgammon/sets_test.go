package backgammon

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
	board "plyfit/game/backgammon"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
	"plyfit/models"
	"plyfit/search"
)

// lines returns the fields of each line in a file of shared test vectors.
func lines(t testing.TB, name string) (out [][]string) {
	t.Helper()
	for _, line := range vectors.Lines(t, vectors.Shared(t, "backgammon/"+name)) {
		fields := strings.Split(line, ";")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		out = append(out, fields)
	}
	return out
}

// xgid returns the XGID of a position from the test vectors with player 0 to move.
func xgid(t testing.TB, places, dice string) string {
	t.Helper()
	text := []byte("XGID=")
	for _, f := range strings.Fields(places) {
		n := vectors.Must(strconv.Atoi(f))
		switch {
		case n > 0:
			text = append(text, byte('A'-1+n))
		case n < 0:
			text = append(text, byte('a'-1-n))
		default:
			text = append(text, '-')
		}
	}
	return string(text) + ":0:0:1:" + strings.ReplaceAll(dice, " ", "") + ":0:0:0:0:10"
}

func parsed(t testing.TB, g *game.Game, text string) *board.State {
	t.Helper()
	s := vectors.Must(g.Parse(text))
	return board.Of(s)
}

func TestLaw(t *testing.T) {
	featuretest.Laws(t, board.New, Profile.Sets, "backgammon")
}

func TestNumbersOfFeatures(t *testing.T) {
	for set, want := range map[features.Set]int{pubevalInputs(): 244, newPatterned(): 422910} {
		n := 0
		for _, b := range set.Blocks() {
			n += b.Len
		}
		if n != want {
			t.Errorf("%s has %d features, want %d", set.Name(), n, want)
		}
	}
}

// TestPubevalChoices compares pubeval's moves with those of another implementation. The moves may
// differ if their scores are almost equal.
func TestPubevalChoices(t *testing.T) {
	cases := lines(t, "pubeval_choice.txt")
	folder := vectors.Shared(t, "backgammon")
	p, err := readPubeval(os.DirFS(folder), folder)
	if err != nil {
		t.Skipf("no weights: %v", err)
	}
	g := gametest.New(t, board.New, "backgammon")
	for _, f := range cases {
		s := parsed(t, g, xgid(t, f[0], f[1]))
		if race := f[2] == "1"; race != s.Race() {
			t.Errorf("%s: race %v, want %v", s, s.Race(), race)
		}
		want := vectors.Must(strconv.ParseFloat(f[4], 64))
		r := vectors.Must(p.Search(context.Background(), s))
		weights := &p.contact
		if s.Race() {
			weights = &p.race
		}
		got := p.score(s, r.Move, weights)
		if math.Abs(got-want) > 2e-5*math.Max(1, math.Abs(want)/1e5) {
			t.Errorf("%s: %s with %.5f, want one with %.5f", s, s.MoveString(r.Move), got, want)
		}
		gap := vectors.Must(strconv.ParseFloat(f[5], 64))
		s.Play(r.Move)
		if end := xgid(t, f[3], "00"); gap > 1e-4 && strings.Split(end, ":")[0] != strings.Split(s.String(), ":")[0] {
			t.Errorf("%s, want %s", s, end)
		}
		s.Undo()
	}
	if len(cases) != 700 {
		t.Errorf("%d cases, want 700", len(cases))
	}
}

func TestPubevalFaults(t *testing.T) {
	good := strings.Repeat("1.5 ", 122)
	for name, files := range map[string]fstest.MapFS{
		"want a folder": {"WT.race": {Data: []byte(good)}},
		"121 numbers":   {"WT.race": {Data: []byte(good)}, "WT.cntc": {Data: []byte(good[4:])}},
		"is not a":      {"WT.race": {Data: []byte("x " + good[4:])}, "WT.cntc": {Data: []byte(good)}},
	} {
		if _, err := readPubeval(files, "weights"); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want an error on %q", err, name)
		}
	}
	p := vectors.Must(readPubeval(fstest.MapFS{"WT.race": {Data: []byte(good)}, "WT.cntc": {Data: []byte(good)}}, "weights"))
	hostile := vectors.Must(game.WithAdversary(gametest.New(t, board.New, "backgammon")))
	if _, err := p.Search(context.Background(), hostile.New()); err == nil {
		t.Error("pubeval chose the dice")
	}
	if r, err := p.Search(context.Background(), gametest.New(t, board.New, "backgammon").New()); err != nil || r.Move != game.NoMove {
		t.Errorf("at a chance node: %v, %v", r.Move, err)
	}
}

// TestShots compares shots and dance with an enumeration of all rolls and moves.
func TestShots(t *testing.T) {
	g := gametest.New(t, board.New, "backgammon")
	seen := 0
	for s := range gametest.Games(g, 40, 3) {
		s := board.Of(s)
		if s.Turn() == game.Chance {
			a, b := sideOf(s, s.Player()), sideOf(s, 1-s.Player())
			want, danced := 0.0, 0.0
			for _, roll := range s.Moves(nil) {
				p := s.Prob(roll)
				s.Play(roll)
				if s.Moves(nil)[0] == 0 {
					danced += p
				}
				hit := false
				for _, m := range s.Moves(nil) {
					s.Play(m)
					var after [26]int8
					s.Places(s.Player(), &after)
					hit = hit || after[board.Bar] > b.places[board.Bar]
					s.Undo()
				}
				if hit {
					want += p
				}
				s.Undo()
			}
			var v values
			if v.measure(s, s.Player()); a.places[bar] > 0 && b.places[bar] == 0 && math.Abs(v.dance-danced) > 1e-9 {
				t.Fatalf("%s: dances with %v, want %v", s, v.dance, danced)
			}
			// The function shots ignores bearing off and the obligation to play both dice. These
			// rules rarely forbid or allow a hit.
			if got := shots(&a, &b).hits; got < want-1e-9 {
				t.Fatalf("%s: hit with %v, want %v", s, got, want)
			} else if got > want+1e-9 && got > want+4.5/36 {
				t.Fatalf("%s: hit with %v, want %v", s, got, want)
			}
			seen++
		}
	}
	if seen < 1000 {
		t.Errorf("only %d positions", seen)
	}
}

// FuzzPubeval checks that readPubeval accepts only files that contain finite numbers.
func FuzzPubeval(f *testing.F) {
	f.Add(strings.Repeat("1.5\n", perPhase), strings.Repeat("-2e-3 ", perPhase))
	f.Add(strings.Repeat("NaN ", perPhase), "")
	f.Fuzz(func(t *testing.T, race, contact string) {
		p, err := readPubeval(fstest.MapFS{"WT.race": {Data: []byte(race)}, "WT.cntc": {Data: []byte(contact)}}, "x")
		if err != nil {
			if !strings.Contains(err.Error(), "x") {
				t.Errorf("error %q does not name the folder", err)
			}
			return
		}
		for _, w := range append(p.race[:], p.contact[:]...) {
			if math.IsNaN(w) || math.IsInf(w, 0) {
				t.Errorf("accepted the weight %v", w)
			}
		}
	})
}

// TestHostileWorld checks that in a game with an adversary, the dice are chosen by the opponent of
// the player who rolls. The same search plays both the checkers and the dice.
func TestHostileWorld(t *testing.T) {
	g := vectors.Must(game.WithAdversary(gametest.New(t, board.New, "backgammon")))
	a := vectors.Must(search.NewAlphaBeta(search.Options{Game: g, Eval: handwritten(t, g), Depth: 1}))
	s := g.New()
	for range 60 {
		if s.Turn() == game.Nobody {
			break
		}
		if other := 1 - board.Of(s).Player(); game.NatureToMove(s) && s.Turn() != other {
			t.Fatalf("%s: player %d chooses the dice, want the roller's opponent %d", s, s.Turn(), other)
		}
		r := vectors.Must(a.Search(context.Background(), s))
		s.Play(r.Move)
	}
}

func handwritten(t testing.TB, g *game.Game) *features.Evaluator {
	set := Profile.Sets(g)[0]
	return features.NewEvaluator(g, set, featuretest.Shipped(t, g, set, "handwritten/backgammon.json"))
}

// TestPatterns checks that each window of six points has the weight for the contents of its points
// from the player's point of view, which the test computes checker by checker. In a race, there are
// no such weights. The features before the tables are those of appendPhased.
func TestPatterns(t *testing.T) {
	g := gametest.New(t, board.New, "backgammon")
	set := newPatterned()
	m := models.New(g.Name, set.Name(), set.Blocks())
	contacts, races := 0, 0
	for s := range gametest.Games(g, 20, 7) {
		s := board.Of(s)
		for p := range game.Player(2) {
			x, before := set.Extract(s, p, nil), appendPhased(s, p, nil)
			if !slices.Equal(x[:len(before)], before) {
				t.Fatalf("%s: other terms before the tables than without them", s)
			}
			var got []string
			for _, term := range x[len(before):] {
				if term.Value != 1 {
					t.Fatalf("%s: %s is %v, want 1", s, m.Name(term.Index), term.Value)
				}
				got = append(got, m.Name(term.Index))
			}
			want := windows(s, p)
			if races++; !s.Race() {
				contacts, races = contacts+1, races-1
			} else {
				want = nil
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s, player %d:\n%s\nwant\n%s", s, p, strings.Join(got, " "), strings.Join(want, " "))
			}
		}
	}
	if contacts < 100 || races < 100 {
		t.Errorf("%d positions with contact and %d races", contacts, races)
	}
}

// windows returns the names of the weights of all windows, from p's point of view.
func windows(s *board.State, p game.Player) []string {
	var own, other [26]int8
	s.Places(p, &own)
	s.Places(1-p, &other)
	onBar := func(n int8) string { return ".1+"[min(n, 2) : min(n, 2)+1] }
	var names []string
	for low := 1; low <= 19; low++ {
		filling := ""
		for point := low; point < low+6; point++ {
			what := "."
			switch {
			case own[point] == 1:
				what = "1"
			case own[point] > 1:
				what = "+"
			case other[25-point] == 1:
				what = "x"
			case other[25-point] > 1:
				what = "-"
			}
			filling += what
		}
		switch low {
		case 1:
			filling += onBar(other[25])
		case 19:
			filling += onBar(own[25])
		}
		names = append(names, fmt.Sprintf("points-%d-%d[%s]", low, low+5, filling))
	}
	return names
}

// TestPatternShapes checks the cells of some windows on a board with two rows. A window may
// continue from one row to the other, and each bar is at the end of its home board.
func TestPatternShapes(t *testing.T) {
	shapes := newPatterned().(features.Shaper).Shapes()
	if len(shapes) != 19 {
		t.Fatalf("%d shapes, want 19", len(shapes))
	}
	for i, want := range map[int][]int{
		0:  {24, 23, 22, 21, 20, 19, 25}, // points 1 to 6 and the lower bar
		9:  {15, 14, 13, 0, 1, 2},        // points 10 to 15
		18: {6, 7, 8, 9, 10, 11, 12},     // points 19 to 24 and the upper bar
	} {
		if s := shapes[i]; !slices.Equal(s.Cells, want) || s.Rows != 2 || s.Columns != 13 {
			t.Errorf("%s lies at %v of %d x %d, want %v of 2 x 13", s.Name, s.Cells, s.Rows, s.Columns, want)
		}
	}
}
