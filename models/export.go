package models

import (
	"cmp"
	"embed"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/template"
)

// Export writes a model for other programs. In all of them a position is the vector x of the set's
// features, in the set's order and view; with z = bias + sum of w_i x_i the value is link(z). That
// is player 0's in his own view; in the view of player 1 of a zero-sum game, player 0's is
// link(bias - sum of w_i x_i).
type Export struct {
	Model    *Linear
	Min, Max float64 // of the game's utilities, which the link spans; not used by Identity
	// Name is the package of Go and the prefix of C, an identifier of small
	// letters, digits and underscores; "" is "evaluation".
	Name string
}

// ExportFormats write models, by the ending of the file's name.
var ExportFormats = map[string]func(e *Export, w io.Writer) error{
	".json": (*Export).JSON, ".csv": (*Export).CSV, ".go": (*Export).Go, ".c": (*Export).C, ".h": (*Export).C,
}

// tolerance is how far what is exported may differ from the evaluator here:
// tolerance * max(1, |value|).
const tolerance = 1e-9

// sourceWeights is how many weights compilers still take in a source file.
const sourceWeights = 1 << 20

// check finds what no export can hold.
func (e *Export) check(most int) error {
	m := e.Model
	if m.Len() > most {
		return fmt.Errorf("model of %s: %d weights: want at most %d in this format", m.Game, m.Len(), most)
	}
	if m.Link.kind() != Identity && !(e.Max-e.Min < math.Inf(1) && e.Min < e.Max) {
		return fmt.Errorf("model of %s: link %s: want finite bounds of the game's utilities, found %v and %v", m.Game, m.Link.Kind, e.Min, e.Max)
	}
	for i := Bias; i < int32(m.Len()); i++ {
		if w := m.Weight(i); w-w != 0 {
			return fmt.Errorf("model of %s: weight of %q: want a finite number, found %v", m.Game, m.Name(i), w)
		}
	}
	if e.Name != "" && !isIdentifier(e.Name) {
		return fmt.Errorf("export name %q: want small letters, digits and underscores, a letter first", e.Name)
	}
	return nil
}

// isIdentifier reports whether a name begins with a small letter and goes on with such,
// digits and underscores.
func isIdentifier(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == "" && strings.TrimLeft(name, "0123456789_") == name
}

func (e *Export) name() string { return cmp.Or(e.Name, "evaluation") }

// leaves says which positions the model evaluates.
func (e *Export) leaves() Leaves { return cmp.Or(e.Model.Leaves, Decision) }

// formula is the value in words.
func (e *Export) formula() string {
	l := e.Model.Link
	switch l.kind() {
	case Logistic:
		return fmt.Sprintf("value = %v + %v/(1+exp(-%v*z))", e.Min, e.Max-e.Min, l.scale())
	case Tanh:
		return fmt.Sprintf("value = %v + %v*tanh(%v*z)", (e.Min+e.Max)/2, (e.Max-e.Min)/2, l.scale())
	}
	return "value = z"
}

// about are lines that say what an export is.
func (e *Export) about() []string {
	m := e.Model
	digest := "a model with a weight that is no number"
	if d, err := m.File().Digest(); err == nil {
		digest = d
	}
	evaluated := []string{"It judges decisions: positions in which a player is to move (leaves=decision)."}
	if e.leaves() == Afterstate {
		evaluated = []string{
			"It judges afterstates: positions right after a move, before nature answers",
			"(leaves=afterstate), seen by the player who moved. A position in which a player is",
			"to move has another value: that of the best of its afterstates.",
		}
	}
	return append([]string{
		fmt.Sprintf("An evaluation of %s over the features %s, made by plyfit.", oneLine(m.Game), oneLine(m.Features)),
		"Model " + digest + ".",
		"z = bias + sum of weight*x; " + e.formula() + ".",
		"x is seen by the player to move (at chance nodes by the one who moved) and the",
		"value is player 0's where that is player 0; where it is player 1 of a zero-sum",
		"game, player 0's value is that of z = bias - sum of weight*x.",
	}, evaluated...)
}

// exact says how well the exports agree.
func exact() string {
	return fmt.Sprintf("Agrees with plyfit's own evaluator to %v*max(1,|value|).", tolerance)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// features calls f for every feature in order; with zeros for those of tables that weigh
// nothing, too.
func (m *Linear) features(zeros bool, f func(i int32, name string, weight, stdErr float64)) {
	i := int32(0)
	for _, b := range m.Blocks {
		for k := 0; k < b.Len; k, i = k+1, i+1 {
			w, se := m.Weight(i), math.NaN()
			if b.Table && w == 0 && !zeros {
				continue
			}
			if !b.Table && m.Errors != nil {
				se = m.Errors[i]
			}
			f(i, b.FeatureName(k), w, se)
		}
	}
}

// CSV writes index, name, weight and standard error, the bias first under index -1, after header
// lines that begin with #. Zero weights of tables are omitted.
func (e *Export) CSV(w io.Writer) error {
	if err := e.check(math.MaxInt32); err != nil {
		return err
	}
	for _, line := range append(e.about(), exact()) {
		if _, err := fmt.Fprintf(w, "# %s\n", line); err != nil {
			return err
		}
	}
	out := csv.NewWriter(w)
	out.Write([]string{"index", "name", "weight", "standard_error"})
	row := func(i int32, name string, weight, se float64) {
		text := ""
		if se == se {
			text = number(se)
		}
		out.Write([]string{strconv.Itoa(int(i)), name, number(weight), text})
	}
	biasError := e.Model.BiasError
	if e.Model.Errors == nil {
		biasError = math.NaN()
	}
	row(Bias, "bias", e.Model.Bias, biasError)
	e.Model.features(false, row)
	out.Flush()
	return out.Error()
}

// JSON writes the evaluation without dependence on other files: indices, names and weights, the
// link with its bounds, and the tolerance. Zero weights of tables are omitted. [Load] and [Read]
// read it as the original model file, without pattern tables and provenance. (A model file,
// File.Bytes, is JSON too, but names what it needs of plyfit.)
func (e *Export) JSON(w io.Writer) error {
	if err := e.check(math.MaxInt32); err != nil {
		return err
	}
	m := e.Model
	var err error
	print := func(format string, args ...any) {
		if err == nil {
			_, err = fmt.Fprintf(w, format, args...)
		}
	}
	print("{\n \"format\": \"%s\",\n \"about\": %s,\n", exportFormat, quote(strings.Join(e.about(), " ")))
	print(" \"tolerance\": %s,\n \"game\": %s,\n \"features\": %s,\n", number(tolerance), quote(m.Game), quote(m.Features))
	print(" \"link\": %s,\n", quote(string(m.Link.kind())))
	if m.Link.kind() != Identity {
		print(" \"scale\": %s,\n \"min\": %s,\n \"max\": %s,\n", number(m.Link.scale()), number(e.Min), number(e.Max))
	}
	if r := m.Range; r != nil {
		print(" \"range\": [%s, %s],\n", number(r.Min), number(r.Max))
	}
	print(" \"leaves\": %s,\n \"length\": %d,\n \"bias\": %s,\n \"weights\": [", quote(string(e.leaves())), m.Len(), number(m.Bias))
	comma := ""
	m.features(false, func(i int32, name string, weight, se float64) {
		print("%s\n  {\"index\": %d, \"name\": %s, \"weight\": %s", comma, i, quote(name), number(weight))
		if se == se {
			print(", \"se\": %s", number(se))
		}
		print("}")
		comma = ","
	})
	print("\n ]\n}\n")
	return err
}

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
