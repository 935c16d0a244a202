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

// mostEpisode is the last number that every table can hold.
const mostEpisode = 1 << 53

// leading stand before the features in a table that is written, the label last.
var leading = []string{"episode", "weight", "kind", "bias"}

// Write writes samples as CSV, for other programs and for [Open]: the columns episode, weight, kind
// (0 exact, 1 lower bound, 2 upper bound), bias, the features, which have these names by index, and
// last the label. Every number reads back as it was. Rows are not kept in memory.
func Write(ctx context.Context, w io.Writer, features []string, data datasets.Samples) error {
	columns := slices.Concat(leading, features, []string{"label"})
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
			if i >= len(leading)-1 && i < width-1 && v == float64(float32(v)) { // a feature
				bits = 32
			}
			cells[i] = strconv.FormatFloat(v, 'g', -1, bits)
			if v == 0 { // and not -0
				cells[i] = "0"
			}
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	if !any {
		return errors.New("no row to write: want samples of games that ended")
	}
	out.Flush()
	return out.Error()
}
