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

// These are the maximum numbers of lines of Go code in all modules. They may only decrease: when
// the code is shorter than a limit by more than slack, the limit must be lowered.
const (
	mostSource     = 107687 // outside tests
	mostCode       = 95276  // outside tests and without lines that only contain a comment
	mostTestSource = 55833
	mostTestCode   = 52169
	slack          = 300 // maximum difference between a limit and the number of lines
)

// TestLinesGoDown checks the limits on the size of the code.
func TestLinesGoDown(t *testing.T) {
	all, tests := lines(t, func([]byte) bool { return true })
	code, testCode := lines(t, func(line []byte) bool { return !bytes.HasPrefix(bytes.TrimSpace(line), []byte("//")) })
	for _, c := range []struct {
		what      string
		got, most int
	}{
		{"lines of Go", all, mostSource}, {"lines of Go without comments", code, mostCode},
		{"lines of tests", tests, mostTestSource}, {"lines of tests without comments", testCode, mostTestCode},
	} {
		if c.got > c.most || c.got < c.most-slack {
			t.Errorf("%d %s; want from %d to %d", c.got, c.what, c.most-slack, c.most)
		}
	}
}

// lines counts the lines of Go code for which the callback returns true, outside tests and in
// tests. A package belongs to the tests if only tests and other such packages import it.
func lines(t *testing.T, counts func(line []byte) bool) (code, tests int) {
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
		size := 0
		for line := range bytes.Lines(text) {
			if counts(line) {
				size++
			}
		}
		folder, _ := filepath.Rel(root, filepath.Dir(file))
		folder = filepath.ToSlash(folder)
		from := folder
		if strings.HasSuffix(file, "_test.go") {
			tests += size
			from = ""
		} else if !strings.Contains(file, "testdata") {
			sizes[folder] += size
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
	helpers := map[string]bool{"": true} // folders that are imported only by tests or by other such folders
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

// TestOneOfEach checks with patterns, outside tests, that the module contains only one interval
// type besides the one for drawings, one normal quantile, one cache and one store of training rows.
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
