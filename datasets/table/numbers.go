package table

import (
	"fmt"
	"math"
	"regexp"
	"slices"
)

// frameIndex matches the names that pandas, Dask and R give to a column of row numbers without a name.
var frameIndex = regexp.MustCompile(`^(__index_level_\d+__|__null_dask_index__|Unnamed: \d+(\.\d+|_level_\d+)*|\.\.\.\d+)$`)

// mayNumber matches the names of columns that are row numbers if every row has another whole number.
var mayNumber = regexp.MustCompile(`(?i)^(index|id|idx|(row|record|sample|position)[ _.-]?(id|index|nr|num|number|names?)?|level_0|column0)$`)

// numberRows reports whether each row has another whole number. All beyond 2^53 count as different.
func numberRows(rows []float64) bool {
	slices.Sort(rows)
	for i, x := range rows {
		if x != math.Trunc(x) || i > 0 && x == rows[i-1] && math.Abs(x) < 1<<53 {
			return false
		}
	}
	return true
}

// dropRowNumbers takes the columns that number the rows out of the features.
func (b *builder) dropRowNumbers() {
	t, names := b.t, []string(nil)
	to := make([]int32, len(t.Columns))
	for c, name := range t.Columns {
		if to[c] = int32(len(names)); b.numbers[c] != nil && numberRows(b.numbers[c]) {
			to[c] = gone
			t.RowNumbers = append(t.RowNumbers, fmt.Sprintf("%q", name))
			continue
		}
		names = append(names, name)
	}
	if len(names) < len(to) {
		t.Columns, b.to = names, to
	}
}

// Notes returns a line about the columns that are left out, if there are any.
func (t *Table) Notes() []string {
	if len(t.RowNumbers) == 0 {
		return nil
	}
	return []string{"row numbers, left out of the features: " + Listed(t.RowNumbers)}
}
