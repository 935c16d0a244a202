package reliability

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/internal/cli"
	"plyfit/internal/vectors"
)

var damages = flag.Int("damages", 250, "faults in each kind of file or folder with PLYFIT_LONG")

// A kind is a kind of file or folder, with the command that reads it back.
type kind struct {
	name    string
	make    []string // commands that create it in a folder; IN contains [sources]; for a resumed run, the last one equals command
	file    string   // pattern of files, or a folder, in which each file may be damaged
	command string
	// sealed means that a checksum or a comparison detects every change, so that damage never
	// changes an answer or another file. Damage to other kinds may go undetected. The test reports
	// the number of such cases.
	sealed bool
}

const (
	someMatch = "match connect4 alphabeta:depth=1,ties=random random --pairs 6 -o pairs.jsonl --quiet --json"
	someGames = "selfplay connect4 -o data --games 12 --games-per-shard 4 --agent random --quiet"
	someTuned = "tune options uci:cmd=IN/options,depth=1 --game connect4 --positions IN/data --rows 60 --pairs 2 --confirm 4 --widths 25,100 --plies 4 --within 1 -o t --quiet --json"
)

// resumed returns a kind for the folder from which a command resumes.
func resumed(folder, command string, before ...string) kind {
	return kind{strings.Join(strings.Fields(command)[:2], " "), append(before, command), folder, command, true}
}

var kinds = []kind{
	{"data set", []string{someGames}, "data", "dataset verify data", true},
	{"data set of a player", []string{"selfplay connect4 -o data --games 20 --games-per-shard 4 --agent softmax --quiet"}, "data", "opponent connect4 data -o p.json --json --quiet", true},
	{"model, JSON", []string{"fit IN/data -o m.json"}, "m.json", "eval connect4 --position 4453 --model m.json --json", false},
	{"model, table", []string{"train othello -o m.json --features othello/patterns --games 2 --curve-pairs 0 --quiet"}, "m.weights", "eval othello --position - --model m.json --json", true},
	{"match journal", []string{someMatch}, "pairs.jsonl", someMatch, true},
	resumed("data", someGames),
	resumed("data", "dataset relabel IN/data -o data --agent alphabeta:depth=1 --quiet"),
	resumed("data", "dataset import connect4 IN/table.csv -o data"),
	resumed("m.train", "train tictactoe -o m.json --games 200 --curve-pairs 2 --quiet"),
	resumed("cup", "tournament connect4 alphabeta:depth=1,ties=random random greedy --pairs 4 -o cup --quiet --json"),
	resumed("s", "study thrashing --quick --pairs 3 --quiet -o s"),
	resumed("s", "study confirm IN/tiny.json -o s --registered "+tinyDigest+" --quiet"),
	resumed("run", "learn tictactoe --games 30 --rounds 1 --pairs 2 -o run --quiet"),
	resumed("run", "learn 2048:size=2 --games 30 --pairs 4 -o run --quiet"),
	resumed("t", "tune selfplay alphabeta:depth=1 --game connect4 -o t --games 40 --plies 4 --quiet"),
	resumed("t", "tune play --start IN/weights.csv --referee IN/match.py -o t --games 40 --pairs 4 --confirm 4 --quiet --json"),
	resumed("t", "tune play IN/weights.csv IN/careful.csv IN/bold.csv --referee IN/match.py -o t --pairs 4 --confirm 4 --quiet --json"),
	resumed("t", "tune ladder IN/trace.csv uci:cmd=IN/new,depth=1 --game connect4 --build cp~{}~IN/weights.h~&&~cc~-o~IN/new~IN/engine.c --start IN/start.csv --phase phase:42 --group game --widths 10,100 --pairs 4 --confirm 4 -o t --quiet --json"),
	resumed("t", someTuned),
}

// here runs the command in this process, so that panics can be detected.
func here(in, args string) (a answer, panicked any) {
	defer func() { panicked = recover() }()
	words := strings.Fields(strings.ReplaceAll(args, "IN/", in+"/"))
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, "~", " ")
	}
	var stdout, stderr bytes.Buffer
	const position = "---------------------------OX------XO--------------------------- X\n"
	a.code = cli.Run(context.Background(), catalog.All(), words, strings.NewReader(position), &stdout, &stderr)
	a.stdout, a.stderr = stdout.String(), stderr.String()
	return a, nil
}

// faults lists the kinds of damage. Each changes the data at or after an offset; some change
// data[at:to].
var faults = []struct {
	name string
	do   func(rng *rand.Rand, data []byte, at, to int) []byte
}{
	{"cut after it", func(_ *rand.Rand, data []byte, at, _ int) []byte { return data[:at] }},
	{"bit turned over", func(rng *rand.Rand, data []byte, at, _ int) []byte { data[at] ^= 1 << rng.IntN(8); return data }},
	{"deleted", func(_ *rand.Rand, data []byte, at, to int) []byte { return slices.Delete(data, at, to) }},
	{"repeated", func(_ *rand.Rand, data []byte, at, to int) []byte {
		return slices.Insert(data, at, slices.Clone(data[at:to])...)
	}},
	{"noise", func(rng *rand.Rand, data []byte, at, to int) []byte {
		for i := at; i < to; i++ {
			data[i] = byte(rng.Uint32())
		}
		return data
	}},
	{"next digit changed", func(rng *rand.Rand, data []byte, at, _ int) []byte {
		if k := bytes.IndexAny(data[at:], "0123456789"); k >= 0 {
			data[at+k] = '0' + (data[at+k]-'0'+1+byte(rng.IntN(9)))%10
		}
		return data
	}},
}

