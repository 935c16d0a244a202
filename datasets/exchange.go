package datasets

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Tables are written here and not by golearn, whose writers round, put names
// over the wrong columns now and then (they go through a map), and do not tell
// when the disk is full.

// WriteCSV writes the samples as a table with a header: episode, weight, kind,
// bias, the features (named by index) and last the label. Every number reads
// back as it was. Rows are not kept in memory.
func WriteCSV(w io.Writer, features []string, data Samples) error {
	columns := header(features)
	out := csv.NewWriter(w)
	out.Write(columns)
	err := eachRow(columns, data, func(cells []string) error { return out.Write(cells) })
	out.Flush()
	if err != nil {
		return err
	}
	return out.Error()
}

// WriteARFF writes the same table in Weka's attribute-relation format, dense,
// all attributes real.
func WriteARFF(w io.Writer, relation string, features []string, data Samples) error {
	columns := header(features)
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "@relation %s\n\n", arffName(relation))
	for _, c := range columns {
		fmt.Fprintf(out, "@attribute %s real\n", arffName(c))
	}
	out.WriteString("\n@data\n")
	err := eachRow(columns, data, func(cells []string) error {
		for i, c := range cells {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString(c)
		}
		return out.WriteByte('\n')
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// eachRow makes the cells of each sample, features with the digits of their 32
// bits.
func eachRow(columns []string, data Samples, do func(cells []string) error) error {
	if err := checkNames(columns); err != nil {
		return err
	}
	row, cells := make([]float64, len(columns)), make([]string, len(columns))
	for s, err := range data.All() {
		if err != nil {
			return err
		}
		if err := fillRow(row, s); err != nil {
			return err
		}
		for i, v := range row {
			switch bits := 64; {
			case v == 0:
				cells[i] = "0"
			default:
				if i >= len(leading)-1 && i < len(row)-1 && v == float64(float32(v)) {
					bits = 32
				}
				cells[i] = strconv.FormatFloat(v, 'g', -1, bits)
			}
		}
		if err := do(cells); err != nil {
			return err
		}
	}
	return nil
}

// arffName is a name as ARFF wants it: quoted where it holds more than a word.
func arffName(name string) string {
	if name != "" && !strings.ContainsAny(name, " \t\r\n,'\"\\{}%@?") {
		return name
	}
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(name) + "'"
}

// TableError is a fault in a table that was to be read.
type TableError struct {
	File         string
	Line, Column int // from 1; columns of the table, 0: the whole line
	Want         string
}

func (e *TableError) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("%s:%d: want %s", e.File, e.Line, e.Want)
	}
	return fmt.Sprintf("%s:%d: column %d: want %s", e.File, e.Line, e.Column, e.Want)
}

// ReadCSV reads a table with a header. The column "label" must be there;
// "episode", "weight", "kind" and "bias" may be, as [WriteCSV] writes them; all
// others are features, in their order, and every cell is a finite number. file
// is the name that errors bear.
func ReadCSV(r io.Reader, file string) (*Grid, error) {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	columns, err := in.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, &TableError{file, 1, 0, "a header with the columns' names"}
	case err != nil:
		return nil, csvError(file, err)
	}
	t := &table{}
	for _, c := range columns {
		t.columns = append(t.columns, strings.TrimSpace(strings.TrimPrefix(c, "\ufeff")))
	}
	if err := t.checkColumns(file, 1); err != nil {
		return nil, err
	}
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return t.grid(), nil
		}
		if err != nil {
			return nil, csvError(file, err)
		}
		line, _ := in.FieldPos(0)
		if err := t.add(file, line, cells); err != nil {
			return nil, err
		}
	}
}

func csvError(file string, err error) error {
	if e, ok := errors.AsType[*csv.ParseError](err); ok {
		want := "quoted cells to end"
		if errors.Is(e, csv.ErrFieldCount) {
			want = "as many cells as the header has"
		}
		return &TableError{file, e.Line, 0, want}
	}
	return fmt.Errorf("%s: %w", file, err)
}

// ReadARFF reads a dense table of numeric attributes, as [ReadCSV] reads CSV.
func ReadARFF(r io.Reader, file string) (*Grid, error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<24)
	t, data := &table{}, false
	line := 0
	for in.Scan() {
		line++
		text := strings.TrimSpace(in.Text())
		if text == "" || text[0] == '%' {
			continue
		}
		if data {
			if text[0] == '{' {
				return nil, &TableError{file, line, 0, "dense rows, not sparse ones"}
			}
			if err := t.add(file, line, strings.Split(text, ",")); err != nil {
				return nil, err
			}
			continue
		}
		keyword, rest, _ := strings.Cut(strings.Replace(text, "\t", " ", 1), " ")
		switch strings.ToLower(keyword) {
		case "@relation":
		case "@attribute":
			name, kind, ok := cutARFFName(strings.TrimSpace(rest))
			if !ok {
				return nil, &TableError{file, line, 0, "@attribute NAME TYPE"}
			}
			if !slices.Contains([]string{"real", "numeric", "integer"}, strings.ToLower(kind)) {
				return nil, &TableError{file, line, 0, "an attribute that is real, numeric or integer"}
			}
			t.columns = append(t.columns, name)
		case "@data":
			if err := t.checkColumns(file, line); err != nil {
				return nil, err
			}
			data = true
		default:
			return nil, &TableError{file, line, 0, "@relation, @attribute or @data"}
		}
	}
	if err := in.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			return nil, &TableError{file, line + 1, 0, "lines of at most 16 MB"}
		}
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if !data {
		return nil, &TableError{file, line + 1, 0, "@data"}
	}
	return t.grid(), nil
}

// cutARFFName splits NAME TYPE, where the name may be quoted.
func cutARFFName(text string) (name, kind string, ok bool) {
	if text == "" {
		return "", "", false
	}
	quote := text[0]
	if quote != '\'' && quote != '"' {
		at := strings.IndexAny(text, " \t")
		if at < 0 {
			return "", "", false
		}
		return text[:at], strings.TrimSpace(text[at:]), true
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			switch text[i] {
			case 'n':
				b.WriteByte('\n')
			case 'r':
				b.WriteByte('\r')
			case 't':
				b.WriteByte('\t')
			default:
				b.WriteByte(text[i])
			}
		case c == quote:
			return b.String(), strings.TrimSpace(text[i+1:]), true
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}

func (t *table) checkColumns(file string, line int) error {
	if err := checkNames(t.columns); err != nil {
		return fmt.Errorf("%s:%d: %w", file, line, err)
	}
	if !slices.Contains(t.columns, labelColumn) {
		return &TableError{file, line, 0, "a column named " + labelColumn}
	}
	return nil
}

// add appends a row.
func (t *table) add(file string, line int, cells []string) error {
	if len(cells) != len(t.columns) {
		return &TableError{file, line, 0, fmt.Sprintf("%d cells, not %d", len(t.columns), len(cells))}
	}
	for i, c := range cells {
		v, ok := Decimal(strings.TrimSpace(c))
		if !ok {
			return &TableError{file, line, i + 1, fmt.Sprintf("a number, not %.40q", c)}
		}
		t.cells = append(t.cells, v)
	}
	if i, want := t.checkRow(t.cells[len(t.cells)-len(cells):]); i >= 0 {
		return &TableError{file, line, i + 1, want + ", not " + strings.TrimSpace(cells[i])}
	}
	return nil
}

// Decimal reads a number as tables have them: of what Go takes for one, no digits parted
// by underscores and none of base 16.
func Decimal(text string) (x float64, ok bool) {
	if strings.ContainsAny(text, "_xX") {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}
