package dense

import (
	"math"
	"slices"
)

// LU is the LU factorisation of a matrix with partial pivoting (Golub and Van Loan, "Matrix
// Computations", 3.4).
type LU struct {
	n    int
	a    []float64 // U, and L below the diagonal of U; the diagonal of L is 1
	swap []int     // step k exchanged rows k and swap[k]
	norm float64   // 1-norm of the matrix: the largest column sum of absolute values
	flat bool      // whether a pivot is zero or not a number
}

// Factor returns the factorisation of the n x n matrix a. It does not modify a.
func Factor(a []float64, n int) *LU {
	f := &LU{n: n, a: append([]float64(nil), a...), swap: make([]int, n)}
	for j := range n {
		sum := 0.0
		for i := range n {
			sum += math.Abs(a[i*n+j])
		}
		f.norm = math.Max(f.norm, sum)
	}
	row := func(i int) []float64 { return f.a[i*n : (i+1)*n] }
	for k := range n {
		p := k
		for i := k + 1; i < n; i++ {
			if math.Abs(f.a[i*n+k]) > math.Abs(f.a[p*n+k]) {
				p = i
			}
		}
		f.swap[k] = p
		if p != k {
			a, b := row(k), row(p)
			for j, v := range a {
				a[j], b[j] = b[j], v
			}
		}
		pivot := row(k)
		if !(math.Abs(pivot[k]) > 0) {
			f.flat = true
			continue
		}
		for i := k + 1; i < n; i++ {
			r := row(i)
			if r[k] == 0 {
				continue
			}
			r[k] /= pivot[k]
			AddScaled(r[k+1:], -r[k], pivot[k+1:])
		}
	}
	return f
}

// Solve solves A x = b in place. It returns false if the matrix is singular.
func (f *LU) Solve(b []float64) bool {
	if f.flat {
		return false
	}
	n := f.n
	for k, p := range f.swap {
		b[k], b[p] = b[p], b[k]
	}
	for i := range n {
		b[i] -= Dot(f.a[i*n:i*n+i], b[:i])
	}
	for i := n - 1; i >= 0; i-- {
		b[i] = (b[i] - Dot(f.a[i*n+i+1:(i+1)*n], b[i+1:])) / f.a[i*n+i]
	}
	return true
}

func (f *LU) solveTransposed(b []float64) {
	n := f.n
	for i := range n {
		b[i] /= f.a[i*n+i]
		AddScaled(b[i+1:], -b[i], f.a[i*n+i+1:(i+1)*n])
	}
	for i := n - 1; i >= 0; i-- {
		AddScaled(b[:i], -b[i], f.a[i*n:i*n+i])
	}
	for k := n - 1; k >= 0; k-- {
		b[k], b[f.swap[k]] = b[f.swap[k]], b[k]
	}
}

// Inverse returns the inverse in row-major order, or nil if the matrix is singular.
func (f *LU) Inverse() []float64 {
	if f.flat {
		return nil
	}
	n := f.n
	inv, column := make([]float64, n*n), make([]float64, n)
	for j := range n {
		clear(column)
		column[j] = 1
		f.Solve(column)
		for i, v := range column {
			inv[i*n+j] = v
		}
	}
	return inv
}

// Cond returns a lower estimate of the condition number in the 1-norm (Hager 1984, "Condition
// estimates", in the form of Higham 1988). It returns infinity if a pivot is zero.
func (f *LU) Cond() float64 {
	n := f.n
	if n == 0 {
		return 0
	}
	if f.flat {
		return math.Inf(1)
	}
	x, sign := slices.Repeat([]float64{1 / float64(n)}, n), make([]float64, n)
	size, last := 0.0, -1
	for range 5 {
		f.Solve(x)
		sum := 0.0
		for i, v := range x {
			sum += math.Abs(v)
			sign[i] = math.Copysign(1, v)
		}
		if !(sum > size) {
			break
		}
		size = sum
		f.solveTransposed(sign)
		best := 0
		for i, v := range sign {
			if math.Abs(v) > math.Abs(sign[best]) {
				best = i
			}
		}
		if best == last {
			break
		}
		last = best
		clear(x)
		x[best] = 1
	}
	// A second vector, with alternating signs, is also tried, because the estimate from the first
	// one is poor for some matrices.
	for i := range x {
		x[i] = 1 + float64(i)/math.Max(1, float64(n-1))
		if i%2 == 1 {
			x[i] = -x[i]
		}
	}
	f.Solve(x)
	sum := 0.0
	for _, v := range x {
		sum += math.Abs(v)
	}
	return f.norm * math.Max(size, 2*sum/(3*float64(n)))
}
