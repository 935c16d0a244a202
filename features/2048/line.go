package g2048

import (
	"math"
	"strconv"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/2048"
	"plyfit/internal/asm"
	"plyfit/models"
)

type line struct {
	cells [4]int // exponents, or 0 if empty
	n     int    // number of rows and columns of the board
}

// A term is a feature summed over all rows and columns, or only over the four outer ones.
type term struct {
	name string
	doc  string // documentation; "" if the term is of the same kind as the previous one
	of   func(l *line) float64
	rim  bool
}

// lineTerms contains the terms of 2048/lines, in order. Each additional feature takes one more line
// here. Each cell is in one row and one column, so terms that count cells use halves.
var lineTerms = append([]term{
	{name: "empty", doc: "empty cells", of: func(l *line) float64 { return float64(l.count(0)) / 2 }},
	{name: "full-lines", doc: "lines without an empty cell", of: func(l *line) float64 { return features.Truth(l.count(0) == 0) }},
	{name: "stuck-lines", doc: "lines without an empty cell and without a merge", of: func(l *line) float64 { return features.Truth(l.count(0) == 0 && l.merges(1) == 0) }},
	{name: "merges", doc: "merges possible with a move along the line", of: func(l *line) float64 { return l.merges(1) }},
	{name: "merge-exponents", doc: "exponents of the tiles in these merges", of: func(l *line) float64 { return l.mergesOf(func(e int) float64 { return float64(e) }) }},
	{name: "merge-points", doc: "points of these merges / 64", of: func(l *line) float64 { return l.mergesOf(func(e int) float64 { return tile(e + 1) }) / 64 }},
	{name: "chain", doc: "neighbours that differ by one exponent, with only empty cells between them", of: func(l *line) float64 {
		return l.neighbours(func(a, b int) float64 { return features.Truth(a-b == 1 || b-a == 1) })
	}},
	{name: "chain-exponents", doc: "mean exponents of these neighbours", of: func(l *line) float64 {
		return l.neighbours(func(a, b int) float64 { return features.Truth(a-b == 1 || b-a == 1) * float64(a+b) / 2 })
	}},
	{name: "roughness", doc: "differences in exponent between neighbours with only empty cells between them", of: func(l *line) float64 {
		return l.neighbours(func(a, b int) float64 { return math.Abs(float64(a - b)) })
	}},
	{name: "roughness-squared", doc: "squares of these differences", of: func(l *line) float64 {
		return l.neighbours(func(a, b int) float64 { return float64((a - b) * (a - b)) })
	}},
	{name: "valleys", doc: "amounts by which inner cells are below both neighbours", of: func(l *line) float64 { return l.valleys() }},
	{name: "peaks", doc: "amounts by which inner cells are above both neighbours", of: func(l *line) float64 { return l.peaks() }},
	{name: "disorder", doc: "the smaller of two sums: all steps up, and all steps down", of: func(l *line) float64 { return l.disorder(1) }},
	{name: "disorder-squared", doc: "the same for squared exponents, divided by 8", of: func(l *line) float64 { return l.disorder(2) / 8 }},
	{name: "disorder-fourth", doc: "the same for fourth powers of exponents, divided by 1024", of: func(l *line) float64 { return l.disorder(4) / 1024 }},
	{name: "largest-at-end", doc: "largest exponent if it is at an end of the line", of: func(l *line) float64 { return features.Truth(l.largestAtEnd()) * float64(l.largest()) }},
	{name: "largest-inside", doc: "value of the largest tile, divided by 64, if it is not at an end of the line", of: func(l *line) float64 { return features.Truth(!l.largestAtEnd()) * tile(l.largest()) / 64 }},
	{name: "ends", doc: "exponents at the ends of the lines; corners count twice as much as edges", of: func(l *line) float64 { return float64(l.cells[0]+l.cells[l.n-1]) / 2 }},
	{name: "distinct", doc: "number of different exponents", of: func(l *line) float64 { return l.distinct() }},
	{name: "rim", doc: "exponents on the four outer lines", of: func(l *line) float64 { return l.sum(func(e int) float64 { return float64(e) }) }, rim: true},
	{name: "rim-tiles", doc: "values of the tiles on the outer lines, divided by 128", of: func(l *line) float64 { return l.sum(tile) / 128 }, rim: true},
	{name: "rim-roughness", doc: "`roughness` of the outer lines", of: func(l *line) float64 {
		return l.neighbours(func(a, b int) float64 { return math.Abs(float64(a - b)) })
	}, rim: true},
	{name: "rim-disorder", doc: "`disorder-squared` of the outer lines", of: func(l *line) float64 { return l.disorder(2) / 8 }, rim: true},
	{name: "rim-empty", doc: "`empty` of the outer lines", of: func(l *line) float64 { return float64(l.count(0)) / 2 }, rim: true},
	{name: "rim-largest-at-end", doc: "`largest-at-end` of the outer lines", of: func(l *line) float64 { return features.Truth(l.largestAtEnd()) * float64(l.largest()) }, rim: true},
	{name: "rim-merges", doc: "`merges` of the outer lines", of: func(l *line) float64 { return l.merges(1) }, rim: true},
	{name: "rim-chain", doc: "`chain` of the outer lines", of: func(l *line) float64 {
		return l.neighbours(func(a, b int) float64 { return features.Truth(a-b == 1 || b-a == 1) })
	}, rim: true},
}, tileCounts()...)

