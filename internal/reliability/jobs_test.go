package reliability

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

// A work is a command that saves finished work. In its text, DIR is the folder in which it works,
// and IN is a folder with a data set, a model, a table of positions and a protocol ([sources]).
type work struct {
	name, command string   // ~ is a space within a word
	lock          string   // path of the lock file or folder below DIR
	kept          string   // pattern of saved files below DIR, which a kill must not shrink; may be empty
	result        []string // files that depend only on the command, not on interruptions
}

const train = "train connect4 -o DIR/model.json --curve-pairs 5 --checkpoint-every 10ms --quiet --method "

var works = []work{
	{"selfplay", "selfplay connect4 -o DIR/data --games 400 --games-per-shard 8 --agent alphabeta:depth=3,ties=random --quiet", "data/.plyfit.lock", "data/*.parquet",
		[]string{"data/dataset.json", "data/shard-00000.parquet", "data/shard-00049.parquet"}},
	{"relabel", "dataset relabel IN/data -o DIR/data --agent alphabeta:depth=5 --quiet", "data/.plyfit.lock", "data/*.parquet",
		[]string{"data/dataset.json", "data/shard-00000.parquet", "data/shard-00029.parquet"}},
	{"import", "dataset import connect4 IN/table.csv -o DIR/data", "data/.plyfit.lock", "data/*.parquet", []string{"data/dataset.json", "data/shard-00000.parquet"}},
	{"train-td", train + "td --games 3000", "model.train/.plyfit.lock", "", []string{"model.json"}},
	{"train-tdleaf", train + "tdleaf --agent alphabeta:depth=2 --games 320", "model.train/.plyfit.lock", "", []string{"model.json"}},
	{"train-rootstrap", train + "rootstrap --agent alphabeta:depth=2 --games 80", "model.train/.plyfit.lock", "", []string{"model.json"}},
	{"train-treestrap", train + "treestrap --init random --agent alphabeta:depth=2 --games 80", "model.train/.plyfit.lock", "", []string{"model.json"}},
	{"train-evolution", train + "evolution --games 1200 --batch 4", "model.train/.plyfit.lock", "", []string{"model.json"}},
	{"train-tables", "train othello -o DIR/model.json --features othello/patterns --games 100 --batch 4 --tc --alpha 0.5 --curve-pairs 4 --checkpoint-every 20ms --quiet",
		"model.train/.plyfit.lock", "", []string{"model.json", "model.weights"}},
	{"match", "match connect4 alphabeta:depth=3,ties=random alphabeta:depth=2,ties=random --pairs 200 -o DIR/pairs.jsonl --records DIR/games.txt --quiet", ".pairs.jsonl.lock", "pairs.jsonl",
		[]string{"pairs.jsonl", "games.txt"}},
	{"tournament", "tournament connect4 alphabeta:depth=3,ties=random random greedy --pairs 100 -o DIR/cup --quiet", "cup/.plyfit.lock", "cup/*.jsonl",
		[]string{"cup/match-01-02.jsonl", "cup/match-01-03.jsonl", "cup/match-02-03.jsonl"}},
	{"study", "study thrashing --quick --pairs 20 -o DIR/study --quiet", "study/.plyfit.lock", "study/cells/test/*.jsonl", []string{"study/cells/test/thrashing.jsonl", "study/report.md"}},
	{"confirm", "study confirm IN/tiny.json -o DIR/confirmed --registered " + tinyDigest + " --quiet", "confirmed/.plyfit.lock", "confirmed/cells/test/*.jsonl",
		[]string{"confirmed/data/tiny-rows.csv"}},
	{"tune-selfplay", "tune selfplay alphabeta:depth=3 --game connect4 -o DIR/own --games 300 --quiet", "own/games/.plyfit.lock", "own/games/*.parquet", []string{"own/openings.txt", "own/positions.csv", "own/games/dataset.json"}},
	{"tune-play", "tune play --start IN/weights.csv --referee IN/match.py -o DIR/tuned --games 120 --pairs 6 --confirm 10 --quiet", "tuned/.plyfit.lock", "tuned/evolution/*.json",
		[]string{"tuned/start/weights.csv", "tuned/evolution/generation-1.json", "tuned/evolution/generation-2.json"}},
	{"tune-files", "tune play IN/weights.csv IN/careful.csv IN/bold.csv --referee IN/match.py -o DIR/tuned --pairs 8 --confirm 20 --quiet", "tuned/.plyfit.lock", "tuned/*.jsonl",
		[]string{"tuned/race-careful.csv.jsonl", "tuned/confirm.jsonl"}},
	{"tune-ladder", "tune ladder IN/trace.csv uci:cmd=IN/new,depth=1 --game connect4 --build cp~{}~IN/weights.h~&&~cc~-O2~-o~IN/new~IN/engine.c --start IN/start.csv --phase phase:42 --group game --widths 10,100 --pairs 30 --confirm 60 -o DIR/tuned --quiet",
		"tuned/.plyfit.lock", "tuned/*.jsonl", []string{"tuned/width-10/weights.h", "tuned/width-100/weights.h"}},
	{"tune-options", "tune options uci:cmd=IN/options,depth=1 --game connect4 --positions IN/data --rows 600 --pairs 12 --confirm 20 --widths 25,100 --plies 4 --within 1 -o DIR/tuned --quiet", "tuned/.plyfit.lock", "tuned/scores/*.json",
		[]string{"tuned/table.csv", "tuned/positions.json", "tuned/width-25/rung.json", "tuned/width-100/weights.csv"}},
	{"learn", "learn tictactoe --games 400 --rounds 2 --pairs 20 -o DIR/run --quiet", "run/.plyfit.lock", "run/data/*.parquet",
		[]string{"run/data/dataset.json", "run/model.json", "run/match.json", "run/config.json"}},
}

