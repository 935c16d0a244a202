package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

// past is the page of results of earlier programs.
const past = "history.md"

// A measurement is a `go test` command on a page, with its folder, packages and patterns.
type measurement struct {
	folder, line string
	packages     []string
	run, bench   string
}

var goTest = regexp.MustCompile(`(?:cd ([\w/]+) && )?(?:[A-Z_]+=\S+ )*go test\b([^` + "`#" + `\n]*)`)

// measurements returns the commands on a page that run tests or benchmarks by name. It skips
// commands in which the package is a placeholder in capital letters.
func measurements(text string) (out []measurement) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\\\n", " "), `\|`, "|")
	for _, m := range goTest.FindAllStringSubmatch(text, -1) {
		found := measurement{folder: m[1], line: strings.TrimSpace(m[0])}
		args := strings.Fields(m[2])
		for i := 0; i < len(args) && args[i] != "-args"; i++ {
			next := ""
			if i+1 < len(args) {
				next = strings.Trim(args[i+1], "'")
			}
			switch {
			case args[i] == "-run":
				found.run = next
			case args[i] == "-bench":
				found.bench = next
			case strings.HasPrefix(args[i], "./"):
				found.packages = append(found.packages, strings.TrimRight(args[i], ".,;:)"))
			}
		}
		if found.bench != "" || found.run != "" && found.run != "^$" {
			out = append(out, found)
		}
	}
	return out
}

// matches reports whether each alternative in the pattern of -run or -bench matches a test or
// benchmark in the packages.
func (m measurement) matches(t *testing.T, prefixes []string, pattern string) bool {
	t.Helper()
	packages := m.packages
	if packages == nil {
		packages = []string{"."}
	}
	var names []string
	for _, p := range packages {
		names = append(names, testsOf(t, filepath.Join("../..", m.folder, p), prefixes)...)
	}
	for _, alternative := range strings.Split(pattern, "|") {
		first, _, _ := strings.Cut(alternative, "/")
		found := false
		for _, name := range names {
			found = found || regexp.MustCompile(first).MatchString(name)
		}
		if !found {
			return false
		}
	}
	return true
}

// testsOf returns the functions in a folder's test files whose names begin with one of the
// prefixes.
func testsOf(t *testing.T, folder string, prefixes []string) (names []string) {
	t.Helper()
	paths := vectors.Must(filepath.Glob(folder + "/*_test.go"))
	for _, path := range paths {
		file := vectors.Must(parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution))
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil {
				continue
			}
			for _, prefix := range prefixes {
				if strings.HasPrefix(f.Name.Name, prefix) {
					names = append(names, f.Name.Name)
				}
			}
		}
	}
	return names
}

// wrong describes what a measurement lacks, or returns "" if nothing is missing.
func (m measurement) wrong(t *testing.T) string {
	t.Helper()
	switch {
	case m.bench != "" && !m.matches(t, []string{"Benchmark"}, m.bench):
		return "no such benchmark"
	case m.run != "" && m.run != "^$" && !m.matches(t, []string{"Test", "Example", "Fuzz"}, m.run):
		return "no such test"
	case m.bench != "" && m.run != "^$":
		return "runs the tests of the package, too: wants -run '^$'"
	}
	return ""
}

// TestPagesMeasure checks that every go test command on a page that names tests or benchmarks runs
// something, and that a command for a benchmark does not also run the tests. `go test` passes even
// if no test has the given name. The commands in history.md are for earlier commits.
func TestPagesMeasure(t *testing.T) {
	found := 0
	for _, p := range pages(t) {
		if filepath.Base(p.path) == past {
			continue
		}
		for _, m := range measurements(p.text) {
			found++
			if fault := m.wrong(t); fault != "" {
				t.Errorf("%s: %s: %s", p.path, m.line, fault)
			}
		}
	}
	if found < 35 {
		t.Errorf("%d measurements on the pages, want at least 35", found)
	}
}

// TestPagesMeasureCatches checks that commands without a matching test are found.
func TestPagesMeasureCatches(t *testing.T) {
	for _, planted := range []string{
		"`go test -run '^$' -bench Moved ./search`",
		"    go test -run '^$' -bench 'StarDice|Moved' ./search\n",
		"| 3 | `go test -run '^$' -bench 'StarDice\\|Moved' -count 5 ./search` |",
		"`PLYFIT_LONG=1 go test -run Endgames -v ./features/gone`",
		"`cd cluster && go test -run '^$' -bench StarDice`",
		"`go test ./search -bench StarDice`",
	} {
		all := measurements(planted)
		if len(all) != 1 || all[0].wrong(t) == "" {
			t.Errorf("%s: not caught: %+v", planted, all)
		}
	}
}
