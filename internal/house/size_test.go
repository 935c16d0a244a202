package house

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

// The most lines of Go that all modules may have, without tests and of tests. They only
// go down: a commit that removes lines lowers them.
const (
	mostCode  = 105487
	mostTests = 55329
	slack     = 300 // by which they may be too high
)

// TestLinesGoDown is the ratchet.
func TestLinesGoDown(t *testing.T) {
	code, tests := lines(t)
	for _, c := range []struct {
		what      string
		got, most int
	}{{"Go", code, mostCode}, {"tests", tests, mostTests}} {
		if c.got > c.most || c.got < c.most-slack {
			t.Errorf("%d lines of %s: want at most %d, a number that is no more than %d too high", c.got, c.what, c.most, slack)
		}
	}
}

// lines counts the lines of Go. A package that only tests import counts as tests.
func lines(t *testing.T) (code, tests int) {
	sizes, importers := map[string]int{}, map[string][]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && len(d.Name()) > 2 && d.Name()[0] == '.' {
			return filepath.SkipDir
		}
		if err != nil || filepath.Ext(file) != ".go" {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		folder, _ := filepath.Rel(root, filepath.Dir(file))
		folder = filepath.ToSlash(folder)
		from := folder
		if strings.HasSuffix(file, "_test.go") {
			tests += bytes.Count(text, []byte("\n"))
			from = ""
		} else if !strings.Contains(file, "testdata") {
			sizes[folder] += bytes.Count(text, []byte("\n"))
		}
		for _, spec := range f.Imports {
			if p, _ := strconv.Unquote(spec.Path.Value); ours(p) && p != path.Join(module, folder) {
				below := strings.TrimPrefix(p, module+"/")
				importers[below] = append(importers[below], from)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	helpers := map[string]bool{"": true} // folders that only tests or other helpers import
	for more := true; more; {
		more = false
	folders:
		for folder := range sizes {
			if helpers[folder] || len(importers[folder]) == 0 {
				continue
			}
			for _, from := range importers[folder] {
				if !helpers[from] {
					continue folders
				}
			}
			helpers[folder], more = true, true
		}
	}
	for folder, n := range sizes {
		if helpers[folder] {
			tests += n
		} else {
			code += n
		}
	}
	return code, tests
}

// TestOneOfEach checks that there is one type of interval, next to the drawing of one, one normal
// quantile, one cache and one store of training rows.
func TestOneOfEach(t *testing.T) {
	for pattern, only := range map[string]string{
		`Value, Low, High float64`: "internal/report/rows.go", `(?m)^type Estimate struct`: "arena/stats/estimate.go", `\b1\.95\d+\b`: "arena/stats/estimate.go",
		`(?m)^type Cache\b`: "internal/lru/lru.go", `(?m)^type \w*(Store|Kept|Spool)\w* struct`: "datasets/store.go",
	} {
		var in []string
		for _, f := range files(t, false) {
			if regexp.MustCompile(pattern).Match(vectors.Must(os.ReadFile(f.path))) {
				in = append(in, strings.TrimPrefix(f.path, "../../"))
			}
		}
		if !slices.Equal(in, []string{only}) {
			t.Errorf("%s occurs in %v, want %s alone", pattern, in, only)
		}
	}
}
