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
)

var update = flag.Bool("update", false, "write the tables of terms in docs/games anew")

// table is where a page of docs/games has the terms of a set: all of them, or those
// beyond the set that it is made of.
var table = regexp.MustCompile(`(?s)<!-- terms of (\S+)( beyond (\S+))? -->\n.*?<!-- end of terms -->\n`)

// TestTables: the tables of terms in docs/games are those of the sets' own lists.
// With -update they are written from them.
func TestTables(t *testing.T) {
	for _, e := range All() {
		g, err := e.New(game.NewOptions(e.Name))
		if err != nil {
			t.Fatal(err)
		}
		docs := map[string][]features.Doc{}
		for _, set := range e.Sets(g) {
			if d, ok := set.(features.Documented); ok {
				docs[set.Name()] = d.Docs()
			}
		}
		path := filepath.Join("..", "docs", "games", e.Name+".md")
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		shown := map[string]bool{}
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
		if first := e.Sets(g)[0].Name(); docs[first] == nil || !shown[first] {
			t.Errorf("%s has no table of the terms of %s", path, first)
		}
		switch {
		case written == string(page):
		case *update:
			if err := os.WriteFile(path, []byte(written), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s: a table is not that of the set's list: go test ./catalog -run TestTables -update", path)
		}
	}
}

// rows are a Markdown table of terms.
func rows(docs []features.Doc) string {
	var b strings.Builder
	b.WriteString("\n| term | value |\n|---|---|\n")
	for _, d := range docs {
		kind := ""
		if d.Kind {
			kind = " and its like"
		}
		fmt.Fprintf(&b, "| `%s`%s | %s |\n", d.Name, kind, d.Text)
	}
	b.WriteString("\n")
	return b.String()
}

// TestTermsAreDocumented: every term of a list has its line.
func TestTermsAreDocumented(t *testing.T) {
	for _, e := range All() {
		g, err := e.New(game.NewOptions(e.Name))
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range e.Sets(g) {
			d, ok := set.(features.Documented)
			if !ok {
				continue
			}
			for _, doc := range d.Docs() {
				if doc.Text == "" || strings.ContainsAny(doc.Text, "|\n") || strings.HasSuffix(doc.Text, ".") {
					t.Errorf("%s: %s is documented as %q: want a line without bars and a full stop", set.Name(), doc.Name, doc.Text)
				}
			}
		}
	}
}
