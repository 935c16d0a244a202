package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/work/worktest"
)

// TestAuditLetsIn: in every game, and in worlds of every kind, what honest processes hand
// in passes the audit, shards and pairs alike: worktest fails where it does not. What is
// left has the bytes of one process.
func TestAuditLetsIn(t *testing.T) {
	var worlds []string
	for _, e := range catalog.All() {
		worlds = append(worlds, e.Name)
	}
	worlds = append(worlds,
		"connect4+slip=0.2", "connect4:dice=on", "2048:size=3+slip=0.2", "2048:size=3+adversary", "pacman+adversary", "pacman+slip=0.1", "pig+adversary",
		"tictactoe+slip=0.3", "minesweeper:rows=4,columns=4,mines=4", "pig:target=30,players=3")
	if testing.Short() {
		worlds = []string{"chess", "2048:size=3", "backgammon", "kuhn", "2048:size=3+adversary", "tictactoe+slip=0.3", "pig:target=30,players=3"}
	}
	for _, world := range worlds {
		if world == "tree" || strings.HasPrefix(world, "random") {
			continue // its start is all that there is of it
		}
		t.Run(world, func(t *testing.T) {
			t.Parallel()
			nature := ""
			if strings.HasSuffix(world, "+adversary") && !strings.HasPrefix(world, "pig") {
				nature = " --nature random"
			}
			commands := []string{
				"selfplay " + world + " -o DIR/data --games 9 --games-per-shard 4 --explore 0.2 --agent random",
				"match " + world + " random random --pairs 3 -o DIR/pairs.jsonl" + nature,
				"match " + world + " random random --pairs 2 --openings 0 --quiet" + nature,
			}
			if world == "tictactoe" { // proofs end episodes, and begin them anew
				commands = append(commands, "selfplay tictactoe -o DIR/data --games 40 --games-per-shard 8 --openings 4 --agent alphabeta:depth=9")
			}
			for _, command := range commands {
				alone, shared := t.TempDir(), t.TempDir()
				e := &worktest.Executor{Kinds: Kinds(catalog.All()), Seed: 1}
				want := ran(t, alone, alone, command)
				if got := ran(t, shared, shared, command, handOver(e)); got != want {
					t.Errorf("%s prints %s\nwant %s", command, got, want)
				}
				if e.Units == 0 {
					t.Errorf("%s: no unit was handed over", command)
				}
				made, wanted := filesIn(t, shared, nil), filesIn(t, alone, nil)
				for name, text := range wanted {
					if made[name] != text {
						t.Errorf("%s: %s differs", command, filepath.Base(name))
					}
				}
			}
		})
	}
}
