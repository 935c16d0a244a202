package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"plyfit/internal/vectors"
)

// column is the width at which prose is wrapped.
const column = 80

// A page is a Markdown file of the manual or of the results.
type page struct {
	path, text string
}

// pages returns several READMEs and all pages below docs, except the study's report, which a
// command writes.
func pages(t *testing.T) []page {
	t.Helper()
	var out []page
	add := func(path string) {
		text := vectors.Must(os.ReadFile(path))
		out = append(out, page{filepath.Clean(path), string(text)})
	}
	for _, folder := range []string{".", "notebooks", "models/handwritten", "models/learned"} {
		add("../../" + folder + "/README.md")
	}
	err := filepath.WalkDir("../../docs", func(path string, _ os.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" && filepath.Base(path) != "report.md" {
			add(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 30 {
		t.Errorf("%d pages found", len(out))
	}
	return out
}

// prose calls a function for every line outside code, tables, headings and pictures.
func (p page) prose(visit func(line int, text string)) {
	fenced := false
	for i, line := range strings.Split(p.text, "\n") {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		if fenced || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "![") {
			continue
		}
		visit(i+1, line)
	}
}

// TestPagesWidth checks that prose on every page is wrapped at the same column. A single word, such
// as a long link, may be longer.
func TestPagesWidth(t *testing.T) {
	for _, p := range pages(t) {
		p.prose(func(line int, text string) {
			if utf8.RuneCountInString(text) > column && strings.ContainsRune(strings.TrimSpace(text), ' ') {
				t.Errorf("%s:%d: longer than %d columns: %s", p.path, line, column, text)
			}
		})
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// anchor returns the fragment that links to a heading.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// TestPagesLinks checks that the targets of all relative links exist, including headings, and that
// every page below docs can be reached from docs/README.md.
func TestPagesLinks(t *testing.T) {
	linked := map[string][]string{}
	for _, p := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(p.text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			name, fragment, _ := strings.Cut(m[1], "#")
			target := filepath.Clean(filepath.Join(filepath.Dir(p.path), name))
			if name == "" {
				target = p.path
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: link to %s: %v", p.path, m[1], err)
				continue
			}
			linked[p.path] = append(linked[p.path], target)
			if fragment == "" || filepath.Ext(target) != ".md" {
				continue
			}
			text := vectors.Must(os.ReadFile(target))
			found := false
			for _, h := range heading.FindAllStringSubmatch(string(text), -1) {
				found = found || anchor(h[1]) == fragment
			}
			if !found {
				t.Errorf("%s: link to %s: no such heading", p.path, m[1])
			}
		}
	}
	reached := map[string]bool{}
	var walk func(path string)
	walk = func(path string) {
		if !reached[path] {
			reached[path] = true
			for _, next := range linked[path] {
				walk(next)
			}
		}
	}
	walk("../../docs/README.md")
	for _, p := range pages(t) {
		if strings.HasPrefix(p.path, "../../docs/") && !reached[p.path] {
			t.Errorf("%s cannot be reached from docs/README.md", p.path)
		}
	}
}

var (
	hash  = regexp.MustCompile(`†|\b[0-9a-f]{7,}\b`)
	cited = regexp.MustCompile(`(?i)\bcommit [0-9a-f]{7}|\([0-9a-f]{7,}\) (plyfit|go) `)
)

// outdated returns the part of a line that marks a figure of an earlier program: a dagger or the
// hash of a commit. It returns "" if there is none. A number is a hash only if it is cited as one.
func outdated(line string) string {
	for _, word := range hash.FindAllString(line, -1) {
		if word == "†" || strings.ContainsAny(word, "abcdef") && strings.ContainsAny(word, "0123456789") {
			return word
		}
	}
	return cited.FindString(line)
}

// TestPagesOfToday checks that README.md and the pages of results contain no outdated figures. Only
// docs/results/history.md may contain them.
func TestPagesOfToday(t *testing.T) {
	checked := 0
	for _, p := range pages(t) {
		if p.path != "../../README.md" && !strings.HasPrefix(p.path, "../../docs/results/") || filepath.Base(p.path) == past {
			continue
		}
		checked++
		for i, line := range strings.Split(p.text, "\n") {
			if word := outdated(line); word != "" {
				t.Errorf("%s:%d: %s: repeat the figure, delete it or move it to history.md", p.path, i+1, word)
			}
		}
	}
	if checked < 15 {
		t.Errorf("%d pages checked, want at least 15", checked)
	}
	for line, want := range map[string]string{
		"| † chess, depth 4 | 46.5% |":              "†",
		"| searches | 7ba2c16 | 2026-11-21 |":       "7ba2c16",
		"`BenchmarkStop` of 9cd185cd":               "9cd185cd",
		"    (36880207) plyfit train 2048 -o M":     "(36880207) plyfit ",
		"Commit 1234567 of 2026-11-21":              "Commit 1234567",
		"The positions are 12134724 and 515216243.": "",
	} {
		if got := outdated(line); got != want {
			t.Errorf("%s: found %q, want %q", line, got, want)
		}
	}
}

// TestDesignFloors checks that the floors in docs/design.md agree with plan.
func TestDesignFloors(t *testing.T) {
	text := vectors.Must(os.ReadFile("../../docs/design.md"))
	rooms := 0
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \| (.*) \|$`).FindAllStringSubmatch(string(text), -1) {
		for _, name := range regexp.MustCompile("`([a-z/<>]+)`").FindAllStringSubmatch(row[2], -1) {
			rooms++
			if _, floor := place(strings.ReplaceAll(name[1], "<name>", "pig")); strconv.Itoa(floor) != row[1] {
				t.Errorf("docs/design.md puts %s on floor %s, the plan on %d", name[1], row[1], floor)
			}
		}
	}
	if rooms < 25 {
		t.Errorf("%d rooms in docs/design.md, want at least 25", rooms)
	}
}