// tileCounts returns a term for the number of tiles of each value, so that the weights of large
// tiles need not follow a formula. Twos are omitted, because otherwise the sum of all counts and
// the number of empty cells would be constant.
func tileCounts() (terms []term) {
	doc := "number of tiles with this value; each value has its own weight"
	for e := 2; e <= 15; e++ {
		terms = append(terms, term{name: "tiles-" + strconv.Itoa(1<<e), doc: doc, of: func(l *line) float64 { return float64(l.count(e)) / 2 }})
		doc = "" // one line of documentation for all terms of this kind
	}
	return terms
}

func tile(e int) float64 {
	if e == 0 {
		return 0
	}
	return float64(int(1) << e)
}

func (l *line) count(e int) (n int) {
	for _, c := range l.cells[:l.n] {
		if c == e {
			n++
		}
	}
	return n
}

func (l *line) largest() (e int) {
	for _, c := range l.cells[:l.n] {
		e = max(e, c)
	}
	return e
}

func (l *line) largestAtEnd() bool {
	e := l.largest()
	return l.cells[0] == e || l.cells[l.n-1] == e
}

func (l *line) sum(of func(e int) float64) (total float64) {
	for _, c := range l.cells[:l.n] {
		if c > 0 {
			total += float64(of(c))
		}
	}
	return total / 2
}

func (l *line) distinct() (n float64) {
	for i, c := range l.cells[:l.n] {
		fresh := c > 0
		for _, earlier := range l.cells[:i] {
			fresh = fresh && earlier != c
		}
		n += features.Truth(fresh)
	}
	return n
}

// mergesOf calls the given function for each merge when the line is moved, and returns the sum of
// the results.
func (l *line) mergesOf(of func(e int) float64) (total float64) {
	last := 0
	for _, c := range l.cells[:l.n] {
		switch {
		case c == 0:
		case c == last && c < 15:
			total += float64(of(c))
			last = 0
		default:
			last = c
		}
	}
	return total
}

func (l *line) merges(each float64) float64 {
	return l.mergesOf(func(int) float64 { return each })
}

// neighbours calls the given function for each pair of tiles that are adjacent or have only empty
// cells between them, and returns the sum of the results.
func (l *line) neighbours(of func(a, b int) float64) (total float64) {
	last := 0
	for _, c := range l.cells[:l.n] {
		if c == 0 {
			continue
		}
		if last > 0 {
			total += float64(of(last, c))
		}
		last = c
	}
	return total
}

// valleys finds the inner cells that are lower than both neighbours. It returns the sum of the
// differences between each of these cells and its lower neighbour.
func (l *line) valleys() (total float64) {
	for i := 1; i < l.n-1; i++ {
		if d := min(l.cells[i-1], l.cells[i+1]) - l.cells[i]; d > 0 {
			total += float64(d)
		}
	}
	return total
}

// peaks finds the inner cells that are higher than both neighbours. It returns the sum of the
// differences between each of these cells and its higher neighbour.
func (l *line) peaks() (total float64) {
	for i := 1; i < l.n-1; i++ {
		if d := l.cells[i] - max(l.cells[i-1], l.cells[i+1]); d > 0 {
			total += float64(d)
		}
	}
	return total
}

// disorder measures how far the line is from being sorted in either direction. It raises each
// exponent to the given power and returns the sum of all steps up or the sum of all steps down,
// whichever is smaller.
func (l *line) disorder(power int) float64 {
	up, down := 0, 0
	for i := 1; i < l.n; i++ {
		a, b := 1, 1
		for range power {
			a, b = a*l.cells[i-1], b*l.cells[i]
		}
		up, down = up+max(b-a, 0), down+max(a-b, 0)
	}
	return float64(min(up, down))
}

// rowTables contains a model of line terms. It consists of the weighted sum of the terms for every
// possible row, first as an outer line and then as an inner line.
type rowTables struct {
	worths *[2 << 16]float64
	score  float64
	bias   float64
	size   int
}

func (s *termSet) Compile(_ *game.Game, m *models.Linear) features.Compiled {
	t := &rowTables{worths: new([2 << 16]float64), score: m.Weights[0], bias: m.Bias, size: s.size}
	// Use the values of Extract, so that the results differ only by the rounding of sums.
	rows := s.measured()
	k := len(s.terms)
	for row := range 1 << (4 * s.size) {
		rim, inside := 0.0, 0.0
		for i, v := range rows[row*k : row*k+k] {
			product := float64(m.Weights[i+1] * float64(v))
			rim += product
			if !s.terms[i].rim {
				inside += product
			}
		}
		t.worths[row], t.worths[1<<16|row] = rim, inside
	}
	if s.size < 4 {
		return t
	}
	return &foresight{rowTables: t, moves: board.Rows()}
}

func (f *foresight) Sum(st game.State, _ game.Player) float64 {
	b := st.(*board.State)
	a := b.Board()
	return f.bias + float64(f.score*b.Score(0)) + (f.sum(a) + f.sum(asm.Transpose(a)))
}

// sum returns the total worth of four lines.
func (t *rowTables) sum(a uint64) float64 {
	return (t.worths[a&0xffff] + t.worths[a>>48]) + (t.worths[1<<16|a>>16&0xffff] + t.worths[1<<16|a>>32&0xffff])
}

// Sum implements [features.Compiled] for smaller boards.
func (t *rowTables) Sum(st game.State, _ game.Player) float64 {
	b := st.(*board.State)
	a := b.Board()
	d := asm.Transpose(a)
	sum := t.bias + float64(t.score*b.Score(0))
	for i := range t.size {
		at := uint64(0)
		if i > 0 && i < t.size-1 {
			at = 1 << 16
		}
		sum += t.worths[at|a>>(16*i)&0xffff] + t.worths[at|d>>(16*i)&0xffff]
	}
	return sum
}
