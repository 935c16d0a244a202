package models

import (
	"embed"
	"fmt"
	"io"
	"strings"
	"text/template"
)

//go:embed source
var sources embed.FS

// sourceTemplates are the source files that exports write, by language.
var sourceTemplates = template.Must(template.New("").
	Funcs(template.FuncMap{"commented": commented, "quoteC": quoteC, "numberC": numberC}).
	ParseFS(sources, "source/*.tmpl"))

// sourceModel is what the templates of models read.
type sourceModel struct {
	Name, Upper           string
	About                 []string
	Link                  LinkKind
	Leaves                Leaves
	Bias, Scale, Min, Max string
	Features              []sourceFeature // in the order of x
	Nothing               []sourceFeature // an array of C needs a member, even without features
}

type sourceFeature struct{ Name, Weight string }

func (e *Export) source(w io.Writer, name string) error {
	if err := e.check(sourceWeights); err != nil {
		return err
	}
	m := e.Model
	s := sourceModel{
		Name: e.name(), Upper: strings.ToUpper(e.name()), About: append(e.about(), exact()), Link: m.Link.kind(), Leaves: e.leaves(),
		Bias: number(m.Bias), Scale: number(m.Link.scale()), Min: number(e.Min), Max: number(e.Max), Nothing: []sourceFeature{{"", "0"}},
	}
	m.features(true, func(_ int32, name string, weight, _ float64) {
		s.Features = append(s.Features, sourceFeature{name, number(weight)})
	})
	return sourceTemplates.ExecuteTemplate(w, name, &s)
}

// Go writes a Go source file that compiles alone: a package with the features'
// names and weights, Eval over a dense vector and EvalSparse over pairs.
func (e *Export) Go(w io.Writer) error { return e.source(w, "model.go.tmpl") }

// C writes a C header (C99 or C++) without dependencies but math.h: arrays of
// names and weights, NAME_eval over a dense vector, NAME_eval_sparse over pairs.
func (e *Export) C(w io.Writer) error { return e.source(w, "model.h.tmpl") }

// numberC returns a number as a literal of C's type double.
func numberC(s string) string {
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	if s[0] == '-' {
		s = "(" + s + ")"
	}
	return s
}

// quoteC is a string literal of C: what is not plain ASCII, and the question
// mark that could begin a trigraph, by three octal digits a byte.
func quoteC(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c < ' ' || c > '~' || c == '?':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	return `"` + b.String() + `"`
}
