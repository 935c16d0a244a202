package models

import (
	"cmp"
	"embed"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"hash/adler32"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"plyfit/internal/disk"
)

// An Export writes a model for other programs. In all formats, a position is the vector x of the
// features, in the feature set's order and from its point of view. The value of the position is
// link(z) with z = bias + sum of w_i x_i. If x is from player 0's point of view, this is player 0's
// value. If x is from the point of view of player 1 in a zero-sum game, player 0's value is
// link(bias - sum of w_i x_i).
type Export struct {
	Model    *Linear
	Min, Max float64 // bounds of the game's utilities, used by all links except Identity
	// Name is the package name in Go and the prefix in C. It must consist of lower-case letters,
	// digits and underscores and begin with a letter. If it is empty, "evaluation" is used.
	Name string
	// Path is the path of the exported file. It is required by Python and JavaScript if the model has
	// pattern tables: they write the weights of the tables to the same path with the extension
	// .weights, as 32-bit floating-point numbers in little-endian order, without a header.
	Path string
	// Board, if not nil, lets Python and JavaScript evaluate boards of cells.
	Board *Board
}

// A Board describes how the contents of a board's cells select the active weights of a model's
// tables. Package features/tuples creates it.
type Board struct {
	Rows, Columns, Holes int
	Upward               bool   // whether the first row is the lowest one
	States               int    // number of states of a cell; 0 is empty
	Symbols, Legend      string // symbols of the states, and their meaning
	Extra                []int  // number of states of each additional cell after the board
	// Placements lists the placements of each table, and the cells of each placement. The first cell
	// is the most significant digit, in base States, of an index of the table.
	Placements [][][]int
	// Apart reports whether the tables are followed by tables with the same placements for all
	// players other than the first.
	Apart bool
	// Stages is the number of stages of the game that have separate weights in the last table.
	Stages int
	// Opposed reports whether player 1's utility is Total minus player 0's utility.
	Opposed bool
	Total   float64
}

// ExportFormats maps file extensions to the methods that write these formats.
var ExportFormats = map[string]func(e *Export, w io.Writer) error{
	".json": (*Export).JSON, ".csv": (*Export).CSV, ".go": (*Export).Go, ".c": (*Export).C, ".h": (*Export).C,
	".py": (*Export).Python, ".js": (*Export).JavaScript,
}

// tolerance limits the difference between an exported evaluation's values and plyfit's own to
// tolerance * max(1, |value|).
const tolerance = 1e-9

// sourceWeights is the maximum number of weights in a source file, so that compilers can handle it.
const sourceWeights = 1 << 20

// check returns an error if the model cannot be exported, for example because it has more weights
// than the limit most.
func (e *Export) check(most int) error {
	m := e.Model
	if m.Len() > most {
		return fmt.Errorf("model of %s: %d weights: want at most %d in this format", m.Game, m.Len(), most)
	}
	// All links except the identity need bounds.
	if m.Link.kind() != Identity && !(e.Max-e.Min < math.Inf(1) && e.Min < e.Max) {
		return fmt.Errorf("model of %s: link %s: want finite bounds for the game's utilities, found %v and %v", m.Game, m.Link.Kind, e.Min, e.Max)
	}
	for i := Bias; i < int32(m.Len()); i++ {
		if w := m.Weight(i); w-w != 0 {
			return fmt.Errorf("model of %s: weight of %q: want a finite number, found %v", m.Game, m.Name(i), w)
		}
	}
	if e.Name != "" && !isIdentifier(e.Name) {
		return fmt.Errorf("export name %q: want lower-case letters, digits and underscores, beginning with a letter", e.Name)
	}
	return nil
}

// isIdentifier reports whether name consists of lower-case letters, digits and underscores and
// begins with a letter.
func isIdentifier(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == "" && strings.TrimLeft(name, "0123456789_") == name
}

func (e *Export) name() string { return cmp.Or(e.Name, "evaluation") }

// leaves returns the kind of positions that the model evaluates.
func (e *Export) leaves() Leaves { return cmp.Or(e.Model.Leaves, Decision) }

// formula describes the link as a formula.
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

