// Package house checks the plan of the rooms: each floor imports only floors
// below it.
package house

import (
	"strings"
	"testing"
)

// plan lists the rooms with their floors, as docs/design.md shows them. A path that ends in a slash
// is a room for each folder in it. Longer paths come before the paths that they begin with, and
// rooms of one folder on one floor from the top down.
var plan = []struct {
	path  string
	floor int
}{
	{"cmd", 10},
	{"docs", 10}, // the tests of the manual
	{"plyfit", 9},
	{"internal/cli", 9},
	{"internal/serve", 8},
	{"internal/terminal", 8},
	{"study/ask", 7},
	{"study/confirm", 7},
	{"study/diagnose", 7},
	{"study/lecture", 7},
	{"study/measure", 7},
	{"study/evaluation", 7},
	{"study", 7},
	{"learn/loop", 7},
	{"learn/tune", 7},
	{"internal/grade", 7},
	{"learn/fit", 6},
	{"learn/train", 6},
	{"arena/engine", 6},
	{"internal/protocol", 6},
	{"internal/session", 6},
	{"catalog", 5},
	{"selfplay", 5},
	{"learn/online", 5},
	{"arena/stats", 2},
	{"arena", 4},
	{"datasets/table", 4},
	{"datasets/intake", 4},
	{"learn/opponent", 4},
	{"learn/trees", 4},
	{"features/", 4},
	{"search/internal/searchtest", 5}, // helpers for tests
	{"search/mcts", 4},
	{"search/hidden", 4},
	{"search/trace", 4},
	{"search/equilibrium", 4},
	{"search/assume", 2},
	{"search", 3},
	{"features", 3},
	{"learn/loss", 2},
	{"learn", 3},
	{"game/gametest", 3},
	{"game/", 2},
	{"datasets", 2},
	{"game", 1},
	{"models", 1},
	{"work", 1},
	{"internal", 0},
}

// place returns the number of a package's room in the plan and its floor, -1 if it has none.
func place(path string) (number, floor int) {
	for i, room := range plan {
		if path == room.path || strings.HasPrefix(path, strings.TrimSuffix(room.path, "/")+"/") {
			return i, room.floor
		}
	}
	return -1, -1
}

// top returns the folder at the top that a package is in.
func top(path string) string {
	folder, _, _ := strings.Cut(path, "/")
	return folder
}

// cellar reports whether a package is internal to a room that room is, or is in. The
// compiler keeps everyone else out.
func cellar(room, below string) bool {
	owner, _, internal := strings.Cut(below, "/internal/")
	return internal && (room == owner || strings.HasPrefix(room, owner+"/"))
}

// TestImportsRunDownwards checks that every package has a floor and imports only floors below its own,
// rooms of its own folder further down, the room that it is an inner room of, and that room's cellar.
func TestImportsRunDownwards(t *testing.T) {
	packages := load().packages
	if len(packages) < 20 {
		t.Errorf("%d packages found", len(packages))
	}
	for _, p := range packages {
		room := strings.TrimPrefix(p.ImportPath, module+"/")
		number, floor := place(room)
		if floor < 0 {
			t.Errorf("%s stands on no floor", room)
		}
		for _, imported := range p.Imports {
			below, ours := strings.CutPrefix(imported, module+"/")
			at, its := place(below)
			switch {
			case !ours, its == 0, its < floor, strings.HasPrefix(room, below+"/"), cellar(room, below):
			case its == floor && at >= number && (top(room) == top(below) || room == module):
			default:
				t.Errorf("%s (floor %d) imports %s (floor %d)", room, floor, below, its)
			}
		}
	}
}
