package catalog

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/vectors"
)

var update = flag.Bool("update", false, "write the tables of terms in docs/games anew")

// table matches the table of a feature set's terms in the README file of a feature package. The
// table contains either all terms or those that the set adds to another one.
var table = regexp.MustCompile(`(?s)<!-- terms of (\S+)( beyond (\S+))? -->\n.*?<!-- end of terms -->\n`)

// TestTables checks that every term of a set is documented, that the tables in the feature
// packages' README files match the sets, and that the first set of every game has a table. With
// -update, it rewrites the tables.
func TestTables(t *testing.T) {
	docs, firsts, shown := map[string][]features.Doc{}, []string{}, map[string]bool{}
	for _, e := range All() {
		g := vectors.Must(e.New(game.NewOptions(e.Name)))
		sets := e.Sets(g)
		firsts = append(firsts, sets[0].Name())
		for _, set := range sets {
			d, ok := set.(features.Documented)
			if !ok {
				continue
			}
			docs[set.Name()] = d.Docs()
			for _, doc := range d.Docs() {
				if doc.Text == "" || strings.ContainsAny(doc.Text, "|\n") || strings.HasSuffix(doc.Text, ".") {
					t.Errorf("%s: %s is documented as %q: want a line without bars and a full stop", set.Name(), doc.Name, doc.Text)
				}
			}
		}
	}
	paths := vectors.Must(filepath.Glob(filepath.Join("..", "features", "*", "README.md")))
	for _, path := range paths {
		page := vectors.Must(os.ReadFile(path))
		written := table.ReplaceAllStringFunc(string(page), func(old string) string {
			m := table.FindStringSubmatch(old)
			terms, known := docs[m[1]]
			if !known || m[3] != "" && docs[m[3]] == nil {
				t.Errorf("%s: %s: want sets that say what their terms are", path, old[:strings.IndexByte(old, '\n')])
				return old
			}
			shown[m[1]] = true
			return old[:strings.IndexByte(old, '\n')+1] + rows(terms[len(docs[m[3]]):]) + "<!-- end of terms -->\n"
		})
		switch {
		case written == string(page):
		case *update:
			vectors.Check(os.WriteFile(path, []byte(written), 0o644))
		default:
			t.Errorf("%s: a table is not that of the set's list: go test ./catalog -run TestTables -update", path)
		}
	}
	for _, name := range firsts {
		if docs[name] == nil || !shown[name] {
			t.Errorf("no page has a table of the terms of %s", name)
		}
	}
}

// rows returns a Markdown table of terms. Terms that differ only in their role, "ROLE-TERM" with
// the text "ROLE: ...", share a row.
func rows(docs []features.Doc) string {
	var order [][2]string // term without its role, and its text
	names := map[[2]string][]string{}
	for _, d := range docs {
		name, row := "`"+d.Name+"`", [2]string{d.Name, d.Text}
		if d.Kind {
			name += " and its like"
		}
		if role, rest, ok := strings.Cut(d.Text, ": "); ok && strings.HasPrefix(d.Name, role+"-") {
			row = [2]string{d.Name[len(role):], rest}
		}
		if names[row] == nil {
			order = append(order, row)
		}
		names[row] = append(names[row], name)
	}
	var b strings.Builder
	b.WriteString("\n| term | value |\n|---|---|\n")
	for _, row := range order {
		fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(names[row], ", "), row[1])
	}
	b.WriteString("\n")
	return b.String()
}
