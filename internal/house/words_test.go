package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// outgoing are the words that docs/glossary.md replaces by the field's.
var outgoing = map[string]string{
	"look": "search, probe or node", "looks": "search, probe or node", "judge": "evaluator, evaluate", "judges": "evaluator, evaluate",
	"see": "what the method does", "sees": "what the method does", "settle": "decide", "settles": "decide", "settled": "decided",
	"mature": "complete", "matured": "complete", "grown": "expanded", "pursue": "follow", "pursues": "follow",
	"tip": "leaf", "glance": "probe", "fringe": "frontier", "wish": "request", "verdict": "decision, finding",
	"favourite": "best child", "hero": "learner", "pupil": "learner", "course": "learning curve", "stroll": "random walk",
	"taste": "risk preference", "gamble": "lottery", "exam": "evaluation", "pen": "writer", "eye": "view", "eyes": "view",
	"sight": "view", "lesson": "bootstrapping",
}

// file is a Go file of the module that is no test.
type file struct {
	path, pkg string
	ast       *ast.File
	fset      *token.FileSet
}

// files are all Go files of the module but tests and generated ones.
func files(t *testing.T) []file {
	t.Helper()
	var out []file
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != "../.." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "runs") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		out = append(out, file{path, f.Name.Name, f, fset})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 200 {
		t.Errorf("%d Go files found", len(out))
	}
	return out
}

// named is a declaration that others can read: its name, documentation and
// parameters.
type named struct {
	name   string // Type.Method for methods and fields
	doc    string
	params []string
	at     token.Pos
}

// exported calls visit for every exported declaration of f, fields and methods of
// interfaces included.
func (f file) exported(visit func(named)) {
	for _, decl := range f.ast.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if !d.Name.IsExported() {
				continue
			}
			name := d.Name.Name
			if d.Recv != nil {
				name = receiver(d.Recv.List[0].Type) + "." + name
			}
			visit(named{name, d.Doc.Text(), parameters(d.Type), d.Pos()})
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				doc := d.Doc.Text()
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if !s.Name.IsExported() {
						continue
					}
					if s.Doc != nil {
						doc = s.Doc.Text()
					}
					visit(named{s.Name.Name, doc, nil, s.Pos()})
					members(s, visit)
				case *ast.ValueSpec:
					if s.Doc != nil {
						doc = s.Doc.Text()
					}
					for _, n := range s.Names {
						if n.IsExported() {
							visit(named{n.Name, doc, nil, n.Pos()})
						}
					}
				}
			}
		}
	}
}

// members visits the exported fields or methods of a type.
func members(s *ast.TypeSpec, visit func(named)) {
	var list *ast.FieldList
	switch x := s.Type.(type) {
	case *ast.StructType:
		list = x.Fields
	case *ast.InterfaceType:
		list = x.Methods
	default:
		return
	}
	for _, field := range list.List {
		var params []string
		if fn, ok := field.Type.(*ast.FuncType); ok {
			params = parameters(fn)
		}
		for _, n := range field.Names {
			if n.IsExported() {
				visit(named{s.Name.Name + "." + n.Name, field.Doc.Text() + field.Comment.Text(), params, n.Pos()})
			}
		}
	}
}

func receiver(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

func parameters(fn *ast.FuncType) (names []string) {
	for _, list := range []*ast.FieldList{fn.Params, fn.Results} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, n := range field.Names {
				names = append(names, n.Name)
			}
		}
	}
	return names
}

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

// reference points to another declaration: "see [Name]".
var reference = regexp.MustCompile(`\b[Ss]ee (\[|package |section )`)

// first is the first sentence of a doc comment, without references.
func first(doc string) string {
	sentence, _, _ := strings.Cut(strings.ReplaceAll(doc, "\n", " "), ". ")
	return reference.ReplaceAllString(sentence, "")
}

// TestWords checks that exported names, their parameters and the first sentences of
// their documentation use the words of docs/glossary.md, and that no comment "tells
// whether".
func TestWords(t *testing.T) {
	for _, f := range files(t) {
		if f.pkg == "main" {
			continue
		}
		f.exported(func(n named) {
			report := func(where, word string) {
				if better, out := outgoing[word]; out {
					t.Errorf("%s: %s: %q in its %s; the field says %s", f.fset.Position(n.at), n.name, word, where, better)
				}
			}
			for _, w := range camel(n.name) {
				report("name", w)
			}
			for _, p := range n.params {
				for _, w := range camel(p) {
					report("parameters", w)
				}
			}
			for _, w := range plain.FindAllString(first(n.doc), -1) {
				report("first sentence", strings.ToLower(w))
			}
		})
		for _, group := range f.ast.Comments {
			if strings.Contains(strings.ReplaceAll(group.Text(), "\n", " "), "tells whether") {
				t.Errorf("%s: \"tells whether\"; write \"reports whether\"", f.fset.Position(group.Pos()))
			}
		}
	}
}

// goName is a name as pages write it: a package and what it exports.
var goName = regexp.MustCompile("`([a-z0-9]+\\.[A-Z][A-Za-z0-9.]*)`")

// TestPagesNames checks that every Go name on a page exists, and that the glossary
// has many.
func TestPagesNames(t *testing.T) {
	known := map[string]bool{}
	for _, f := range files(t) {
		f.exported(func(n named) { known[f.pkg+"."+n.name] = true })
	}
	count := 0
	for _, p := range pages(t) {
		for _, m := range goName.FindAllStringSubmatch(p.text, -1) {
			if strings.HasSuffix(p.path, "glossary.md") {
				count++
			}
			if !known[m[1]] {
				t.Errorf("%s names %s, which does not exist", p.path, m[1])
			}
		}
	}
	if count < 40 {
		t.Errorf("docs/glossary.md has %d Go names, want at least 40", count)
	}
}
