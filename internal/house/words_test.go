package house

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode"

	"plyfit/internal/vectors"
)

// outgoing maps words that docs/design.md excludes to the established terms. The words are in
// dictionary form.
var outgoing = map[string]string{
	"look": "search, probe or node", "judge": "evaluator, evaluate", "see": "what the method does", "settle": "decide",
	"mature": "complete", "grown": "expanded", "pursue": "follow", "tip": "leaf", "glance": "probe", "fringe": "frontier",
	"wish": "request", "favourite": "best child", "hero": "learner", "pupil": "learner",
	"course": "learning curve", "stroll": "random walk", "taste": "risk preference", "gamble": "lottery",
	"exam": "evaluation", "pen": "writer", "eye": "view", "sight": "view",
}

// fieldWord returns the established term for a form of an outgoing word that has one of the
// endings. For other words, it returns "".
func fieldWord(word string, endings ...string) string {
	if word == "seed" {
		return "" // not a form of see
	}
	for _, ending := range endings {
		stem, ok := strings.CutSuffix(word, ending)
		if !ok {
			continue
		}
		if better, out := outgoing[stem]; out {
			return better
		}
		if better, out := outgoing[stem+"e"]; out && ending == "ing" {
			return better
		}
	}
	return ""
}

var (
	inNames = []string{"", "s", "d", "es", "ed", "ing"}
	inProse = []string{"", "s", "d"} // other forms, such as "looked at", are plain English
)

// A file is a Go file of the module.
type file struct {
	path, pkg string
	ast       *ast.File
	fset      *token.FileSet
}

// files returns the Go files of the module, either the tests or all others.
func files(t *testing.T, tests bool) []file {
	t.Helper()
	var out []file
	for _, f := range parsed() {
		if strings.HasSuffix(f.path, "_test.go") == tests {
			out = append(out, f)
		}
	}
	if len(out) < 200 {
		t.Errorf("%d Go files found", len(out))
	}
	return out
}

// parsed contains all Go files of the module.
var parsed = sync.OnceValue(func() (out []file) {
	vectors.Check(filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != "../.." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "runs") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err == nil {
			out = append(out, file{path, f.Name.Name, f, fset})
		}
		return err
	}))
	return out
})

// camel splits an identifier into its words, in lower case.
func camel(name string) (words []string) {
	start := 0
	runes := []rune(name)
	for i := 1; i <= len(runes); i++ {
		boundary := i == len(runes) || runes[i] == '.' || runes[i] == '_' ||
			unicode.IsUpper(runes[i]) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if boundary {
			words = append(words, strings.ToLower(strings.Trim(string(runes[start:i]), "._")))
			start = i
		}
	}
	return words
}

var plain = regexp.MustCompile(`[A-Za-z]+`)

// reference matches a reference to another declaration, such as "see [Name]".
var reference = regexp.MustCompile(`\b[Ss]ee (\[|package |section )`)

// first returns the first sentence of a doc comment, without references.
func first(doc string) string {
	sentence, _, _ := strings.Cut(strings.ReplaceAll(doc, "\n", " "), ". ")
	return reference.ReplaceAllString(sentence, "")
}

// TestWords checks outside tests that the documentation of exported functions and types uses the
// terms of docs/design.md in its first sentence, and that no comment "tells whether".
func TestWords(t *testing.T) {
	for _, f := range files(t, false) {
		documented := func(name *ast.Ident, doc *ast.CommentGroup) {
			for _, w := range plain.FindAllString(first(doc.Text()), -1) {
				if better := fieldWord(strings.ToLower(w), inProse...); better != "" && name.IsExported() && f.pkg != "main" {
					t.Errorf("%s: %s: %q in its first sentence; the field says %s", f.fset.Position(name.Pos()), name.Name, w, better)
				}
			}
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.FuncDecl:
				documented(x.Name, x.Doc)
			case *ast.GenDecl:
				if s, ok := x.Specs[0].(*ast.TypeSpec); ok {
					documented(s.Name, x.Doc)
				}
			case *ast.CommentGroup:
				if strings.Contains(strings.ReplaceAll(x.Text(), "\n", " "), "tells whether") {
					t.Errorf("%s: \"tells whether\"; write \"reports whether\"", f.fset.Position(x.Pos()))
				}
			}
			return true
		})
	}
}

