package cli

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/internal/vectors"
	"plyfit/work"
	"plyfit/work/worktest"
)

// A handOverCase is a command whose units are computed by other processes.
type handOverCase struct {
	name, command string
	kinds         []string // kinds of the jobs, in order
	units         int      // minimum number of units handed over
	ignored       []string // files that are not compared because they contain times
}

// handedOver lists commands, with the kinds of jobs that other processes run for them. DIR is the
// folder for their output. IN contains a data set, a list of openings, and a model whose path is
// known only to this process.
var handedOver = []handOverCase{
	{name: "selfplay", command: "selfplay connect4 -o DIR/data --games 60 --games-per-shard 4 --agent alphabeta:depth=2,ties=random,eval=IN/model.json --explore 0.1", kinds: []string{"selfplay"}, units: 15},
	{name: "selfplay of a mix", command: "selfplay pig -o DIR/data --games 40 --games-per-shard 4 --agent mix(0.5*(expectimax:depth=1),0.5*random)", kinds: []string{"selfplay"}, units: 3},
	{name: "selfplay slips", command: "selfplay tictactoe+slip=0.1 -o DIR/data --games 40 --games-per-shard 8 --adjudicate off", kinds: []string{"selfplay"}, units: 5},
	{name: "relabel", command: "dataset relabel IN/data -o DIR/data --agent alphabeta:depth=4,eval=IN/model.json", kinds: []string{"relabel"}, units: 5},
	{name: "match", command: "match connect4 IN/model.json random --pairs 130 -o DIR/pairs.jsonl --records DIR/games.txt --json", kinds: []string{"match"}, units: 64},
	{name: "match without a file", command: "match connect4 alphabeta:depth=1 random --pairs 130", kinds: []string{"match"}, units: 64},
	{name: "match of openings", command: "match connect4 greedy random --pairs 70 --openings @IN/openings.txt --openings-fixed --adjudicate win=0.9 -o DIR/pairs.jsonl", kinds: []string{"match"}, units: 60},
	{name: "match with nature", command: "match 2048+adversary greedy random --nature alphabeta:depth=1 --pairs 8 -o DIR/pairs.jsonl", kinds: []string{"match"}, units: 3},
	{name: "sequential test", command: "match tictactoe alphabeta:depth=2 random --sprt 0,200 --pairs 300 -o DIR/pairs.jsonl", kinds: []string{"match"}, units: 1},
	{name: "sequential test without a file", command: "match tictactoe alphabeta:depth=2 random --sprt 0,200 --pairs 300 --json", kinds: []string{"match"}, units: 1},
	{name: "tournament", command: "tournament connect4 greedy random alphabeta:depth=2,eval=IN/model.json --pairs 66 -o DIR/cup", kinds: []string{"match"}, units: 3 * 64},
	{name: "study", command: "study thrashing --quick --pairs 4 -o DIR/study", kinds: []string{"study"}, units: 4},
	{name: "study in stages", command: "study crossed --quick --game connect4 --game connect4:dice=on --eval IN/model.json --warp exp:3 --depth 2 --pairs 10 -o DIR/study", kinds: []string{"study"}, units: 20},
	{name: "selfplay to the end", command: "selfplay tictactoe -o DIR/data --games 40 --games-per-shard 8 --openings 4 --agent alphabeta:depth=9", kinds: []string{"selfplay"}, units: 1}, // proven outcomes end episodes early
	{name: "learn", command: "learn tictactoe --games 200 --rounds 1 --pairs 10 -o DIR/run", kinds: []string{"selfplay", "match"}, units: 100, ignored: []string{"run/log.jsonl"}},
}

// everyWorld returns a self-play run and a match for each of several kinds of worlds and, without
// -short, for almost every game.
func everyWorld() (cases []handOverCase) {
	worlds := []string{"2048:size=3", "2048:size=3+adversary", "pacman+adversary", "tictactoe+slip=0.3", "pig:target=30,players=3"}
	if !testing.Short() {
		for _, e := range catalog.All() {
			if e.Name != "tree" && !strings.HasPrefix(e.Name, "random") { // these games have a single start
				worlds = append(worlds, e.Name)
			}
		}
	}
	for _, world := range worlds {
		nature := ""
		if strings.HasSuffix(world, "+adversary") {
			nature = " --nature random"
		}
		cases = append(cases,
			handOverCase{name: "selfplay of " + world, command: "selfplay " + world + " -o DIR/data --games 9 --games-per-shard 4 --explore 0.2 --agent random", kinds: []string{"selfplay"}, units: 1},
			handOverCase{name: "match of " + world, command: "match " + world + " random random --pairs 3 -o DIR/pairs.jsonl" + nature, kinds: []string{"match"}, units: 1})
	}
	return cases
}

