package numeric

import (
	"math"

	"plyfit/internal/dense"
)

// These are thresholds for the fraction of a column's sum of squares that earlier columns do not
// explain. Sums of products have a relative rounding error of about 1e-13.
const (
	Collinear = 1e-10 // below this, a column is a combination of other columns
	nearly    = 1e-7  // below this, a column's weight has only about three accurate digits
)

// A Factor is the triangular factor L of X'X = L L'. It covers only columns that are linearly
// independent of the columns before them.
type Factor struct {
	N       int
	Columns []int     // kept columns, ascending
	L       []float64 // row k belongs to Columns[k] and has k+1 numbers starting at k*N
	Near    []int     // columns in Columns that are nearly a combination of other columns
	Lost    []Lost
}

// A Lost column adds no information to that in the other columns.
type Lost struct {
	Column int
	// Parts lists the columns of which the lost column is a combination. It is empty if the column
	// is zero.
	Parts []int
}

// Cholesky factors the symmetric n x n matrix a. It leaves out a column if earlier columns explain
// all but a fraction tol of its sum of squares.
func Cholesky(a []float64, n int, tol float64) *Factor {
	f := &Factor{N: n, L: make([]float64, 0, n*n)}
	row := make([]float64, n)
	for j := range n {
		d := a[j*n+j]
		if !(d > 0) {
			f.Lost = append(f.Lost, Lost{Column: j})
			continue
		}
		for k, c := range f.Columns {
			l := f.L[k*n:]
			row[k] = (a[j*n+c] - dense.Dot(row[:k], l[:k])) / l[k]
		}
		r := row[:len(f.Columns)]
		rest := d - dense.Dot(r, r)
		if !(rest > tol*d) {
			f.Lost = append(f.Lost, Lost{j, f.parts(r, d, func(c int) float64 { return a[c*n+c] })})
			continue
		}
		f.push(j, r, math.Sqrt(rest), rest/d)
	}
	return f
}

func (f *Factor) push(column int, row []float64, diagonal, share float64) {
	k := len(f.Columns)
	f.L = f.L[:(k+1)*f.N]
	copy(f.L[k*f.N:], row)
	f.L[k*f.N+k] = diagonal
	f.Columns = append(f.Columns, column)
	if share < nearly {
		f.Near = append(f.Near, column)
	}
}

// parts returns the kept columns that make up a column with factor row r and sum of squares d.
func (f *Factor) parts(r []float64, d float64, square func(c int) float64) []int {
	b := append([]float64(nil), r...)
	f.back(b)
	var parts []int
	for k, v := range b {
		if math.Abs(v)*math.Sqrt(square(f.Columns[k])/d) > 1e-5 {
			parts = append(parts, f.Columns[k])
		}
	}
	return parts
}

// forward solves L x = b in place for the first len(b) kept columns.
func (f *Factor) forward(b []float64) {
	for k := range b {
		l := f.L[k*f.N:]
		b[k] = (b[k] - dense.Dot(l[:k], b[:k])) / l[k]
	}
}

// back solves L' x = b in place.
func (f *Factor) back(b []float64) {
	for k := len(b) - 1; k >= 0; k-- {
		l := f.L[k*f.N:]
		b[k] /= l[k]
		dense.AddScaled(b[:k], -b[k], l[:k])
	}
}

// Solve returns the solution over all columns for the right-hand side b, with zeros in the lost
// columns.
func (f *Factor) Solve(b []float64) []float64 {
	s := make([]float64, len(f.Columns))
	for k, c := range f.Columns {
		s[k] = b[c]
	}
	f.forward(s)
	f.back(s)
	x := make([]float64, f.N)
	for k, c := range f.Columns {
		x[c] = s[k]
	}
	return x
}

// Inverse returns the inverse of the matrix over the kept columns, row by row.
func (f *Factor) Inverse() []float64 {
	k := len(f.Columns)
	inv := make([]float64, k*k)
	for j := range k {
		e := inv[j*k : (j+1)*k]
		e[j] = 1
		f.forward(e)
		f.back(e)
	}
	return inv
}

// Submatrix returns the part of the n x n matrix a that belongs to the given columns.
func Submatrix(a []float64, n int, columns []int) []float64 {
	k := len(columns)
	out := make([]float64, k*k)
	for i, ci := range columns {
		for j, cj := range columns {
			out[i*k+j] = a[ci*n+cj]
		}
	}
	return out
}
