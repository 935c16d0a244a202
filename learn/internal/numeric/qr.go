package numeric

import (
	"math"

	"plyfit/internal/asm"
	"plyfit/internal/dense"
)

// QR accumulates the triangular factor R of a tall design matrix, and Q'y,
// without the matrix: rows are gathered in blocks, and every block is folded
// into R by Householder reflections that touch only the block and one row of R
// each (the flat tree of TSQR; Demmel, Grigori, Hoemmen, Langou 2012). Rounding
// is that of the columns, where normal equations square it.
type QR struct {
	n     int
	r     []float64 // (n+1) x (n+1), row by row: R with Q'y as its last column
	block []float64 // column by column, qrRows each
	rows  int
}

// qrRows is the height of a block.
const qrRows = asm.ReflectRows

// NewQR is an empty factor over n columns. It panics for n < 1.
func NewQR(n int) *QR {
	if n < 1 {
		panic("learn: NewQR without columns")
	}
	return &QR{n: n, r: make([]float64, (n+1)*(n+1)), block: make([]float64, (n+1)*qrRows)}
}

// Add takes a row that holds vals at cols and zeros elsewhere, with label y and
// weight w >= 0.
func (q *QR) Add(cols []int32, vals []float64, y, w float64) {
	root := math.Sqrt(w)
	for k, c := range cols {
		q.block[int(c)*qrRows+q.rows] += float64(root * vals[k])
	}
	q.block[q.n*qrRows+q.rows] = root * y
	q.next()
}

func (q *QR) next() {
	if q.rows++; q.rows == qrRows {
		q.fold()
	}
}

// fold reflects the block into R and clears it.
func (q *QR) fold() {
	if q.rows == 0 {
		return
	}
	m := q.n + 1
	col := func(j int) []float64 { return q.block[j*qrRows : (j+1)*qrRows] }
	for k := range m {
		v := col(k)
		tail := dense.Dot(v, v)
		if tail == 0 {
			continue
		}
		// The reflection that maps (r, v) to (beta, 0); LAPACK's dlarfg.
		alpha := q.r[k*m+k]
		beta := -math.Copysign(math.Sqrt(float64(alpha*alpha)+tail), alpha)
		tau := (beta - alpha) / beta
		dense.Scale(1/(alpha-beta), v)
		q.r[k*m+k] = beta
		asm.Reflect(v, q.block[(k+1)*qrRows:], q.r[k*m+k+1:(k+1)*m], tau)
	}
	clear(q.block)
	q.rows = 0
}

// Penalise adds a row of sqrt(scale*variance) for every column.
func (q *QR) Penalise(variance []float64, scale float64) {
	if scale == 0 {
		return
	}
	for j, v := range variance {
		q.Add([]int32{int32(j)}, []float64{math.Sqrt(scale * v)}, 0, 1)
	}
}

// Solve is the least-squares solution. Columns that are combinations of earlier
// ones get zero.
func (q *QR) Solve() []float64 {
	_, w := q.Factor(CollinearQR)
	return w
}

// Factor orthogonalises the columns of R among themselves, which finds those
// that are combinations, and reads the solution off.
func (q *QR) Factor(tol float64) (*Factor, []float64) {
	q.fold()
	m := q.n + 1
	y := make([]float64, q.n) // Q'y
	for i := range y {
		y[i] = q.r[i*m+q.n]
	}
	f, basis := orthogonal(q.r, q.n, m, tol)
	b := make([]float64, len(basis))
	for k, v := range basis {
		b[k] = dense.Dot(v, y)
	}
	f.back(b)
	w := make([]float64, q.n)
	for k, c := range f.Kept {
		w[c] = b[k]
	}
	return f, w
}
