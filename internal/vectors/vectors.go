// Package vectors finds what tests compare with: files of results that others
// have published or computed, those of a package's testdata and those that are
// not this project's to ship and lie beside the repository where someone has
// them. Must and Check have what a test cannot go on without.
package vectors

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Shared is the path of a file or folder of ../shared/vectors, such as
// "chess/perft.epd"; the test is skipped where it is not there.
func Shared(t testing.TB, name string) string {
	t.Helper()
	return shared(t, "vectors", name)
}

// Dataset is the path of a file of ../shared/datasets; the test is skipped where it is not there.
func Dataset(t testing.TB, name string) string {
	t.Helper()
	return shared(t, "datasets", name)
}

func shared(t testing.TB, kind, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the package")
		}
	}
	path := filepath.Join(dir, "..", "shared", kind, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no ../shared/%s/%s: it belongs to others and is not shipped", kind, name)
	}
	return path
}

// Lines are the lines of a text file without the spaces around them, empty ones left out.
func Lines(t testing.TB, path string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// Long reports whether tests may go through all that there is and take minutes: PLYFIT_LONG is set.
func Long() bool { return os.Getenv("PLYFIT_LONG") != "" }

// Must is v, which a test cannot go on without.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Check ends a test that cannot go on.
func Check(err error) {
	if err != nil {
		panic(err)
	}
}
