package reliability

import (
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"plyfit/internal/spec"
	"plyfit/internal/vectors"
)

// answers lists commands with --json, at least one for each command that has the flag. DIR is a new
// folder each time; IN is the folder that [sources] returns.
var answers = []string{
	"agents --json",
	"dataset head IN/data -n 3 --json",
	"dataset import connect4 IN/table.csv -o DIR/d --json",
	"dataset info IN/data --json",
	"diagnose IN/model.json --game connect4 --budget 1 --json --quiet",
	"eval connect4 --position 4453 --model IN/model.json --json",
	"exploit kuhn ismcts:simulations=20 --samples 5 --json",
	"fit IN/data -o DIR/m.json --json",
	"fit IN/trace.csv -o DIR/w.csv --group game --json",
	"games --json",
	"grade trees-minimax --json",
	"learn tictactoe --games 30 --rounds 1 --pairs 2 -o DIR/run --json --quiet",
	"match connect4 alphabeta:depth=1,ties=random random --pairs 6 --json --quiet",
	"model calibrate connect4/handwritten --data IN/data -o DIR/m.json --json",
	"model diff connect4/handwritten connect4/learned --json",
	"model show connect4/learned --json",
	"model score connect4 IN/model.json handwritten --json",
	"model test IN/model.json IN/data --json",
	"moves connect4 --position 4453 --json",
	"opponent connect4 IN/data -o DIR/p.json --per-game 8 --json --quiet",
	"perft connect4 --depth 4 --json",
	"search connect4 --agent alphabeta:depth=4 --json",
	"selfplay connect4 -o DIR/d --games 8 --games-per-shard 2 --agent random --json --quiet",
	"study thrashing --quick --pairs 2 -o DIR/s --json --quiet",
	"study opponents --quick --pairs 2 -o DIR/s --json --quiet",
	"study confirm IN/tiny.json -o DIR/s --registered " + tinyDigest + " --json --quiet",
	"tournament connect4 greedy random alphabeta:depth=1,ties=random --pairs 3 --json --quiet",
	"train tictactoe -o DIR/m.json --games 50 --curve-pairs 2 --json --quiet",
	"tune ladder IN/trace.csv uci:cmd=IN/new,depth=1 --game connect4 --build cp~{}~IN/weights.h~&&~cc~-o~IN/new~IN/engine.c --start IN/start.csv --phase phase:42 --group game --widths 10 --pairs 1 --confirm 1 -o DIR/t --quiet --json",
	"tune options uci:cmd=IN/options,depth=1 --game connect4 --positions IN/data --rows 20 --options Centre --pairs 1 --confirm 1 --widths 25 --plies 4 --within 1 -o DIR/t --quiet --json",
	"tune play IN/weights.csv IN/bold.csv --referee IN/match.py -o DIR/t --pairs 1 --confirm 1 --quiet --json",
	"tune selfplay alphabeta:depth=1 --game connect4 -o DIR/t --games 10 --plies 4 --quiet --json",
}

// timed matches the fields that measure time, which differs between runs.
var timed = regexp.MustCompile(`"(seconds|elapsed|moves_per_second|rate)": ?[-+.0-9e]+`)

// TestSameAnswer checks that a command with --json prints the same bytes each time, except for the
// fields that measure time. The number of processors must not matter. The test covers every command
// with the flag.
func TestSameAnswer(t *testing.T) {
	repeats := 1
	if vectors.Long() {
		repeats = 20
	} else if testing.Short() {
		t.Skip("runs for seconds")
	}
	text := vectors.Must(os.ReadFile("../cli/testdata/surface.txt"))
	for line := range strings.Lines(string(text)) {
		path, ok := strings.CutSuffix(strings.TrimSpace(line), " --json")
		command := strings.TrimPrefix(path, "plyfit ") + " "
		if ok && spec.Gone(path) == nil && spec.Gone(path+" --json") == nil && !strings.Contains("\n"+strings.Join(answers, "\n"), "\n"+command) {
			t.Errorf("%s --json: not among the answers", path)
		}
	}
	in := sources(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, command := range answers {
		t.Run(strings.Join(strings.Fields(command)[:2], " "), func(t *testing.T) {
			repeats := repeats
			if strings.HasPrefix(command, "tune ") || strings.HasPrefix(command, "study opponents") { // such commands take seconds
				repeats = (repeats + 1) / 2
			}
			first := ""
			for i := range 3 * repeats {
				runtime.GOMAXPROCS([]int{1, 2, 7}[i%3])
				dir := t.TempDir()
				got, p := here(in, strings.ReplaceAll(command, "DIR/", dir+"/"))
				if got.code != 0 || p != nil {
					t.Fatalf("plyfit %s: exit code %d, %s, %v", command, got.code, got.stderr, p)
				}
				said := timed.ReplaceAllString(strings.ReplaceAll(got.stdout, dir, "DIR"), "$1")
				if i == 0 {
					first = said
				} else if said != first {
					t.Fatalf("run %d prints\n%s\nthe first one\n%s", i+1, said, first)
				}
			}
		})
	}
}
