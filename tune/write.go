package tune

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"plyfit/internal/atomicfile"
)

// writers write weights, by the ending of the file's name.
var writers = map[string]func(w io.Writer, f *Result, name string) error{
	".json": writeJSON, ".csv": writeCSV, ".txt": writeText,
	".c": writeC, ".h": writeC, ".cpp": writeCPP, ".hpp": writeCPP, ".rs": writeRust, ".go": writeGo,
}

// CheckOutput finds what cannot be written: a file whose ending names no format, or a
// name that is no identifier.
func CheckOutput(path, name string) error {
	if _, err := atomicfile.ByEnding(path, writers); err != nil {
		return err
	}
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || strings.TrimLeft(name, "0123456789_") != name {
		return fmt.Errorf("name %q: want small letters, digits and underscores, a letter first", name)
	}
	return nil
}

// Write writes the weights in the order of the table's columns, in the format of
// path's ending; name is the prefix of what is declared, so that two lists live in one
// program.
func (f *Result) Write(w io.Writer, path, name string) error {
	if err := CheckOutput(path, name); err != nil {
		return err
	}
	write, err := atomicfile.ByEnding(path, writers)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	if err := write(out, f, name); err != nil {
		return err
	}
	return out.Flush()
}

// about says what the weights are, one line each.
func (f *Result) about() []string {
	o, loss := &f.Options, "the cross-entropy"
	if o.Squared {
		loss = "the squared error"
	}
	lines := []string{
		fmt.Sprintf("Weights of %d columns, made by plyfit from %d rows with SHA-256", len(f.Table.Columns), f.Table.Len()),
		f.Table.Digest + ".",
		fmt.Sprintf("They minimise %s of the share of the point, 1/(1+exp(-%v*z)),", loss, o.Scale),
	}
	if f.Weights.Tapered {
		return append(lines, fmt.Sprintf("z being the sum of x*(p*mg + (1-p)*eg), p = %s/%v.", oneLine(f.Table.Layout.Phase), f.Table.Layout.PhaseMax))
	}
	return append(lines, "z being the sum of x*weight.")
}

// oneLine is a name that cannot end a comment, or a line of one.
func oneLine(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "*/", "* /")
}

func (f *Result) number(x float64) string {
	if f.Options.Integers { // but for what is frozen, whole numbers
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// whole reports whether weights are declared as whole numbers.
func (f *Result) whole() bool { return f.Options.Integers && f.Weights.whole() }

// float is a number that C, C++, Rust and Go take for one with a fraction.
func (f *Result) float(x float64) string {
	text := f.number(x)
	if !f.whole() && !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

func writeText(w io.Writer, f *Result, _ string) error {
	for _, c := range f.Weights.Columns {
		line := c.Name + " " + f.number(c.Middlegame)
		if f.Weights.Tapered {
			line += " " + f.number(c.Endgame)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

func writeCSV(w io.Writer, f *Result, _ string) error {
	for _, line := range f.about() {
		fmt.Fprintf(w, "# %s\n", line)
	}
	out := csv.NewWriter(w)
	if f.Weights.Tapered {
		out.Write([]string{"name", "mg", "eg"})
	} else {
		out.Write([]string{"name", "weight"})
	}
	for _, c := range f.Weights.Columns {
		row := []string{c.Name, f.number(c.Middlegame)}
		if f.Weights.Tapered {
			row = append(row, f.number(c.Endgame))
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}

func writeJSON(w io.Writer, f *Result, _ string) error {
	file := weightsFile{Format: Format, Scale: f.Options.Scale, Data: f.Table.Digest, HeldOut: f.Report.HeldOutLoss}
	if f.Rounded != nil {
		file.HeldOut = f.Rounded.HeldOut
	}
	if f.Weights.Tapered {
		file.Phase, file.Max = f.Table.Layout.Phase, f.Table.Layout.PhaseMax
	}
	file.Columns = f.Weights.json()
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	return out.Encode(&file)
}

// json are the weights as JSON has them.
func (w *Weights) json() []weightJSON {
	var out []weightJSON
	for _, c := range w.Columns {
		if w.Tapered {
			out = append(out, weightJSON{Name: c.Name, MG: &c.Middlegame, EG: &c.Endgame})
			continue
		}
		out = append(out, weightJSON{Name: c.Name, Weight: &c.Middlegame})
	}
	return out
}

// source is how a language declares a list of weights.
type source struct {
	comment    string // begins a line of comment
	open       string // before the rows
	row, pair  string // a row, with its name in a comment after it
	close      string
	whole, not string // the type of whole numbers, and of others
}

// write writes the weights in a language.
func (l source) write(w io.Writer, f *Result, replace ...string) error {
	kind, width := l.not, ""
	if f.whole() {
		kind = l.whole
	}
	if f.Weights.Tapered {
		width = "[2]"
	}
	n := strconv.Itoa(len(f.Weights.Columns))
	in := strings.NewReplacer(append(slices.Clone(replace), "TYPE", kind, "COUNT", n, "WIDTH", width)...)
	for _, line := range f.about() {
		fmt.Fprintf(w, "%s %s\n", l.comment, line)
	}
	io.WriteString(w, in.Replace(l.open))
	for _, c := range f.Weights.Columns {
		name := oneLine(c.Name)
		if f.Weights.Tapered {
			fmt.Fprintf(w, l.pair, f.float(c.Middlegame), f.float(c.Endgame), name)
		} else {
			fmt.Fprintf(w, l.row, f.float(c.Middlegame), name)
		}
	}
	_, err := io.WriteString(w, in.Replace(l.close))
	return err
}

func writeC(w io.Writer, f *Result, name string) error {
	return source{
		comment: "//", whole: "int", not: "double",
		open: "#ifndef UPPER_WEIGHTS\n#define UPPER_WEIGHTS COUNT\nstatic const TYPE NAME_weights[COUNT]WIDTH = {\n",
		row:  "\t%s, // %s\n", pair: "\t{%s, %s}, // %s\n", close: "};\n#endif\n",
	}.write(w, f, "UPPER", strings.ToUpper(name), "NAME", name)
}

func writeCPP(w io.Writer, f *Result, name string) error {
	return source{
		comment: "//", whole: "int", not: "double",
		open: "#pragma once\nnamespace NAME {\ninline constexpr TYPE weights[COUNT]WIDTH = {\n",
		row:  "\t%s, // %s\n", pair: "\t{%s, %s}, // %s\n", close: "};\n}\n",
	}.write(w, f, "NAME", name)
}

func writeRust(w io.Writer, f *Result, name string) error {
	element := "TYPE"
	if f.Weights.Tapered {
		element = "[TYPE; 2]"
	}
	l := source{
		comment: "//", whole: "i32", not: "f64",
		row: "    %s, // %s\n", pair: "    [%s, %s], // %s\n", close: "];\n",
	}
	l.open = "pub const UPPER_WEIGHTS: [" + element + "; COUNT] = [\n"
	return l.write(w, f, "UPPER", strings.ToUpper(name))
}

func writeGo(w io.Writer, f *Result, name string) error {
	return source{
		comment: "//", whole: "int", not: "float64",
		open: "\npackage NAME\n\n// Weights are those of the columns, in their order.\nvar Weights = [COUNT]WIDTHTYPE{\n",
		row:  "\t%s, // %s\n", pair: "\t{%s, %s}, // %s\n", close: "}\n",
	}.write(w, f, "NAME", name)
}
