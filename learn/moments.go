package learn

// moments are sums over the training rows that a first pass makes.
type moments struct {
	column []moment
	bias   float64   // the bias column's square
	biases []float64 // of the rows that addChunk has not seen yet
	one    bool      // all of which are 1

	count []repeat // of rows of ones, since the last settlement
	row   uint32   // the number of such rows
	rows  int64    // of all others
}

// moment is what is summed for one column, in one cache line.
type moment struct {
	square, cross float64 // of the column with itself, and with the bias
	sum           float64 // of its values in row number row
	row           int64
}

// repeat counts a column in rows whose values, weight and bias are 1.
type repeat struct {
	row, times uint32 // how often it stands in row number row
	// squares is the sum over rows of times^2, in the upper half, and of times, in
	// the lower: one addition for both. Rows below countRows, and terms in a row
	// below countTerms, keep the halves from running over.
	squares uint64
}

const (
	countRows  = 1 << 16
	countTerms = 1 << 8
)

func newMoments(d *design) *moments {
	return &moments{column: make([]moment, d.width()), count: make([]repeat, d.width()), one: true}
}

func (mo *moments) addBias(weight, bias float64) {
	mo.bias += weight * bias * bias
	mo.biases = append(mo.biases, bias)
	mo.one = mo.one && bias == 1
}

// addChunk adds training rows, whose bias columns addBias was told before.
func (mo *moments) addChunk(c *chunk, t *tally) {
	if mo.one && c.short != nil && c.share != nil {
		for i := range c.len() {
			cols := c.short[c.start[i]:c.start[i+1]]
			if len(cols) < countTerms {
				if mo.row++; mo.row == countRows {
					mo.settle(t)
					mo.row = 1
				}
				addRepeats(mo.count, cols, mo.row)
				continue
			}
			mo.addRow(t, c, i, 1)
		}
	} else {
		for i := range c.len() {
			w := 1.0
			if c.rows != nil {
				w = c.rows[i].weight
			}
			mo.addRow(t, c, i, w)
		}
	}
	mo.biases, mo.one = mo.biases[:0], true
}

func (mo *moments) addRow(t *tally, c *chunk, i int, weight float64) {
	mo.rows++
	b := mo.biases[i]
	for k := c.start[i]; k < c.start[i+1]; k++ {
		j, v := c.term(k)
		if v != 0 {
			t.support[j]++
		}
		// The values of equal columns in a row add up before they are squared.
		e := &mo.column[j]
		if e.row != mo.rows {
			e.row, e.sum = mo.rows, 0
		}
		e.square += weight * v * (2*e.sum + v)
		e.sum += v
		e.cross += weight * v * b
	}
}

func addRepeats(count []repeat, cols []uint16, row uint32) {
	for _, j := range cols {
		e := &count[j]
		times := e.times
		if e.row != row {
			times = 0
		}
		e.row, e.times = row, times+1
		e.squares += uint64(2*times+1)<<32 | 1
	}
}

// settle moves the counts to where all other sums are.
func (mo *moments) settle(t *tally) {
	if mo.row == 0 {
		return
	}
	for j := range mo.count {
		if s := mo.count[j].squares; s != 0 {
			mo.column[j].square += float64(s >> 32)
			mo.column[j].cross += float64(uint32(s))
			t.support[j] += int64(uint32(s))
		}
	}
	clear(mo.count)
	mo.row = 0
}

// variances are v_j of [Options].Penalty.
func (mo *moments) variances(d *design, total float64) []float64 {
	v := make([]float64, len(mo.column))
	for j, e := range mo.column {
		if j == d.bias {
			continue
		}
		v[j] = e.square
		if d.bias >= 0 && mo.bias > 0 {
			v[j] -= e.cross * e.cross / mo.bias
		}
		if v[j] <= 1e-12*e.square {
			v[j] = 0
		}
		v[j] /= total
	}
	return v
}
