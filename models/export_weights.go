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

// weightsFormats write weights by column, by file extension; name prefixes what is declared.
var weightsFormats = map[string]func(w *Weights, out io.Writer, name string) error{
	".json": (*Weights).json, ".csv": (*Weights).csv, ".txt": (*Weights).text,
	".c": sourceOf("c"), ".h": sourceOf("c"), ".cpp": sourceOf("cpp"), ".hpp": sourceOf("cpp"), ".rs": sourceOf("rs"), ".go": sourceOf("go"),
}

// sourceColumns is what the templates of weights read.
type sourceColumns struct {
	*Weights
	Name, Upper string
}

// sourceOf returns the writer of a language, which has a template.
func sourceOf(language string) func(w *Weights, out io.Writer, name string) error {
	return func(w *Weights, out io.Writer, name string) error {
		return sourceTemplates.ExecuteTemplate(out, "weights."+language+".tmpl", sourceColumns{w, name, strings.ToUpper(name)})
	}
}

// Type returns which of a language's types the weights have: of whole numbers, or of others.
func (s sourceColumns) Type(whole, other string) string {
	if s.whole() {
		return whole
	}
	return other
}

// Float is a number that C, C++, Rust and Go read as one with a fraction, unless all are whole.
func (s sourceColumns) Float(x float64) string {
	text := s.number(x)
	if !s.whole() && !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// About says what the weights are, one line each.
func (s sourceColumns) About() []string { return s.about() }

// CheckWeights finds what weights by column cannot be written to: a file whose ending
// names no format, or under a name that is no identifier.
func CheckWeights(path, name string) error {
	if _, err := disk.ByEnding(path, weightsFormats); err != nil {
		return err
	}
	if !isIdentifier(name) {
		return fmt.Errorf("name %q: want small letters, digits and underscores, a letter first", name)
	}
	return nil
}

// Write writes the weights in their order, in the format of path's ending; name is the
// prefix of what is declared, so that two lists live in one program.
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

// about says what the weights are, one line each.
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
		return append(lines, fmt.Sprintf("z being the sum of x*(p*mg + (1-p)*eg), p = %s/%v.", commented(w.Phase), w.PhaseMax))
	}
	return append(lines, "z being the sum of x*weight.")
}

// commented is a name that cannot end a comment, or a line of one.
func commented(s string) string { return strings.ReplaceAll(oneLine(s), "*/", "* /") }

func (w *Weights) number(x float64) string {
	if w.Integers { // but for what is frozen, whole numbers
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return number(x)
}

// whole reports whether weights are declared as whole numbers.
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
		if w.Rows > 0 { // of others readers want the header first
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

// JSON are the weights by column as JSON has them.
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