// in returns the command with its folders filled in.
func (w work) in(dir, in string) string {
	return strings.NewReplacer("DIR", dir, "IN", in).Replace(w.command)
}

// tinyDigest is the SHA-256 of the protocol in sources.
const tinyDigest = "b1586225e5f209486873ab5a1d1b1b149063cd55a91e71d1e745087b487ddc59"

// sources creates the folder IN of the works.
func sources(t testing.TB) string {
	t.Helper()
	in := t.TempDir()
	must(t, in, "selfplay connect4 -o data --games 240 --games-per-shard 8 --agent random --quiet")
	must(t, in, "fit data -o model.json")
	const protocol = `{"format": "plyfit-protocol/2", "name": "tiny", "title": "Does looking farther ahead win?", "written": "2026-11-24",
 "analysis": 1, "alpha": 0.05, "seed": 5,
 "matches": [{"id": "H1", "claim": "it does", "game": "connect4:columns=5,rows=4", "a": "alphabeta:depth=4", "b": "alphabeta:depth=1", "pairs": 100, "plies": 4}]}
`
	var table strings.Builder
	table.WriteString("position,result,episode\n")
	for i := range 20000 {
		fmt.Fprintf(&table, "%d%d%d%d,%d,%d\n", 1+i%7, 1+i/7%7, 1+i/49%7, 1+i/343%7, i/10%2, i/10)
	}
	for name, text := range map[string]string{"table.csv": table.String(), "tiny.json": protocol} {
		vectors.Check(os.WriteFile(filepath.Join(in, name), []byte(text), 0o644))
	}
	for _, folder := range []string{"fit/testdata/engine", "tune/testdata"} {
		vectors.Check(os.CopyFS(in, os.DirFS(filepath.Join("..", "..", "learn", filepath.FromSlash(folder)))))
	}
	if out, err := exec.Command("sh", "-c", "cd "+in+" && cc -O2 -o options options.c && cc -O2 -o old engine.c && ./old trace 20000 1 > trace.csv && ./old weights > start.csv").CombinedOutput(); err != nil {
		t.Skipf("no C compiler: %v: %s", err, out)
	}
	return in
}

// same compares the files of a work in two folders, and checks that no locks or temporary files
// remain. It describes the first difference, or returns "".
func (w work) same(want, got string) string {
	for _, name := range w.result {
		a, errA := os.ReadFile(filepath.Join(want, name))
		b, errB := os.ReadFile(filepath.Join(got, name))
		switch {
		case errA != nil || errB != nil:
			return fmt.Sprintf("%s: %v, %v", name, errA, errB)
		case !bytes.Equal(a, b):
			return name + " differs from that of an undisturbed run"
		}
	}
	var left string
	filepath.WalkDir(got, func(path string, e fs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(path, ".lock") || strings.HasSuffix(path, ".tmp") {
			left = fmt.Sprintf("%s was left behind (%v)", path, err)
		}
		return nil
	})
	return left
}
