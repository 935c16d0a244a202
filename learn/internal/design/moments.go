package design

// Moments are sums over the training rows that a first pass makes.
type Moments struct {
	Column []moment
	bias   float64   // the bias column's square
	biases []float64 // of the rows that addChunk has not seen yet
	one    bool      // all of which are 1

	plain plainCounts
	rows  int64 // of all others
}

// moment is what is summed for one column, in one cache line.
type moment struct {
	Square, Cross float64 // of the column with itself, and with the bias
	sum           float64 // of its values in row number row
	row           int64
}

func (mo *Moments) addBias(weight, bias float64) {
	mo.bias += float64(weight * bias * bias)
	mo.biases = append(mo.biases, bias)
	mo.one = mo.one && bias == 1
}

// addChunk adds training rows, whose bias columns addBias has seen.
func (mo *Moments) addChunk(c *Chunk, t *Tally) {
	for i := range c.Len() {
		switch {
		case c.Share == nil:
			mo.addRow(t, c, i, c.Rows[i].Weight)
		case c.Short == nil || !mo.one:
			mo.addRow(t, c, i, 1)
		default:
			mo.plain.add(c.Short[c.start[i]:c.start[i+1]], len(mo.Column))
		}
	}
	mo.biases, mo.one = mo.biases[:0], true
}

func (mo *Moments) addRow(t *Tally, c *Chunk, i int, weight float64) {
	mo.rows++
	b := mo.biases[i]
	for k := c.start[i]; k < c.start[i+1]; k++ {
		j, v := c.term(k)
		if v != 0 {
			t.Support[j]++
		}
		// The values of equal columns in a row add up before they are squared.
		e := &mo.Column[j]
		if e.row != mo.rows {
			e.row, e.sum = mo.rows, 0
		}
		e.Square += float64(weight * v * (float64(2*e.sum) + v))
		e.sum += v
		e.Cross += float64(weight * v * b)
	}
}

// plainCounts counts columns in rows of ones, of weight and bias 1: almost all
// that a first pass has to do for them.
type plainCounts struct {
	terms []int64 // by column, how often it stood in a row; nil before the first row
	// twice is what the squares of the numbers of times in a row exceed the terms
	// by: a column that stands in a row n times adds n(n-1).
	twice []int64
	times []int32 // in this row, beyond the first
	seen  [Narrow / 64]uint64
	again []uint16
}

func (p *plainCounts) add(cols []uint16, width int) {
	if p.terms == nil {
		p.terms, p.twice, p.times = make([]int64, Narrow), make([]int64, width), make([]int32, width)
	}
	if len(cols) > len(p.again) {
		p.again = make([]uint16, len(cols))
	}
	terms, again, n := (*[Narrow]int64)(p.terms), p.again[:len(cols)], 0
	for _, j := range cols {
		word, bit := &p.seen[j>>6], uint64(1)<<(j&63)
		// Written in any case, kept if the column was seen: no branch to guess.
		again[n] = j
		if *word&bit != 0 {
			n++
		}
		*word |= bit
		terms[j]++
	}
	for _, j := range again[:n] {
		p.times[j]++
		p.twice[j] += 2 * int64(p.times[j])
	}
	for _, j := range again[:n] {
		p.times[j] = 0
	}
	for _, j := range cols {
		p.seen[j>>6] = 0
	}
}

// finish moves the counts to where all other sums are.
func (mo *Moments) finish(t *Tally) {
	p := &mo.plain
	for j := range p.twice {
		mo.Column[j].Square += float64(p.terms[j] + p.twice[j])
		mo.Column[j].Cross += float64(p.terms[j])
		t.Support[j] += p.terms[j]
	}
	*p = plainCounts{}
}

// Variances are v_j of [Options].Penalty.
func (mo *Moments) Variances(d *Matrix, total float64) []float64 {
	v := make([]float64, len(mo.Column))
	for j, e := range mo.Column {
		if j == d.Bias {
			continue
		}
		v[j] = e.Square
		if d.Bias >= 0 && mo.bias > 0 {
			v[j] -= e.Cross * e.Cross / mo.bias
		}
		if v[j] <= 1e-12*e.Square {
			v[j] = 0
		}
		v[j] /= total
	}
	return v
}
