package models

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"plyfit/internal/disk"
)

// weightsFormats maps file extensions to functions that write weights. The parameter name is the
// prefix of the declared identifiers.
var weightsFormats = map[string]func(w *Weights, out io.Writer, name string) error{
	".json": (*Weights).json, ".csv": (*Weights).csv, ".txt": (*Weights).text,
	".c": sourceOf("c"), ".h": sourceOf("c"), ".cpp": sourceOf("cpp"), ".hpp": sourceOf("cpp"), ".rs": sourceOf("rs"), ".go": sourceOf("go"),
}

// sourceColumns is the data of the templates for weights.
type sourceColumns struct {
	*Weights
	Name, Upper string
}

// sourceOf returns a function that writes weights with the template of a language.
func sourceOf(language string) func(w *Weights, out io.Writer, name string) error {
	return func(w *Weights, out io.Writer, name string) error {
		return sourceTemplates.ExecuteTemplate(out, "weights."+language+".tmpl", sourceColumns{w, name, strings.ToUpper(name)})
	}
}

// Type returns its first parameter if all weights are integers, and otherwise its second.
func (s sourceColumns) Type(whole, other string) string {
	if s.whole() {
		return whole
	}
	return other
}

// Float formats a number so that C, C++, Rust and Go read it as a floating-point number, unless all
// weights are integers.
func (s sourceColumns) Float(x float64) string {
	text := s.number(x)
	if !s.whole() && !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// About returns a description of the weights, one string per line.
func (s sourceColumns) About() []string { return s.about() }

// CheckWeights returns an error if path has an extension that does not correspond to a weight
// format, or if name is not a valid identifier.
func CheckWeights(path, name string) error {
	if _, err := disk.ByEnding(path, weightsFormats); err != nil {
		return err
	}
	if !isIdentifier(name) {
		return fmt.Errorf("name %q: want lower-case letters, digits and underscores, beginning with a letter", name)
	}
	return nil
}

// Write writes the weights in the format selected by the extension of path. The parameter name is
// the prefix of all declared identifiers, so that a program can use several sets of weights.
func (w *Weights) Write(out io.Writer, path, name string) error {
	if err := CheckWeights(path, name); err != nil {
		return err
	}
	write, err := disk.ByEnding(path, weightsFormats)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(out)
	if err := write(w, buffered, name); err != nil {
		return err
	}
	return buffered.Flush()
}

// about returns a description of the weights, one string per line.
func (w *Weights) about() []string {
	loss := "the cross-entropy"
	if w.Squared {
		loss = "the squared error"
	}
	if w.Rows == 0 {
		return []string{fmt.Sprintf("Weights of %d columns.", len(w.Columns))}
	}
	lines := []string{
		fmt.Sprintf("Weights of %d columns, made by plyfit from %d rows with SHA-256", len(w.Columns), w.Rows),
		w.Data + ".",
		fmt.Sprintf("They minimise %s of the share of the point, 1/(1+exp(-%v*z)),", loss, w.Scale),
	}
	if w.Tapered {
		return append(lines, fmt.Sprintf("where z is the sum of x*(p*mg + (1-p)*eg) and p = %s/%v.", commented(w.Phase), w.PhaseMax))
	}
	return append(lines, "where z is the sum of x*weight.")
}

// commented returns s as a single line that cannot close a comment.
func commented(s string) string { return strings.ReplaceAll(oneLine(s), "*/", "* /") }

func (w *Weights) number(x float64) string {
	if w.Integers { // integers, except for frozen weights
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return number(x)
}

// whole reports whether the weights can be declared as integers.
func (w *Weights) whole() bool {
	return w.Integers && !slices.ContainsFunc(w.Columns, func(c Weight) bool {
		return c.Middlegame != math.Trunc(c.Middlegame) || c.Endgame != math.Trunc(c.Endgame)
	})
}

func (w *Weights) text(out io.Writer, _ string) error {
	for _, c := range w.Columns {
		line := c.Name + " " + w.number(c.Middlegame)
		if w.Tapered {
			line += " " + w.number(c.Endgame)
		}
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}

func (w *Weights) csv(out io.Writer, _ string) error {
	for _, line := range w.about() {
		if w.Rows > 0 { // some programs expect the header on the first line
			fmt.Fprintf(out, "# %s\n", line)
		}
	}
	table := csv.NewWriter(out)
	if w.Tapered {
		table.Write([]string{"name", "mg", "eg"})
	} else {
		table.Write([]string{"name", "weight"})
	}
	for _, c := range w.Columns {
		row := []string{c.Name, w.number(c.Middlegame)}
		if w.Tapered {
			row = append(row, w.number(c.Endgame))
		}
		table.Write(row)
	}
	table.Flush()
	return table.Error()
}

func (w *Weights) json(out io.Writer, _ string) error {
	file := weightsFile{Format: weightsFormat, Scale: w.Scale, Data: w.Data, HeldOut: w.HeldOut, Columns: w.JSON()}
	if w.Tapered {
		file.Phase, file.Max = w.Phase, w.PhaseMax
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(&file)
}

// JSON returns the weights in their JSON representation.
func (w *Weights) JSON() []WeightJSON {
	var out []WeightJSON
	for _, c := range w.Columns {
		if w.Tapered {
			out = append(out, WeightJSON{Name: c.Name, MG: &c.Middlegame, EG: &c.Endgame})
			continue
		}
		out = append(out, WeightJSON{Name: c.Name, Weight: &c.Middlegame})
	}
	return out
}
