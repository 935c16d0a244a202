// Package house checks the plan of the rooms: each floor imports only floors
// below it.
package house

import (
	"strings"
	"testing"
)

// plan lists the rooms and their floors, the longer paths first where one lies
// in another. Rooms on floor 0 are the cellar, which all may use.
var plan = []struct {
	path  string
	floor int
}{
	{"cmd", 13},
	{"docs", 13},   // the tests that walk the pages
	{"plyfit", 12}, // the whole command, for programs with games of their own
	{"internal/cli", 11},
	{"internal/terminal", 9},    // games before a person
	{"study/ask", 9},            // the questions, a file each
	{"study/confirm", 9},        // protocols written down first
	{"internal/serve/stdio", 9}, // the same for programs, by lines of JSON
	{"internal/serve", 9},       // the page, in a browser
	{"study/measure", 8},        // its games, in pairs
	{"study/evaluation", 7},     // what damages an evaluation
	{"study/lecture", 7},        // the lecture's Pacman table
	{"study", 6},
	{"learn/tune", 7},     // an engine's own evaluation, settled by play
	{"internal/grade", 7}, // points for a class
	{"learn/loop", 7},     // the main job: a run through all floors below
	{"study/diagnose", 6}, // what an evaluation loses, and what to do
	{"learn/fit", 6},      // learning from data
	{"learn/train", 6},    // learning while playing
	{"catalog", 5},
	{"learn/online/td", 5},        // values from those that follow
	{"learn/online/bootstrap", 5}, // values from searches
	{"learn/online/evolution", 5}, // weights on trial in games
	{"learn/online/cfr", 5},       // an equilibrium of a small game
	{"learn/online/internal", 5},  // what their tests share
	{"learn/online", 5},           // what learners that play have in common
	{"datasets/table", 4},         // columns of anyone
	{"selfplay", 4},
	{"arena/stats", 2},  // how sure a match is
	{"arena/engine", 6}, // programs that play with given weights
	{"arena", 4},
	{"datasets/intake", 4},           // positions from elsewhere
	{"internal/protocol/engines", 6}, // the kinds of agents that speak them
	{"internal/protocol", 4},         // engines of others, and ours for others
	{"features/", 4},                 // what is good in each game, and the law that sets face
	{"features", 3},
	{"game/gametest", 3},    // the law that games face
	{"game/play", 2},        // the one driver of episodes
	{"internal/session", 3}, // a game at play, for all who show one
	{"learn/loss", 2},       // what fits minimise
	{"learn/trees", 4},      // what linearity costs
	{"learn/validate", 3},   // whether a fit deserves trust
	{"learn/opponent", 4},   // a model of a player, from his moves
	{"learn", 3},
	{"search/assume", 2},              // a planner's model of opponents and chance
	{"search/internal/searchtest", 5}, // what the tests of the searches share
	{"search/mcts", 4},
	{"search/hidden", 4},      // searches of imperfect information
	{"search/trace", 4},       // the trees of searches
	{"search/equilibrium", 4}, // how far from one
	{"search", 3},
	{"game/grid", 1}, // their boards, painted
	{"game/", 2},     // the games
	{"datasets", 2},
	{"game", 1},
	{"models", 1},
	{"work", 1}, // the one unit of work and who does it
	{"internal", 0},
}

// floorOf is -1 for a package without a place.
func floorOf(path string) int {
	for _, room := range plan {
		if path == room.path || strings.HasPrefix(path, strings.TrimSuffix(room.path, "/")+"/") {
			return room.floor
		}
	}
	return -1
}

// cellar reports whether a package is internal to a room that room is, or is in. The
// compiler keeps everyone else out.
func cellar(room, below string) bool {
	owner, _, internal := strings.Cut(below, "/internal/")
	return internal && (room == owner || strings.HasPrefix(room, owner+"/"))
}

// TestImportsRunDownwards: every package has a floor and imports only floors
// below its own, the room that it is an inner room of, or that room's cellar.
func TestImportsRunDownwards(t *testing.T) {
	packages := load().packages
	if len(packages) < 20 {
		t.Errorf("%d packages found", len(packages))
	}
	for _, p := range packages {
		room := strings.TrimPrefix(p.ImportPath, module+"/")
		floor := floorOf(room)
		if floor < 0 {
			t.Errorf("%s stands on no floor", room)
		}
		for _, imported := range p.Imports {
			below, ours := strings.CutPrefix(imported, module+"/")
			if !ours || floorOf(below) == 0 || strings.HasPrefix(room, below+"/") || cellar(room, below) {
				continue
			}
			if floorOf(below) >= floor {
				t.Errorf("%s (floor %d) imports %s (floor %d)", room, floor, below, floorOf(below))
			}
		}
	}
}
