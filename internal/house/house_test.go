// Package house checks the plan of the rooms: each floor imports only floors below it.
package house

import (
	"strings"
	"testing"
)

// plan lists the rooms by floor, from 0, as docs/design.md shows them. A path that ends in a slash is
// a room for each folder in it. Rooms of one folder on one floor stand from the top down.
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

// place returns a package's floor and the number of its room there: of the rooms that it may be in,
// the one with the longest path. The floor is -1 if it has none.
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
