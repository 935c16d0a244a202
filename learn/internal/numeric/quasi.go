package numeric

import (
	"errors"
	"math"

	"plyfit/internal/dense"
)

// QuasiNewton minimises a smooth function by the limited-memory quasi-Newton method (Nocedal 1980;
// Liu and Nocedal 1989; Nocedal and Wright, Numerical Optimization, algorithms 7.4, 7.5 and 3.5).
// Evaluating a point takes a pass over the rows, so Value returns the function and its gradient
// together. In nearly all iterations, the first point that is tried, a unit step, is accepted.
type QuasiNewton struct {
	// Value returns f(x) and stores its gradient in grad.
	Value func(x, grad []float64) (float64, error)
	// Step is called after every iteration.
	Step func()
	// Curve estimates the second derivative in the direction dir at the point last passed to Value,
	// at a small fraction of the cost of Value. It may be nil. If the estimate places the minimum
	// along dir far from a unit step, the search tries the estimated minimum first.
	Curve      func(dir []float64) (float64, error)
	Iterations int // maximum number of iterations
	Pairs      int // number of stored pairs of steps and gradient changes
}

// ErrFloor is returned if no lower point was found, even along the gradient.
var ErrFloor = errors.New("no lower point along the gradient: the floor of rounding")

const (
	flat     = 1e-9 // largest gradient component at a minimum
	descends = 1e-4 // c1 in Wolfe's conditions
	flattens = 0.9  // c2 in Wolfe's conditions
	tries    = 20   // maximum number of points in a line search
)

// Minimise moves x to the lowest point found.
func (d *QuasiNewton) Minimise(x []float64) error {
	n := len(x)
	grad, next, nextGrad, dir := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	f, err := d.Value(x, grad)
	if err != nil {
		return err
	}
	var past memory
	for range d.Iterations {
		if Largest(grad) <= flat {
			return nil
		}
		for j, g := range grad {
			dir[j] = -g
		}
		past.turn(dir)
		slope := Dot(grad, dir)
		first := 1.0
		if len(past.pairs) == 0 || !(slope < 0) {
			past.forget()
			for j, g := range grad {
				dir[j] = -g
			}
			slope = -Dot(grad, grad)
			first = 1 / math.Sqrt(-slope)
		}
		if d.Curve != nil {
			c, err := d.Curve(dir)
			if err != nil {
				return err
			}
			if lowest := -slope / c; c > 0 && (len(past.pairs) == 0 || lowest < 0.5 || lowest > 2) {
				first = lowest
			}
		}
		at, err := d.search(f, slope, first, x, dir, next, nextGrad)
		if err == ErrFloor && len(past.pairs) > 0 {
			// The stored curvature may be outdated, so try again along the gradient.
			past.forget()
			for j, g := range grad {
				dir[j] = -g
			}
			slope = -Dot(grad, grad)
			at, err = d.search(f, slope, 1/math.Sqrt(-slope), x, dir, next, nextGrad)
		}
		if err != nil {
			return err
		}
		f = at
		past.remember(d.Pairs, x, next, grad, nextGrad)
		copy(x, next)
		copy(grad, nextGrad)
		d.Step()
	}
	return nil
}

// search searches along dir for a point that satisfies Wolfe's conditions. It stores the point in
// next and the gradient at the point in grad. Value was last called at this point.
func (d *QuasiNewton) search(f, slope, a float64, x, dir, next, grad []float64) (float64, error) {
	// The conditions hold somewhere between lo and hi. At lo, f decreases enough. At hi, f does not
	// decrease enough or its slope is positive. At first hi is unknown.
	lo, loF, loSlope := 0.0, f, slope
	hi, hiF, hiSlope := math.Inf(1), 0.0, 0.0
	for range tries {
		for j := range x {
			next[j] = x[j] + float64(a*dir[j])
		}
		v, err := d.Value(next, grad)
		if err != nil {
			return 0, err
		}
		s := Dot(grad, dir)
		switch {
		case !(v <= f+float64(descends*a*slope)) || v > loF:
			hi, hiF, hiSlope = a, v, s
		case math.Abs(s) <= -flattens*slope:
			return v, nil
		case s > 0:
			hi, hiF, hiSlope = a, v, s
		default:
			if lo, loF, loSlope = a, v, s; math.IsInf(hi, 1) {
				// Extrapolate to the point at which the slope is zero, but no further than ten
				// times the distance.
				far := 10 * a
				if curve := s - slope; curve > 0 {
					far = min(far, max(2*a, a-a*s/curve))
				}
				a = far
				continue
			}
		}
		if a = cubic(lo, loF, loSlope, hi, hiF, hiSlope); hi-lo <= 1e-12*hi {
			break
		}
	}
	return 0, ErrFloor
}

// cubic returns the minimum of the cubic through two points with given slopes. The result is kept
// away from the ends (Nocedal and Wright, equation 3.59).
func cubic(a, fa, sa, b, fb, sb float64) float64 {
	middle := a + float64((b-a)/2)
	d1 := sa + sb - 3*(fa-fb)/(a-b)
	d2 := math.Sqrt(float64(d1*d1) - float64(sa*sb))
	at := b - (b-a)*(sb+d2-d1)/(sb-sa+float64(2*d2))
	if !(at >= a+float64(0.1*(b-a)) && at <= b-float64(0.1*(b-a))) { // also true for NaN
		return middle
	}
	return at
}

// memory contains the most recent steps s and gradient changes y, oldest first.
type memory struct{ pairs []pair }

type pair struct {
	s, y  []float64
	rho   float64 // 1/(s.y)
	alpha float64
}

func (m *memory) forget() { m.pairs = m.pairs[:0] }

func (m *memory) remember(most int, x, next, grad, nextGrad []float64) {
	var p pair
	switch {
	case len(m.pairs) == most:
		p = m.pairs[0]
		copy(m.pairs, m.pairs[1:])
		m.pairs = m.pairs[:most-1]
	default:
		p = pair{s: make([]float64, len(x)), y: make([]float64, len(x))}
	}
	for j := range x {
		p.s[j], p.y[j] = next[j]-x[j], nextGrad[j]-grad[j]
	}
	sy := Dot(p.s, p.y)
	if !(sy > 0) {
		return // the slope has not increased, because of rounding errors
	}
	p.rho = 1 / sy
	m.pairs = append(m.pairs, p)
}

// turn multiplies dir by the approximate inverse Hessian.
func (m *memory) turn(dir []float64) {
	if len(m.pairs) == 0 {
		return
	}
	for i := len(m.pairs) - 1; i >= 0; i-- {
		p := &m.pairs[i]
		p.alpha = p.rho * Dot(p.s, dir)
		dense.AddScaled(dir, -p.alpha, p.y)
	}
	last := m.pairs[len(m.pairs)-1]
	scale := 1 / (last.rho * Dot(last.y, last.y))
	for j := range dir {
		dir[j] *= scale
	}
	for i := range m.pairs {
		p := &m.pairs[i]
		dense.AddScaled(dir, p.alpha-float64(p.rho*Dot(p.y, dir)), p.s)
	}
}

func Largest(x []float64) float64 {
	most := 0.0
	for _, v := range x {
		most = max(most, math.Abs(v))
	}
	return most
}
