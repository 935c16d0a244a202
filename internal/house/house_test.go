// Package house checks conventions of the module, such as its layers: the packages of each floor
// import only packages below them. Other tests check the public API, comments, pages and sizes.
package house

import (
	"strings"
	"testing"
)

// plan lists the rooms of each floor, from floor 0 upwards, as shown in docs/design.md. If a path
// ends in a slash, each of its folders is a room. Rooms in the same folder and on the same floor
// are listed from top to bottom.
var plan = []string{
	"internal",
	"game models work",
	"game/ datasets arena/stats learn/loss search/assume",
	"features search learn game/gametest",
	"features/ arena datasets/table datasets/intake learn/opponent learn/trees search/mcts search/hidden search/trace search/equilibrium",
	"catalog selfplay learn/online search/internal/searchtest",
	"learn/fit learn/train arena/engine internal/protocol internal/session",
	"study/ask study/confirm study/diagnose study/lecture study/measure study/evaluation study learn/loop learn/tune internal/grade",
	"internal/serve internal/terminal",
	"plyfit internal/cli",
	"cmd docs",
}

// place returns a package's floor and the number of its room on that floor. If several rooms match,
// the one with the longest path counts. The floor is -1 if no room matches.
func place(path string) (number, floor int) {
	longest := 0
	floor = -1
	for f, rooms := range plan {
		for i, room := range strings.Fields(rooms) {
			if (path == room || strings.HasPrefix(path, strings.TrimSuffix(room, "/")+"/")) && len(room) > longest {
				longest, number, floor = len(room), i, f
			}
		}
	}
	return number, floor
}

// top returns the top-level folder of a package.
func top(path string) string {
	folder, _, _ := strings.Cut(path, "/")
	return folder
}

// cellar reports whether one package (below) is internal to another (room) or to a room that
// contains the latter. The compiler prevents imports by other packages.
func cellar(room, below string) bool {
	owner, _, internal := strings.Cut(below, "/internal/")
	return internal && (room == owner || strings.HasPrefix(room, owner+"/"))
}

// TestImportsRunDownwards checks that every package has a floor and imports only packages that are
// below it: packages of lower floors, lower rooms of the same folder, the enclosing room, and the
// internal packages of that room.
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
