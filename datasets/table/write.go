package table

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"plyfit/datasets"
	"plyfit/models"
)

// mostEpisode is the largest integer such that a float64 can represent all integers up to it.
const mostEpisode = 1 << 53

// leadingColumns lists the columns that precede the features in a written table. The label is the last
// column.
var leadingColumns = []string{"episode", "weight", "kind", "bias"}

// Write writes samples as CSV, for other programs and for [Open]. The columns are episode, weight,
// kind (0 exact, 1 lower bound, 2 upper bound), bias, the features with the given names, and label.
// Terms with the same index are added. Otherwise, reading the table returns exactly the same
// numbers. Write does not keep the rows in memory.
func Write(ctx context.Context, w io.Writer, features []string, data datasets.Samples) error {
	columns := slices.Concat(leadingColumns, features, []string{"label"})
	layout := Layout{Unit: Utility}
	if err := layout.Complete(); err != nil {
		return err
	}
	if _, err := layout.roles(columns); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	out.Write(columns)
	width, any := len(columns), false
	row, cells := make([]float64, width), make([]string, width)
	for s, err := range data.All() {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		any = true
		if s.Episode > mostEpisode {
			return fmt.Errorf("episode %d: want at most 2^53, the largest integer that all programs can represent", s.Episode)
		}
		clear(row)
		row[0], row[1], row[2], row[width-1] = float64(s.Episode), s.Weight, float64(s.Kind), s.Y
		for _, t := range s.X {
			at := int(t.Index) + len(leadingColumns)
			if t.Index == models.Bias {
				at = len(leadingColumns) - 1
			}
			row[1 : width-1][at-1] += float64(t.Value)
		}
		for i, v := range row {
			bits := 64
			if i >= len(leadingColumns)-1 && i < width-1 && v == float64(float32(v)) { // a feature, which is a float32
				bits = 32
			}
			cells[i] = strconv.FormatFloat(v, 'g', -1, bits)
			if v == 0 { // or -0
				cells[i] = "0"
			}
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	if !any {
		return errors.New("no rows to write; want samples of completed games")
	}
	out.Flush()
	return out.Error()
}