// unsettled lists files that contain times or that a finished run no longer reads.
var unsettled = []string{"log.jsonl", "checkpoint", "stage.json", "report.html"}

// TestDamage damages files and runs the command that reads them back. In half of the cases in which
// the command resumes a run, files newer than the damaged one are also removed, as if it had been
// killed at that time. If the kind is sealed, the command must reject the file in one line, or give
// the same answer and write the other files with the same contents.
func TestDamage(t *testing.T) {
	number := 6
	if vectors.Long() {
		number = *damages
	} else if testing.Short() {
		t.Skip("runs for seconds")
	}
	in := sources(t)
	for n, k := range kinds {
		t.Run(strings.ReplaceAll(k.name, ", ", "-"), func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, c := range k.make {
				if a, p := here(in, c); a.code != 0 || p != nil {
					t.Fatalf("plyfit %s: exit code %d, %s, %v", c, a.code, a.stderr, p)
				}
			}
			made := contents(t)
			want, p := here(in, k.command)
			if want.code != 0 || p != nil {
				t.Fatalf("plyfit %s: exit code %d, %s, %v", k.command, want.code, want.stderr, p)
			}
			before := contents(t)
			var files []string
			for _, path := range slices.Sorted(maps.Keys(before)) {
				if ok, _ := filepath.Match(k.file, path); (ok || strings.HasPrefix(path, k.file+"/")) && before[path].text != "" {
					files = append(files, path)
				}
			}
			if len(files) == 0 {
				t.Fatalf("no %s among %v", k.file, slices.Collect(maps.Keys(before)))
			}
			rng := rand.New(rand.NewPCG(uint64(n), 7))
			detected, harmless, silent, first := 0, 0, 0, ""
			for i := range number {
				restore(t, before)
				path, fault := files[rng.IntN(len(files))], faults[i%len(faults)]
				data := []byte(before[path].text)
				at := rng.IntN(len(data))
				to := min(len(data), at+1+rng.IntN(64))
				how := fmt.Sprintf("%s, bytes %d to %d: %s", path, at, to, fault.name)
				if len(files) > 1 && k.command == k.make[len(k.make)-1] && rng.IntN(2) == 0 {
					how += ", newer files gone"
					for other, f := range made {
						if f.written.After(made[path].written) {
							vectors.Check(os.Remove(other))
						}
					}
				}
				vectors.Check(os.WriteFile(path, fault.do(rng, data, at, to), 0o644))
				got, p := here(in, k.command)
				other := ""
				for name, f := range contents(t) {
					if name != path && !slices.Contains(unsettled, filepath.Base(name)) && f.text != before[name].text {
						other += " " + name
					}
				}
				switch {
				case p != nil:
					t.Fatalf("%s: panic: %v", how, p)
				case got.code != 0:
					if skips := strings.Count(got.stderr, "skipped: ") + strings.Count(got.stderr, "\nopenings: "); strings.Count(got.stderr, "\n") != 1+skips || got.stdout != "" || got.code != 2 && got.code != 1 {
						t.Errorf("%s: exit code %d, standard output %q, standard error %q: want one line", how, got.code, got.stdout, got.stderr)
					}
					detected++
				case got.stdout == want.stdout && other == "":
					harmless++
				default:
					if silent++; first == "" {
						first = how
					}
					if k.sealed {
						t.Errorf("%s: other files%s, and the answer\n%q\nfor\n%q", how, other, got.stdout, want.stdout)
					}
				}
			}
			t.Logf("%s: %d damaged, %d refused in one line, %d without effect, %d with another answer %s", k.name, number, detected, harmless, silent, first)
		})
	}
}

// A file is the text of a file and its modification time.
type file struct {
	text    string
	written time.Time
}

// contents returns the files below the working directory.
func contents(t *testing.T) map[string]file {
	t.Helper()
	all := map[string]file{}
	vectors.Check(filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = file{string(data), vectors.Must(e.Info()).ModTime()}
		return err
	}))
	return all
}

// restore restores the given files and removes all others.
func restore(t *testing.T, all map[string]file) {
	t.Helper()
	now := contents(t)
	for path := range now {
		if _, ok := all[path]; !ok {
			vectors.Check(os.Remove(path))
		}
	}
	for path, f := range all {
		if had, ok := now[path]; !ok || had.text != f.text {
			vectors.Check(os.MkdirAll(filepath.Dir(path), 0o777))
			vectors.Check(os.WriteFile(path, []byte(f.text), 0o755))
		}
	}
}
