package minesweeper

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
	"plyfit/search"
)

func TestLaw(t *testing.T) {
	for text, positions := range map[string][]string{
		"minesweeper":                                          nil,
		"minesweeper:rows=3,columns=4,mines=3":                 {"..../.2../....", "..../.2../.... opens r1c1"},
		"minesweeper:rows=2,columns=5,mines=2,safefirst=on":    {"01.../01...", "01.../01... opens r1c3"},
		"minesweeper:rows=1,columns=2,mines=1,safefirst=on":    nil,
		"minesweeper:rows=16,columns=30,mines=99,safefirst=on": nil,
		"minesweeper:rows=3,columns=4,mines=3,deduce=on":       {"1.../..../....", "11../..../.... opens r1c3"},
	} {
		o := gametest.Options{Playouts: 60, Positions: positions}
		if strings.Contains(text, "30") {
			o.Playouts = 4
		}
		gametest.Law(t, gametest.New(t, New, text), o)
	}
}

// layouts returns all layouts of mines consistent with s, as sets of cells.
func layouts(s *State) (all []uint64) {
	for set := uint64(0); set < 1<<s.cells; set++ {
		if bits.OnesCount64(set) != s.mines {
			continue
		}
		fits := true
		for cell, shows := range s.shown {
			if shows != Hidden && shows != value(s, set, cell) {
				fits = false
				break
			}
		}
		if fits {
			all = append(all, set)
		}
	}
	return all
}

// value returns what the given cell shows if the mines are in the given set of cells.
func value(s *State, set uint64, cell int) int8 {
	if set>>cell&1 != 0 {
		return Mine
	}
	n := int8(0)
	for _, k := range s.near[cell] {
		n += int8(set >> k & 1)
	}
	return n
}

