package table

import (
	"fmt"
	"math"
	"regexp"
	"slices"
)

// frameIndex matches the names that pandas and R give to a column of row numbers without a name.
var frameIndex = regexp.MustCompile(`^(__index_level_\d+__|Unnamed: \d+(\.\d+|_level_\d+)*|\.\.\.\d+)$`)

// mayNumber matches the names of columns that are row numbers if every row has another whole number.
var mayNumber = regexp.MustCompile(`(?i)^(index|id|idx|(row|record|sample|position)[ _.-]?(id|index|nr|num|number|names?)?|level_0|column0)$`)

// rowNumbers collects the numbers of a column that may number the rows.
type rowNumbers struct {
	feature int32
	values  []float64
	other   bool // than whole numbers
}

func (n *rowNumbers) add(x float64) {
	if n.other = n.other || x != math.Trunc(x); !n.other {
		n.values = append(n.values, x)
	}
}

// number reports whether each row has another whole number. Those beyond 2^53 are taken as different.
// Rows that a sparse format leaves out are 0.
func (n *rowNumbers) number(rows int) bool {
	if n.other || len(n.values) < rows-1 {
		return false
	}
	n.values = append(n.values, make([]float64, rows-len(n.values))...)
	slices.Sort(n.values)
	for i, x := range n.values[1:] {
		if x == n.values[i] && math.Abs(x) < 1<<53 {
			return false
		}
	}
	return true
}

// dropRowNumbers takes the columns that number the rows out of the features.
func (b *builder) dropRowNumbers() {
	t := b.t
	drop := map[int32]bool{}
	for _, n := range b.numbers {
		if n.number(t.Len()) {
			drop[n.feature] = true
		}
	}
	if len(drop) == 0 {
		return
	}
	came := make([]int32, len(t.Columns)) // by place, the column as it came
	for c := range came {
		place := c
		if t.to != nil {
			place = int(t.to[c])
		}
		came[place] = int32(c)
	}
	t.to = make([]int32, len(came))
	var names []string
	for place, c := range came {
		if t.to[c] = int32(len(names)); drop[c] {
			t.to[c] = gone
			t.RowNumbers = append(t.RowNumbers, fmt.Sprintf("%q", t.Columns[place]))
			continue
		}
		names = append(names, t.Columns[place])
	}
	t.Columns = names
}

// Notes returns a line about the columns that are left out, if there are any.
func (t *Table) Notes() []string {
	if len(t.RowNumbers) == 0 {
		return nil
	}
	return []string{"row numbers, left out of the features: " + Listed(t.RowNumbers)}
}
