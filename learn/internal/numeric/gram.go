// Package numeric implements the linear algebra and the minimiser used by fits: sums of squares
// ([Gram]), Cholesky factors that leave out collinear columns ([Cholesky]), and a quasi-Newton
// method for smooth functions ([QuasiNewton]). It does not depend on samples. Sums are computed in
// a fixed order, so equal inputs give bit-identical results.
package numeric

import (
	"math"

	"plyfit/internal/asm"
	"plyfit/internal/dense"
)

// A Gram accumulates X'WX and X'Wy for a design matrix with n columns, row by row. Its memory is
// proportional to the square of the number of columns.
//
// For rows with few nonzero columns, only the products of pairs of these columns are added. Other
// rows are packed into blocks that fit into the first-level cache and are multiplied by a
// register-blocked kernel. The choice depends only on the row, and blocks are added in order, so
// the same rows in the same order give bit-identical results.
type Gram struct {
	n, stride int       // n rounded up to the kernel's width
	dense     []float64 // sums of blocks: stride x stride, upper tiles only
	sparse    []float64 // sums of single rows: n x n, where pair (a, b) may be at (a, b) or (b, a)
	xy        []float64
	block     []float64 // up to limit rows of length stride
	rows      int
	limit     int
}

// NewGram returns an empty sum over n columns. It panics if n < 1.
func NewGram(n int) *Gram {
	if n < 1 {
		panic("learn: NewGram without columns")
	}
	stride := (n + asm.TileCols - 1) / asm.TileCols * asm.TileCols
	limit := min(max(16<<10/(8*stride), 16), 256)
	return &Gram{n: n, stride: stride, limit: limit, xy: make([]float64, n)}
}

// Add adds w x x' to the matrix and wy x to the right-hand side. The row x has the values vals in
// the columns cols and zeros elsewhere. Values for the same column are added. w must not be
// negative.
func (g *Gram) Add(cols []int32, vals []float64, w, wy float64) {
	for k, c := range cols {
		g.xy[c] += float64(wy * vals[k])
	}
	if w == 0 {
		return
	}
	if k := len(cols); 12*k*k < g.n*g.n {
		g.addPairs(cols, vals, w)
		return
	}
	root := 1.0
	if w != 1 {
		root = math.Sqrt(w)
	}
	row := g.row()
	for k, c := range cols {
		row[c] += float64(root * vals[k])
	}
}

// AddFull is like [Gram.Add] for a row that has values for all columns. Its result is bit-identical
// to adding the nonzero values.
func (g *Gram) AddFull(vals []float64, w, wy float64) {
	dense.AddScaled(g.xy, wy, vals)
	if w == 0 {
		return
	}
	if g.few(vals) {
		var cols []int32
		var some []float64
		for c, v := range vals {
			if v != 0 {
				cols, some = append(cols, int32(c)), append(some, v)
			}
		}
		g.addPairs(cols, some, w)
		return
	}
	root := 1.0
	if w != 1 {
		root = math.Sqrt(w)
	}
	row := g.row()[:len(vals)]
	for c, v := range vals {
		row[c] = root * v
	}
}

// few reports whether there are so few nonzero values that their pairs should be added one by one.
func (g *Gram) few(vals []float64) bool {
	k := 0
	for _, v := range vals {
		if v != 0 {
			if k++; 12*k*k >= g.n*g.n {
				return false
			}
		}
	}
	return true
}

// row returns a new row of zeros in the block.
func (g *Gram) row() []float64 {
	if g.rows == g.limit || g.block == nil {
		g.flush()
	}
	row := g.block[g.rows*g.stride : (g.rows+1)*g.stride]
	g.rows++
	clear(row)
	return row
}

func (g *Gram) flush() {
	if g.block == nil {
		g.block = make([]float64, g.limit*g.stride)
		g.dense = make([]float64, g.stride*g.stride)
	}
	kernel(g, g.block, g.rows)
	g.rows = 0
}

func (g *Gram) addPairs(cols []int32, vals []float64, w float64) {
	if g.sparse == nil {
		g.sparse = make([]float64, g.n*g.n)
	}
	if ascending(cols) { // same sums as in the other case, but no column occurs twice
		vals = vals[:len(cols)]
		for i, a := range cols {
			row := g.sparse[int(a)*g.n : int(a)*g.n+g.n]
			wv, others := w*vals[i], vals[i:]
			for k, b := range cols[i:] {
				row[b] += float64(wv * others[k])
			}
		}
		return
	}
	for i, a := range cols {
		row := g.sparse[int(a)*g.n : int(a)*g.n+g.n]
		wv := w * vals[i]
		row[a] += float64(wv * vals[i])
		for k, b := range cols[i+1:] {
			v := float64(wv * vals[i+1+k])
			if a == b {
				v *= 2
			}
			row[b] += v
		}
	}
}

func ascending(cols []int32) bool {
	for k := 1; k < len(cols); k++ {
		if cols[k] <= cols[k-1] {
			return false
		}
	}
	return true
}

// Sum returns copies of the symmetric matrix, row by row, and of the right-hand side.
func (g *Gram) Sum() (xx, xy []float64) {
	if g.rows > 0 {
		g.flush()
	}
	n := g.n
	xx = make([]float64, n*n)
	for i := range n {
		for j := i; j < n; j++ {
			v := 0.0
			if g.dense != nil {
				v = g.dense[i*g.stride+j]
			}
			if g.sparse != nil {
				v += g.sparse[i*n+j]
				if i != j {
					v += g.sparse[j*n+i]
				}
			}
			xx[i*n+j], xx[j*n+i] = v, v
		}
	}
	return xx, append([]float64(nil), g.xy...)
}

// kernel adds the products of all pairs of columns in a block of rows.
func kernel(g *Gram, block []float64, rows int) {
	if rows == 0 {
		return
	}
	var acc [asm.TileRows * asm.TileCols]float64
	for i := 0; i < g.stride; i += asm.TileRows {
		if i >= g.n {
			break
		}
		for j := i &^ (asm.TileCols - 1); j < g.stride; j += asm.TileCols {
			asm.Tile(&acc, block, g.stride, rows, i, j)
			for a := range asm.TileRows {
				d := g.dense[(i+a)*g.stride+j:][:asm.TileCols]
				for b, v := range acc[a*asm.TileCols:][:asm.TileCols] {
					d[b] += v
				}
			}
		}
	}
}
