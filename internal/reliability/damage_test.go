package reliability

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/cli"
	"plyfit/internal/vectors"
)

var damages = flag.Int("damages", 1000, "truncations and flipped bits of each kind of file with PLYFIT_LONG")

// A kind of file, and the command that reads it again.
type kind struct {
	name    string
	make    []string // commands that make it
	file    string   // pattern; of several files each has its turn
	command string   // must be what the last of make was, or read what that made
	// sealed says that something in the file, or beside it, tells every change:
	// a digest, or what the command computes anew. Of the other kinds a change
	// that leaves them readable may change the answer; how many do is reported.
	sealed bool
}

const someMatch = "match connect4 alphabeta:depth=1,ties=random random --pairs 6 -o pairs.jsonl --quiet --json"

var kinds = []kind{
	{"dataset.json", []string{"selfplay connect4 -o data --games 12 --games-per-shard 4 --agent random --quiet"}, "data/dataset.json", "dataset verify data", true},
	{"shard", []string{"selfplay connect4 -o data --games 12 --games-per-shard 4 --agent random --quiet"}, "data/shard-*.parquet", "dataset verify data", true},
	{"model, JSON", []string{"selfplay connect4 -o data --games 40 --agent random --quiet", "fit data -o m.json"}, "m.json", "eval connect4 --position 4453 --model m.json --json", false},
	{"model, table", []string{"train othello -o m.json --features othello/patterns --games 2 --curve-pairs 0 --quiet"}, "m.weights", "eval othello --position - --model m.json --json", true},
	{"match journal", []string{someMatch}, "pairs.jsonl", someMatch, true},
	{"checkpoint", []string{"train tictactoe -o m.json --games 200 --curve-pairs 2 --quiet"}, "m.train/checkpoint", "train tictactoe -o m.json --games 200 --curve-pairs 2 --quiet", true},
	{"study cells", []string{"study thrashing --quick --pairs 3 --quiet -o s"}, "s/cells/test/*.jsonl", "study thrashing --quick --pairs 3 --quiet -o s", true},
	{"book", []string{"book connect4 -o book.txt --plies 4 --count 10 --judge alphabeta:depth=1 --quiet", someMatch + " --openings @book.txt"}, "book.txt", someMatch + " --openings @book.txt", true},
	{"run folder", []string{"learn tictactoe --games 30 --rounds 1 --pairs 2 -o run --quiet"}, "run/*.json*", "learn tictactoe --games 30 --rounds 1 --pairs 2 -o run --quiet", true},
}

// here runs the command in this process, where a panic is seen as one.
func here(stdin, args string) (a answer, panicked any) {
	defer func() { panicked = recover() }()
	var stdout, stderr bytes.Buffer
	a.code = cli.Run(context.Background(), catalog.All(), strings.Fields(args), strings.NewReader(stdin), &stdout, &stderr)
	a.stdout, a.stderr = stdout.String(), stderr.String()
	return a, nil
}

// TestDamage cuts files short and turns bits over, and has the command that
// reads them run again: it refuses the file in one line, or answers as before.
func TestDamage(t *testing.T) {
	number := 6
	if vectors.Long() {
		number = *damages
	} else if testing.Short() {
		t.Skip("runs for seconds")
	}
	for n, k := range kinds {
		t.Run(strings.ReplaceAll(k.name, ", ", "-"), func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, c := range k.make {
				if a, p := here("", c); a.code != 0 || p != nil {
					t.Fatalf("plyfit %s: exit code %d, %s, %v", c, a.code, a.stderr, p)
				}
			}
			before := contents(t)
			const position = "---------------------------OX------XO--------------------------- X\n"
			want, p := here(position, k.command)
			if want.code != 0 || p != nil {
				t.Fatalf("plyfit %s: exit code %d, %s, %v", k.command, want.code, want.stderr, p)
			}
			files, err := filepath.Glob(k.file)
			if err != nil || len(files) == 0 {
				t.Fatalf("no %s among %v, %v", k.file, before, err)
			}
			rng := rand.New(rand.NewPCG(uint64(n), 7))
			detected, harmless, silent, first := 0, 0, 0, ""
			for i := range number {
				restore(t, before)
				file := files[rng.IntN(len(files))]
				whole := before[file]
				if len(whole) == 0 {
					t.Fatalf("%s is empty", file)
				}
				how, data := "", []byte(nil)
				if i%2 == 0 {
					at := rng.IntN(len(whole))
					how, data = fmt.Sprintf("cut after byte %d", at), []byte(whole[:at])
				} else {
					at, bit := rng.IntN(len(whole)), rng.IntN(8)
					how, data = fmt.Sprintf("bit %d of byte %d turned over", bit, at), []byte(whole)
					data[at] ^= 1 << bit
				}
				vectors.Check(os.WriteFile(file, data, 0o644))
				got, p := here(position, k.command)
				switch {
				case p != nil:
					t.Fatalf("%s, %s: panic: %v", file, how, p)
				case got.code != 0:
					if skips := strings.Count(got.stderr, "skipped: ") + strings.Count(got.stderr, "\nopenings: "); strings.Count(got.stderr, "\n") != 1+skips || got.stdout != "" || got.code != 2 && got.code != 1 {
						t.Errorf("%s, %s: exit code %d, standard output %q, standard error %q: want one line", file, how, got.code, got.stdout, got.stderr)
					}
					detected++
				case got.stdout == want.stdout:
					harmless++
				default:
					if silent++; first == "" {
						first = fmt.Sprintf("%s, %s", file, how)
					}
					if k.sealed {
						t.Errorf("%s, %s: answers\n%q\nfor\n%q", file, how, got.stdout, want.stdout)
					}
				}
			}
			t.Logf("%s: %d damaged, %d refused in one line, %d without effect, %d with another answer %s", k.name, number, detected, harmless, silent, first)
		})
	}
}

// contents are the files below the working directory.
func contents(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// restore puts the files back as they were, and takes others away.
func restore(t *testing.T, all map[string]string) {
	t.Helper()
	for path := range contents(t) {
		if _, ok := all[path]; !ok {
			vectors.Check(os.Remove(path))
		}
	}
	for path, text := range all {
		if have, err := os.ReadFile(path); err == nil && string(have) == text {
			continue
		}
		vectors.Check(os.WriteFile(path, []byte(text), 0o644))
	}
}