// about returns the lines of the comment at the top of an export.
func (e *Export) about() []string {
	m := e.Model
	digest := "of a model with an invalid weight"
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

// exact describes the accuracy of exports.
func exact() string {
	return fmt.Sprintf("Agrees with plyfit's own evaluator to %v*max(1,|value|).", tolerance)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// features calls the function f for each feature in order. Unless zeros is set, it skips features
// of pattern tables whose weight is 0.
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

// CSV writes the index, name, weight and standard error of each feature. The bias comes first, with
// index -1. Lines of comments begin with #. Table features with weight 0 are omitted.
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

// JSON writes a self-contained description of the evaluation: indices, names and weights, the link
// with its bounds, and the tolerance. Table features with weight 0 are omitted. [Load] and [Read]
// also accept this format, except for pattern tables, and return the model without its fingerprint
// and provenance. By contrast, a model file as returned by File.Bytes refers to feature sets and
// tables outside the file.
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

// sourceTemplates contains the templates of the exported source files.
var sourceTemplates = template.Must(template.New("").
	Funcs(template.FuncMap{"commented": commented, "quote": quote, "quoteC": quoteC, "number": number, "numberC": numberC, "json": json.Marshal}).
	ParseFS(sources, "source/*.tmpl"))

// sourceModel is the data of the templates for models.
type sourceModel struct {
	Name, Upper           string
	About                 []string
	Link                  LinkKind
	Leaves                Leaves
	Bias, Scale, Min, Max string
	Features              []sourceFeature // features in the order of x
	Nothing               []sourceFeature // used if there are no Features, because C has no empty arrays
}

type sourceFeature struct{ Name, Weight string }

// A sourceModule is the data of the templates for Python and JavaScript. Its Features do not
// include the features of tables.
type sourceModule struct {
	*sourceModel
	Tables []sourceTable
	Length int    // number of weights in the tables
	File   string // name of the file with these weights
	Sum    uint32 // Adler-32 checksum of the file
	Board  *Board
}

type sourceTable struct {
	Name       string
	First, Len int // range of features
}

// sourceModel returns the data of the templates without the Features.
func (e *Export) sourceModel() *sourceModel {
	m := e.Model
	return &sourceModel{
		Name: e.name(), Upper: strings.ToUpper(e.name()), About: append(e.about(), exact()), Link: m.Link.kind(), Leaves: e.leaves(),
		Bias: number(m.Bias), Scale: number(m.Link.scale()), Min: number(e.Min), Max: number(e.Max), Nothing: []sourceFeature{{"", "0"}},
	}
}

func (e *Export) source(w io.Writer, name string) error {
	if err := e.check(sourceWeights); err != nil {
		return err
	}
	s := e.sourceModel()
	e.Model.features(true, func(_ int32, name string, weight, _ float64) {
		s.Features = append(s.Features, sourceFeature{name, number(weight)})
	})
	return sourceTemplates.ExecuteTemplate(w, name, s)
}

// Go writes a self-contained Go source file. The package contains the names and weights of the
// features, a function Eval for dense vectors, and a function EvalSparse for sparse vectors of
// indices and values.
func (e *Export) Go(w io.Writer) error { return e.source(w, "model.go.tmpl") }

// C writes a C header for C99 or C++ that depends only on math.h. It contains arrays of names and
// weights, a function NAME_eval for dense vectors, and a function NAME_eval_sparse for sparse
// vectors of indices and values.
func (e *Export) C(w io.Writer) error { return e.source(w, "model.h.tmpl") }

// Python writes a module for Python 3.8 or later that uses only the standard library. The functions
// evaluate and evaluate_sparse correspond to the functions of the Go export. If Board is set,
// evaluate_board evaluates boards of cells.
func (e *Export) Python(w io.Writer) error { return e.module(w, "model.py.tmpl") }

// JavaScript writes an ES module without dependencies, with the same functions as Python writes:
// evaluate, evaluateSparse and evaluateBoard. If the model has pattern tables, programs must first
// pass the contents of their file to the function load.
func (e *Export) JavaScript(w io.Writer) error { return e.module(w, "model.js.tmpl") }

func (e *Export) module(w io.Writer, name string) error {
	if err := e.check(math.MaxInt32); err != nil {
		return err
	}
	m := e.Model
	s := sourceModule{sourceModel: e.sourceModel(), Length: len(m.Table), Board: e.Board}
	for i, weight := range m.Weights {
		s.Features = append(s.Features, sourceFeature{m.Name(int32(i)), number(weight)})
	}
	first := 0
	for _, b := range m.Blocks {
		if b.Table {
			s.Tables = append(s.Tables, sourceTable{b.Name, first, b.Len})
		}
		first += b.Len
	}
	if s.Tables != nil {
		path := tablePath(e.Path)
		if err := e.checkTablePath(path); err != nil {
			return err
		}
		// The module contains the checksum of the tables. If the program is killed before the
		// module is renamed as well, it therefore cannot use the tables of another model.
		sum := adler32.New()
		if err := disk.Write(path, func(w io.Writer) error {
			return binary.Write(io.MultiWriter(w, sum), binary.LittleEndian, m.Table)
		}); err != nil {
			return err
		}
		s.File, s.Sum = filepath.Base(path), sum.Sum32()
	}
	return sourceTemplates.ExecuteTemplate(w, name, &s)
}

// checkTablePath returns an error if the tables cannot be written to path, or if the file at path is
// the table of a model.
func (e *Export) checkTablePath(path string) error {
	if e.Path == "" {
		return fmt.Errorf("model of %s: want the name of a file to write, because the weights of the tables are in a second file", e.Model.Game)
	}
	if path == e.Path {
		return fmt.Errorf("%s: want a name that does not end in .weights", path)
	}
	old, err := disk.Open(path)
	if err != nil {
		return nil // Write reports why the file cannot be written
	}
	defer old.Close()
	head := make([]byte, len(tableMagic))
	if _, err := io.ReadFull(old, head); err == nil && slices.Contains([]string{tableMagic, halvesMagic}, string(head)) {
		return fmt.Errorf("%s: want another name for the export, because this file is the table of a model", path)
	}
	return nil
}

// numberC formats a number as a C literal of type double.
func numberC(s string) string {
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	if s[0] == '-' {
		s = "(" + s + ")"
	}
	return s
}

// quoteC returns s as a C string literal. Non-ASCII bytes, control characters and question marks,
// which could begin a trigraph, become octal escapes.
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