// TestCountsAgainstLayouts compares probabilities with the results of counting layouts one by one.
func TestCountsAgainstLayouts(t *testing.T) {
	checked := 0
	for i, text := range []string{
		"minesweeper:rows=4,columns=4,mines=5", "minesweeper:rows=3,columns=5,mines=4",
		"minesweeper:rows=1,columns=14,mines=4", "minesweeper:rows=2,columns=7,mines=3",
		"minesweeper:rows=4,columns=4,mines=9,safefirst=on", "minesweeper:rows=3,columns=3,mines=8",
	} {
		g := gametest.New(t, New, text)
		seed := uint64(i)
		for range 12 {
			s := g.New().(*State)
			for s.Turn() != game.Nobody {
				all := layouts(s)
				b := s.Beliefs()
				if math.Abs(b.Layouts-float64(len(all))) > 1e-9*b.Layouts {
					t.Fatalf("%s: %v layouts, want %d", s, b.Layouts, len(all))
				}
				for cell := range s.cells {
					n := 0.0
					for _, set := range all {
						n += float64(set >> cell & 1)
					}
					if want := n / float64(len(all)); math.Abs(b.Mine[cell]-want) > 1e-12 {
						t.Fatalf("%s: mine in %s with %v, want %v", s, s.name(cell), b.Mine[cell], want)
					}
				}
				moves := s.Moves(nil)
				if s.Turn() == game.Chance {
					var want [10]float64
					sum := 0.0
					for _, set := range all {
						if v := value(s, set, int(s.pending)); v != Mine || !s.SureFirst() {
							want[v]++
							sum++
						}
					}
					for v, n := range want {
						if p := s.Prob(game.Move(v)); math.Abs(p-n/sum) > 1e-12 || (p > 0) != (n > 0) {
							t.Fatalf("%s: shows %d with %v, want %v", s, v, p, n/sum)
						}
					}
					if moves[len(moves)-1] == game.Move(Mine) && len(moves) > 1 {
						moves = moves[:len(moves)-1] // avoid mines so that the game lasts as long as possible
					}
				}
				checked++
				seed = game.Mix(seed)
				s.Play(moves[seed%uint64(len(moves))])
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d positions", checked)
	}
}

// winning returns the probability of winning under best play, found by a complete search.
func winning(t testing.TB, text string) search.Result {
	t.Helper()
	g := gametest.New(t, New, text)
	a := vectors.Must(search.NewExpectimax(search.Options{Game: g, Eval: search.Zero(g), Depth: 30, Complete: true}))
	return vectors.Must(a.Search(context.Background(), g.New()))
}

// TestWinCounts compares win probabilities with exact results from another program. Boards with
// more than ten cells take longer and require PLYFIT_LONG.
func TestWinCounts(t *testing.T) {
	boards := 0
	for _, line := range vectors.Lines(t, "testdata/exact_win_counts.txt") {
		head, tail, _ := strings.Cut(line, " ; ")
		var rows, columns, mines, layouts, best, safe int
		var p, pSafe float64
		var cells string
		vectors.Must(fmt.Sscan(head, &rows, &columns, &mines, &layouts, &best, &p, &safe, &pSafe, &cells))
		boards++
		if rows*columns > 10 && !vectors.Long() {
			continue
		}
		text := fmt.Sprintf("minesweeper:rows=%d,columns=%d,mines=%d", rows, columns, mines)
		r := winning(t, text)
		if want := float64(best) / float64(layouts); math.Abs(r.Value-want) > 1e-12 || !r.Exact {
			t.Errorf("%s: %v (exact: %v), want %v", text, r.Value, r.Exact, want)
		}
		for i, n := range strings.Fields(tail) {
			var want int
			fmt.Sscan(n, &want)
			if got := r.Root[i]; got.Kind != search.Exact && want == best || got.Kind == search.Exact && math.Abs(got.Value*float64(layouts)-float64(want)) > 1e-8 {
				t.Errorf("%s: cell %d wins %v layouts, want %s", text, i, got.Value*float64(layouts), n)
			}
		}
		if got := winning(t, text+",safefirst=on").Value; math.Abs(got-pSafe) > 1e-9 {
			t.Errorf("%s,safefirst=on: %v, want %v", text, got, pSafe)
		}
		if got := winning(t, text+",deduce=on"); math.Abs(got.Value-r.Value) > 1e-12 || got.Nodes > r.Nodes {
			t.Errorf("%s,deduce=on: %v in %d nodes, want %v in %d at most", text, got.Value, got.Nodes, r.Value, r.Nodes)
		}
		t.Logf("%s: %d nodes, %v", text, r.Nodes, r.Elapsed)
	}
	if boards != 12 {
		t.Errorf("%d boards, want 12", boards)
	}
}

// TestDeduce checks that a cell that is safe in every layout is the only move with the option
// deduce, and one of several moves without it.
func TestDeduce(t *testing.T) {
	const text = "1.1/.../..." // one mine, in r1c2 or r2c2; the other five hidden cells are safe
	for spec, want := range map[string]int{"minesweeper:rows=3,columns=3,mines=1,deduce=on": 1, "minesweeper:rows=3,columns=3,mines=1": 7} {
		s := vectors.Must(gametest.New(t, New, spec).Parse(text))
		moves := s.Moves(nil)
		if len(moves) != want {
			t.Fatalf("%s: %d moves, want %d", spec, len(moves), want)
		}
		if p := Of(s).Beliefs().Mine[moves[0]]; want == 1 && p != 0 {
			t.Errorf("%s: the only move is a mine with %v", spec, p)
		}
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"minesweeper:rows=1,columns=1":           "two cells",
		"minesweeper:rows=30,columns=30":         "600 cells",
		"minesweeper:rows=2,columns=2,mines=4":   "mines",
		"minesweeper:rows=2,columns=2,mines=0":   "mines",
		"minesweeper:safefirst=perhaps":          "safefirst",
		"minesweeper:flags=on":                   "flags",
		"minesweeper:rows=0,columns=3,mines=1":   "rows",
		"minesweeper:rows=21,columns=21,mines=9": "shorter",
	} {
		sp, err := game.ParseSpec(text)
		if err == nil {
			_, err = New(sp.Options)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error on %q", text, err, want)
		}
	}
	g := gametest.New(t, New, "minesweeper:rows=2,columns=3,mines=2,safefirst=on")
	for text, want := range map[string]string{
		".../..":                "2 rows of 3",
		"..../..":               "row 1 from the top has more",
		".../.../...":           "found only 2",
		".9./...":               "a cell",
		"**./1..":               "one mine",
		"*../...":               "before the first mine",
		"3../...":               "a layout of 2 mines",
		"0../...":               "", // five hidden cells; the mines are in the two that are not next to the 0
		"1*./... opens r1c1":    "the game is over",
		".../1.. opens r3c1":    "a hidden cell",
		".../1.. opens r2c1":    "a hidden cell",
		".../1.. opens ":        "a hidden cell",
		"0../... opens r1c3":    "r1c2, the only",
		"111/111":               "consistent with a layout",
		".../1.. opens r01c1":   "a hidden cell",
		".../1.. opens r1c1 ":   "nothing more",
		"2.1/...":               "",
		"1../... closes r1c1 ":  "the end",
		"012/...":               "consistent with a layout",
		"000/...":               "consistent with a layout",
		"2../.2. opens r1c2 x ": "nothing more",
	} {
		s, err := g.Parse(text)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, %v; want an error on %q", text, s, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	gametest.FuzzParse(f, gametest.New(f, New, "minesweeper:rows=3,columns=4,mines=3"), false, func(t *testing.T, st game.State) {
		s := st.(*State)
		if n := len(layouts(s)); math.Abs(s.Beliefs().Layouts-float64(n)) > 1e-6 {
			t.Fatalf("%q: %v layouts, want %d", s, s.Beliefs().Layouts, n)
		}
		s.Draw(false)
	}, "..../..../....", "1.../..../....", "..../.0../....", "12*./..../....", ".... /", "..../.2../.... opens r1c1")
}