// declared calls a function for every name that f declares, exported or not: imports, types,
// functions, parameters, fields, methods, constants and variables.
func (f file) declared(visit func(*ast.Ident)) {
	all := func(names ...*ast.Ident) {
		for _, n := range names {
			if n != nil {
				visit(n)
			}
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.ImportSpec:
			all(x.Name)
		case *ast.FuncDecl:
			all(x.Name)
		case *ast.TypeSpec:
			all(x.Name)
		case *ast.Field: // receivers, parameters, results, and the fields of structs and interfaces
			all(x.Names...)
		case *ast.ValueSpec:
			all(x.Names...)
		case *ast.LabeledStmt:
			all(x.Label)
		case *ast.AssignStmt:
			for _, e := range x.Lhs {
				if id, ok := e.(*ast.Ident); ok && x.Tok == token.DEFINE {
					all(id)
				}
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{x.Key, x.Value} {
				if id, ok := e.(*ast.Ident); ok && x.Tok == token.DEFINE {
					all(id)
				}
			}
		}
		return true
	})
}

// TestNames checks that no name in the module and no file name contains an outgoing word. The check
// includes tests and unexported names, but not struct tags, because users know the keys.
func TestNames(t *testing.T) {
	count := 0
	for _, f := range parsed() {
		f.declared(func(id *ast.Ident) {
			count++
			for _, w := range camel(id.Name) {
				if better := fieldWord(w, inNames...); better != "" {
					t.Errorf("%s: %s: %q; the field says %s", f.fset.Position(id.Pos()), id.Name, w, better)
				}
			}
		})
	}
	if count < 20000 {
		t.Errorf("%d names found", count)
	}
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		name := d.Name()
		if err != nil || d.IsDir() && path != "../.." && (strings.HasPrefix(name, ".") || name == "runs") {
			return cmp.Or(err, filepath.SkipDir)
		}
		for _, w := range camel(strings.ReplaceAll(strings.TrimSuffix(name, filepath.Ext(name)), "-", "_")) {
			if better := fieldWord(w, inNames...); better != "" {
				t.Errorf("%s: %q; the field says %s", path, w, better)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// goName matches a Go name on a page: a package and an exported name.
var goName = regexp.MustCompile("`([a-z0-9]+\\.[A-Z][A-Za-z0-9.]*)`")

// TestPagesNames checks that the Go names on pages exist, and that there are many of them.
func TestPagesNames(t *testing.T) {
	known := map[string]bool{}
	for _, f := range files(t, false) {
		f.declared(func(id *ast.Ident) { known[f.pkg+"."+id.Name] = true })
	}
	count := 0
	for _, p := range pages(t) {
		for _, m := range goName.FindAllStringSubmatch(p.text, -1) {
			count++
			pkg, names, _ := strings.Cut(m[1], ".")
			for name := range strings.SplitSeq(names, ".") { // a type and its method or field
				if !known[pkg+"."+name] {
					t.Errorf("%s names %s, which does not exist", p.path, m[1])
				}
			}
		}
	}
	if count < 30 {
		t.Errorf("%d Go names on pages, want at least 30", count)
	}
}

// unplain matches words that native writers rarely use.
var unplain = regexp.MustCompile(`(?i)\b(told apart|whoever|somebody|nobody|anybody|(is|are) told|work(ed|s) out)\b`)

// exempt matches places in which such a word is a name.
var exempt = regexp.MustCompile(`\bNobody\b|--agent nobody`) // game.Nobody, and the name of an agent that does not exist

// TestPlainEnglish checks that the project's code, pages and scripts do not use these words.
// Results, the changelog and this file are exempt.
func TestPlainEnglish(t *testing.T) {
	if !unplain.MatchString("what the player is told") || unplain.MatchString(exempt.ReplaceAllString("game.Nobody", "")) {
		t.Fatal("the pattern finds nothing, or a name")
	}
	read := 0
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != "../.." && (strings.HasPrefix(name, ".") || name == "runs" || name == "results" || name == "golden") {
			return filepath.SkipDir
		}
		switch filepath.Ext(path) {
		case ".go", ".md", ".html", ".js", ".css", ".py", ".tmpl", ".txtar", ".ipynb":
		default:
			return nil
		}
		if name == "CHANGELOG.md" || name == "words_test.go" {
			return nil
		}
		text, err := os.ReadFile(path)
		read++
		for i, line := range strings.Split(string(text), "\n") {
			if word := unplain.FindString(line); word != "" && unplain.MatchString(exempt.ReplaceAllString(line, "")) {
				t.Errorf("%s:%d: %q: name the actor, or what is done", path, i+1, word)
			}
		}
		return err
	})
	if err != nil || read < 500 {
		t.Errorf("%d files read, %v", read, err)
	}
}
