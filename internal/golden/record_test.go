package golden

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

var update = flag.Bool("update", false, "rewrite testdata from what is found")

// home is the package's folder. The tests run in other folders.
var home = func() string {
	return vectors.Must(os.Getwd())
}()

// A record contains the lines of a file in testdata as computed by a test, in order.
type record struct {
	t     *testing.T
	name  string
	whats []string
	found map[string]string
}

// begin starts the record of a file. At the end of the test, the record is compared with the file
// or, with -update, written to it.
func begin(t *testing.T, name string) *record {
	r := &record{t: t, name: name, found: map[string]string{}}
	t.Cleanup(r.end)
	return r
}

// add records the figures of an item.
func (r *record) add(what, format string, args ...any) {
	r.t.Helper()
	if _, twice := r.found[what]; twice || strings.Contains(what, ": ") {
		r.t.Fatalf("%q: want a unique name without a colon followed by a space", what)
	}
	r.whats = append(r.whats, what)
	r.found[what] = fmt.Sprintf(format, args...)
}

func (r *record) path() string { return filepath.Join(home, "testdata", r.name+".txt") }

func (r *record) end() {
	if r.t.Failed() {
		return
	}
	if *update {
		if testing.Short() {
			r.t.Fatal("-update wants all lines: leave out -short")
		}
		var b strings.Builder
		for _, what := range r.whats {
			fmt.Fprintf(&b, "%s: %s\n", what, r.found[what])
		}
		if err := os.MkdirAll(filepath.Dir(r.path()), 0o755); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(r.path(), []byte(b.String()), 0o644); err != nil {
			r.t.Fatal(err)
		}
		return
	}
	kept, err := read(r.path())
	if err != nil {
		r.t.Fatal(err)
	}
	for _, what := range r.whats {
		want, known := kept[what]
		switch {
		case !known:
			r.t.Errorf("%s.txt has no line %q", r.name, what)
		case want != r.found[what]:
			r.t.Errorf("%s.txt, %s:\nwas %s\nnow %s", r.name, what, want, r.found[what])
		}
		delete(kept, what)
	}
	if testing.Short() {
		return
	}
	for what := range kept {
		r.t.Errorf("%s.txt, %s: is no longer checked", r.name, what)
	}
}

// read reads a file of lines "what: figures".
func read(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := map[string]string{}
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		what, figures, ok := strings.Cut(s.Text(), ": ")
		if !ok {
			return nil, fmt.Errorf("%s: %q: want WHAT: FIGURES", path, s.Text())
		}
		lines[what] = figures
	}
	return lines, s.Err()
}

// TestFilesAreChecked checks that every file in testdata belongs to a test.
func TestFilesAreChecked(t *testing.T) {
	if *update {
		t.Skip("they are being written")
	}
	files := vectors.Must(filepath.Glob(filepath.Join(home, "testdata", "*.txt")))
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".txt"))
	}
	slices.Sort(names)
	if want := recorded(); !slices.Equal(names, want) {
		t.Errorf("testdata holds %v, the tests check %v", names, want)
	}
}

// recorded returns the names of all records.
func recorded() []string {
	names := []string{"selfplay", "fit", "train", "learn", "match", "study", "export", "eval", "perft"}
	for _, world := range worlds {
		names = append(names, world.file())
	}
	slices.Sort(names)
	return names
}
