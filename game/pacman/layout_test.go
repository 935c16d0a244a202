package pacman

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
)

// named returns the layout with the given name or path.
func named(name string) (*Layout, error) { return load(name, new(game.Options).ReadFile) }

func TestLayouts(t *testing.T) {
	names := layouts()
	if len(names) < 7 {
		t.Errorf("%d layouts", len(names))
	}
	for _, name := range names {
		l, err := named(name)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, c := range l.foods {
			if l.Distance(l.cellOf[l.pacman], c) == Apart {
				t.Errorf("%s: food that Pacman cannot reach", name)
			}
		}
		for _, g := range l.ghosts {
			if l.Distance(l.cellOf[g], l.cellOf[l.pacman]) == Apart {
				t.Errorf("%s: a ghost cannot reach Pacman", name)
			}
		}
		for a := range Cell(l.Cells()) {
			for b := range a {
				if l.Distance(a, b) != l.Distance(b, a) {
					t.Fatalf("%s: %d and %d steps", name, l.Distance(a, b), l.Distance(b, a))
				}
			}
		}
	}
}

func TestMaze(t *testing.T) {
	l := vectors.Must(named("corridor"))
	cell := func(x, y int) Cell {
		c, ok := l.CellAt(x, y)
		if !ok {
			t.Fatalf("a wall at %d,%d", x, y)
		}
		return c
	}
	if d := l.Distance(cell(1, 3), cell(13, 1)); d != 14 {
		t.Errorf("%d steps, want 14", d)
	}
	if d := l.Nearest(l.cellOf[l.pacman], l.food); d != 1 {
		t.Errorf("food %d steps away, want 1", d)
	}
	if d := l.Blind(cell(6, 1)); d != 0 {
		t.Errorf("%d deep in a maze without a circle, want 0", d)
	}
	l = vectors.Must(named("small"))
	for at, want := range map[[2]int]int{{8, 1}: 1, {8, 7}: 1, {8, 6}: 0, {1, 1}: 0, {8, 4}: 2, {6, 4}: 4} {
		if d := l.Blind(cell(at[0], at[1])); d != want {
			t.Errorf("small: %v is %d deep in a dead end, want %d", at, d, want)
		}
	}
	if near := l.Nearby(cell(8, 1)); near[0] != cell(8, 1) || near[1] != cell(8, 2) || near[len(near)-1] < 0 {
		t.Errorf("nearby %v", near)
	}
}

func TestGhostNumbers(t *testing.T) {
	l := vectors.Must(parseLayout("x", "%%%%%%%\n%P.G 2%\n%1 G3 %\n%%%%%%%\n"))
	want := [][2]int{{1, 1}, {3, 1}, {3, 2}, {5, 2}, {4, 1}}
	for i, g := range l.ghosts {
		if at := l.cells[l.cellOf[g]]; [2]int{at.x, at.y} != want[i] {
			t.Errorf("ghost %d at %v, want %v", i+1, at, want[i])
		}
	}
}

func TestLayoutFaults(t *testing.T) {
	for text, want := range map[string]struct{ line, column int }{
		"":                           {0, 0},
		"%%%%\n%P.%\n%%%":            {3, 0},
		"%%%%\n%P. \n%%%%":           {2, 0},
		"%%%%\n%P..\n%%%%":           {2, 4},
		"%%%%\n%PP%\n%%%%":           {2, 3},
		"%%%%\n%..%\n%%%%":           {0, 0},
		"%%%%\n%P %\n%%%%":           {0, 0},
		"%%%%%\n%Px.%\n%%%%%":        {2, 3},
		"%%%%%\n%P%.%\n%%%%%":        {2, 2},
		"%%%%%\n%P.%%\n%%%G%\n%%%%%": {3, 4},
		"%%%%%%%%%%%%%\n%P.GGGGGGGGG%\n%%%%%%%%%%%%%":                                                 {0, 0},
		strings.Repeat("%", 65) + "\n%P.%\n%%%%":                                                      {1, 0},
		strings.Repeat("%", 37) + "\n%P." + strings.Repeat("o", 33) + "%\n" + strings.Repeat("%", 37): {0, 0},
	} {
		l, err := parseLayout("x", text)
		at := fmt.Sprintf("layout x, line %d, column %d: want", want.line, want.column)
		at = strings.ReplaceAll(strings.ReplaceAll(at, ", line 0", ""), ", column 0", "")
		if err == nil || !strings.HasPrefix(err.Error(), at) {
			t.Errorf("%q: %v, %v, want a fault at line %d, column %d", text, l, err, want.line, want.column)
		}
	}
}

func FuzzLayout(f *testing.F) {
	for _, name := range layouts() {
		text := vectors.Must(shipped.ReadFile("layouts/" + name + ".lay"))
		f.Add(string(text))
	}
	f.Add("%%%%%%%\r\n%P.G 2%\r\n%1 G3 %\r\n%%%%%%%\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := parseLayout("x", text)
		if err != nil {
			return
		}
		r := &rules{Layout: l, starts: l.ghosts, ghosts: len(l.ghosts), stop: true, step: l.steps()}
		g := r.game("pacman")
		s := g.New()
		for i := range 40 {
			again, err := g.Parse(s.String())
			if err != nil || again.String() != s.String() {
				t.Fatalf("%q: %q, %v", text, s, err)
			}
			moves := s.Moves(nil)
			if len(moves) == 0 {
				break
			}
			s.Play(moves[i%len(moves)])
		}
		s.(*State).Draw(false)
	})
}

// TestRows checks that the result of Rows gives the same layout when it is used in a game's spec.
func TestRows(t *testing.T) {
	for _, name := range layouts() {
		l := vectors.Must(named(name))
		again, err := named(l.Rows())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again.Name = l.Name
		if !reflect.DeepEqual(again, l) {
			t.Errorf("%s: its rows %s are another layout", name, l.Rows())
		}
	}
	a := vectors.Must(parseLayout("a", "%%%%%%%\n% P.OG%\n%%%%%%%"))
	b := vectors.Must(parseLayout("b", "  %%%%%%%\r\n% P.o1%%%\r\n%%%%%%%\r\n\r\n"))
	if want := "%%%%%%%/%_P.o1%/%%%%%%%"; a.Rows() != want || b.Rows() != want {
		t.Errorf("rows %s and %s, want %s", a.Rows(), b.Rows(), want)
	}
	if _, err := named("%%%%%/%P.X%/%%%%%"); err == nil || err.Error() != "layout in the spec, line 2, column 4: want one of % . o P G 1 2 3 4 and a blank" {
		t.Error(err)
	}
}
