package table

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"plyfit/datasets"
	"plyfit/models"
)

// mostEpisode is the last number that every table can hold.
const mostEpisode = 1 << 53

// leading stand before the features in a table that is written, the label last.
var leading = []string{"episode", "weight", "kind", "bias"}

// IsWritten reports whether a file has a name that [Write] writes: .csv or .arff.
func IsWritten(path string) bool {
	return formats[strings.ToLower(filepath.Ext(path))].write != nil
}

// Write writes samples as a table in the format of path's ending, for other programs and
// for [Open]: the columns episode, weight, kind (0 exact, 1 lower bound, 2 upper bound),
// bias, the features, which have these names by index, and last the label. Every number
// reads back as it was. Rows are not kept in memory. title says what it is, where a
// format has a place for that.
//
// golearn's writers round, put names over the wrong columns now and then (they go through
// a map), and do not tell when the disk is full.
func Write(ctx context.Context, out io.Writer, path, title string, features []string, data datasets.Samples) error {
	columns := append(append(append([]string(nil), leading...), features...), "label")
	layout := Layout{Unit: Utility}
	if err := layout.Complete(); err != nil {
		return err
	}
	if _, err := layout.roles(columns); err != nil {
		return err
	}
	return formats[strings.ToLower(filepath.Ext(path))].write(out, title, columns, func(do func(cells []string) error) error { return eachRow(ctx, len(columns), data, do) })
}

// rows hands out the cells of one row after the other.
type rows func(do func(cells []string) error) error

func writeCSV(w io.Writer, _ string, columns []string, each rows) error {
	out := csv.NewWriter(w)
	out.Write(columns)
	err := each(out.Write)
	out.Flush()
	if err != nil {
		return err
	}
	return out.Error()
}

// writeARFF writes dense rows, all attributes real.
func writeARFF(w io.Writer, title string, columns []string, each rows) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "@relation %s\n\n", arffName(title))
	for _, c := range columns {
		fmt.Fprintf(out, "@attribute %s real\n", arffName(c))
	}
	out.WriteString("\n@data\n")
	err := each(func(cells []string) error {
		_, err := fmt.Fprintln(out, strings.Join(cells, ","))
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// eachRow makes the cells of each sample, features with the digits of their 32 bits.
func eachRow(ctx context.Context, width int, data datasets.Samples, do func(cells []string) error) error {
	row, cells := make([]float64, width), make([]string, width)
	for s, err := range data.All() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if s.Episode > mostEpisode {
			return fmt.Errorf("episode %d: want at most 2^53, the last that every table can hold", s.Episode)
		}
		clear(row)
		row[0], row[1], row[2], row[width-1] = float64(s.Episode), s.Weight, float64(s.Kind), s.Y
		for _, t := range s.X {
			at := int(t.Index) + len(leading)
			if t.Index == models.Bias {
				at = len(leading) - 1
			}
			row[1 : width-1][at-1] += float64(t.Value)
		}
		for i, v := range row {
			bits := 64
			if i >= len(leading)-1 && i < width-1 && v == float64(float32(v)) {
				bits = 32
			}
			cells[i] = strconv.FormatFloat(v, 'g', -1, bits)
			if v == 0 { // and not -0
				cells[i] = "0"
			}
		}
		if err := do(cells); err != nil {
			return err
		}
	}
	return nil
}
