package elementary

import "math"

// Cos is the cosine of x, for angles of at most 2^20 (it panics beyond): x is
// reduced to an eighth of the circle by pi/4 in three parts (Cody and Waite
// 1980), where the Cephes library's polynomials (Moshier 1989) serve.
func Cos(x float64) float64 {
	x = float64(x) // see the package
	const (
		quarter1 = 7.85398125648498535156e-1 // pi/4 in parts of few digits
		quarter2 = 3.77489470793079817668e-8
		quarter3 = 2.69515142907905952645e-15
	)
	x = math.Abs(x)
	if !(x <= 1<<20) {
		panic("elementary: Cos of an angle beyond 2^20")
	}
	octant := uint64(x * (4 / math.Pi))
	octant += octant & 1
	n := float64(octant)
	z := ((x - float64(n*quarter1)) - float64(n*quarter2)) - float64(n*quarter3)
	zz := z * z
	var c float64
	if octant &= 7; octant == 2 || octant == 6 {
		c = z + float64(z*zz*(float64((float64((float64((float64(((float64(1.58962301576546568060e-10*zz))+-2.50507477628578072866e-8)*zz)+2.75573136213857245213e-6)*zz)+-1.98412698295895385996e-4)*zz)+8.33333333332211858878e-3)*zz)+-1.66666666666666307295e-1))
	} else {
		c = 1 - float64(0.5*zz) + float64(zz*zz*(float64((float64((float64((float64(((float64(-1.13585365213876817300e-11*zz))+2.08757008419747316778e-9)*zz)+-2.75573141792967388112e-7)*zz)+2.48015872888517045348e-5)*zz)+-1.38888888888730564116e-3)*zz)+4.16666666666665929218e-2))
	}
	if octant == 2 || octant == 4 {
		return -c
	}
	return c
}
