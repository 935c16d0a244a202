// Package vectors provides reference data for tests. The data were published or computed by others.
// Some are in a package's testdata; others, which may not be redistributed, are in a directory next
// to the repository, if present. Must and Check end a test that cannot continue.
package vectors

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Shared returns the path of a file or directory in ../shared/vectors, such as "chess/perft.epd".
// It skips the test if the file does not exist.
func Shared(t testing.TB, name string) string {
	t.Helper()
	return shared(t, "vectors", name)
}

// Dataset returns the path of a file in ../shared/datasets. It skips the test if the file does not
// exist.
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
		t.Skipf("no ../shared/%s/%s; this third-party file is not shipped", kind, name)
	}
	return path
}

// Lines returns the nonempty lines of a text file without surrounding white space.
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

// Long reports whether PLYFIT_LONG is set, which allows exhaustive tests to take minutes.
func Long() bool { return os.Getenv("PLYFIT_LONG") != "" }

// Must returns v. It panics if err is not nil.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Check panics if err is not nil.
func Check(err error) {
	if err != nil {
		panic(err)
	}
}