// ran runs a command with the given extensions and returns its standard output.
func ran(t *testing.T, in, dir, command string, more ...Extension) string {
	t.Helper()
	args := append(strings.Fields(strings.NewReplacer("IN/", in+"/", "DIR/", dir+"/").Replace(command)), "--workers", "2")
	code, out, fault := tryWith(more, "", args...)
	if code != 0 {
		t.Fatalf("%s: exit code %d: %s", command, code, fault)
	}
	return strings.ReplaceAll(out, dir, "DIR")
}

// filesIn returns the contents of the files below dir, by name.
func filesIn(t *testing.T, dir string, besides []string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		if !slices.Contains(besides, name) {
			files[name] = strings.ReplaceAll(string(data), dir, "DIR")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// inputs writes the files that the commands read, and returns their folder.
func inputs(t *testing.T) string {
	in := t.TempDir()
	ran(t, in, in, "selfplay connect4 -o IN/data --games 40 --games-per-shard 8 --agent alphabeta:depth=1")
	vectors.Check(os.WriteFile(filepath.Join(in, "openings.txt"), []byte("4444\n4443\n4435\n4341\n1726\n2254\n7112\n"), 0o666))
	shipped := vectors.Must(os.ReadFile("../../models/handwritten/connect4.json"))
	changed := strings.Replace(string(shipped), `"tempo", "weight": 0.05`, `"tempo", "weight": 0.07`, 1)
	if changed == string(shipped) {
		t.Fatal("the hand-written model has no tempo of 0.05")
	}
	vectors.Check(os.WriteFile(filepath.Join(in, "model.json"), []byte(changed), 0o666))
	return in
}

// handOver returns an extension that lets e compute a command's units.
func handOver(e work.Executor) Extension {
	return Extension{Begin: func(_ string, cmd *cobra.Command) (context.Context, func(error), error) {
		return work.WithExecutor(cmd.Context(), e), nil, nil
	}}
}

// TestHandedOver checks that a command's output and files are the same if its units are computed by
// other processes, which receive only the jobs and their files. The test fails if the audit rejects
// a correct result.
func TestHandedOver(t *testing.T) {
	in := inputs(t)
	for seed, c := range append(handedOver, everyWorld()...) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			alone, shared := t.TempDir(), t.TempDir()
			e := &worktest.Executor{Kinds: Kinds(catalog.All()), Seed: uint64(seed)}
			want := ran(t, in, alone, c.command)
			got := ran(t, in, shared, c.command, handOver(e))
			if got != want {
				t.Errorf("prints %s\nwant %s", got, want)
			}
			wanted, made := filesIn(t, alone, c.ignored), filesIn(t, shared, c.ignored)
			if names, all := slices.Sorted(maps.Keys(made)), slices.Sorted(maps.Keys(wanted)); !slices.Equal(names, all) {
				t.Errorf("leaves %q, want %q", names, all)
			}
			for name, text := range wanted {
				if made[name] != text {
					t.Errorf("%s differs: %.300q, want %.300q", name, made[name], text)
				}
			}
			var kinds []string
			for _, j := range e.Jobs {
				kinds = append(kinds, j.Kind)
			}
			if kinds = slices.Compact(kinds); !slices.Equal(kinds, c.kinds) || e.Units < c.units || c.units > 20 && e.Twice == 0 {
				t.Errorf("jobs %q of %d units, %d of them twice; want %q of at least %d", kinds, e.Units, e.Twice, c.kinds, c.units)
			}
		})
	}
}

// TestHandedOverRefuses checks that a command is rejected if its result would depend on the
// machine. The error must be a single line, and no files may be left behind.
func TestHandedOverRefuses(t *testing.T) {
	in := t.TempDir()
	for command, want := range map[string]string{
		"match connect4 alphabeta:time=10ms random --pairs 2 -o DIR/m.jsonl":        "agent alphabeta:time=10ms: the agent plays differently on each machine",
		"match connect4 greedy alphabeta:threads=2 --pairs 2":                       "agent alphabeta:threads=2: the agent plays differently on each machine",
		"match connect4 greedy random --move-time 1s --pairs 2 -o DIR/m.jsonl":      "move time limit 1s: results would depend on the machine",
		"tournament connect4 greedy random alphabeta:time=1ms --pairs 2 -o DIR/cup": "agent alphabeta:time=1ms: the agent plays differently",
	} {
		dir := t.TempDir()
		args := strings.Fields(strings.NewReplacer("IN/", in+"/", "DIR/", dir+"/").Replace(command))
		e := &worktest.Executor{Kinds: Kinds(catalog.All())}
		code, _, fault := tryWith([]Extension{handOver(e)}, "", append(args, "--quiet")...)
		if code != 2 || !strings.Contains(fault, want) || strings.Count(fault, "\n") != 1 {
			t.Errorf("%s: exit code %d, %q; want 2 and one line with %q", command, code, fault, want)
		}
		if strings.Contains(fault, "instead of a time limit") == strings.Contains(command, "--move-time") {
			t.Errorf("%s: %q says not what is wanted", command, fault)
		}
		if left := filesIn(t, dir, nil); len(left) > 0 {
			t.Errorf("%s: leaves %q", command, left)
		}
	}
}
