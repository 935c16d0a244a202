// Package elementary provides elementary functions with bit-identical results on every machine:
// exponentials, logarithms, powers, tanh and its inverse, the error function and the cosine.
//
// On some processors, the functions of package math are written in assembly, with fused
// multiplication if available. On others, they are Go code in which the compiler may fuse a product
// and a sum. The last digits of a computation then depend on the build, and so do choices between
// almost equal moves and everything that follows from them. In this package, every product is
// rounded before it is added, and tables are written as constants. Arguments are rounded on entry.
// Otherwise, if a call is inlined, a product that the caller passes could be fused with a sum in
// the function.
//
// All results are within three units in the last place of the exact value, most within one, except
// for Pow with large exponents. Special cases are the same as in package math.
package elementary

import "math"

// Roots contains 2^(-i/64) for i from 0 to 63, correctly rounded.
var Roots = [64]float64{
	0x1p+0, 0x1.fa7c1819e90d8p-1, 0x1.f50765b6e454p-1, 0x1.efa1bee615a27p-1,
	0x1.ea4afa2a490dap-1, 0x1.e502ee78b3ff6p-1, 0x1.dfc97337b9b5fp-1, 0x1.da9e603db3285p-1,
	0x1.d5818dcfba487p-1, 0x1.d072d4a07897cp-1, 0x1.cb720dcef9069p-1, 0x1.c67f12e57d14bp-1,
	0x1.c199bdd85529cp-1, 0x1.bcc1e904bc1d2p-1, 0x1.b7f76f2fb5e47p-1, 0x1.b33a2b84f15fbp-1,
	0x1.ae89f995ad3adp-1, 0x1.a9e6b5579fdbfp-1, 0x1.a5503b23e255dp-1, 0x1.a0c667b5de565p-1,
	0x1.9c49182a3f09p-1, 0x1.97d829fde4e5p-1, 0x1.93737b0cdc5e5p-1, 0x1.8f1ae99157736p-1,
	0x1.8ace5422aa0dbp-1, 0x1.868d99b4492edp-1, 0x1.82589994cce13p-1, 0x1.7e2f336cf4e62p-1,
	0x1.7a11473eb0187p-1, 0x1.75feb564267c9p-1, 0x1.71f75e8ec5f74p-1, 0x1.6dfb23c651a2fp-1,
	0x1.6a09e667f3bcdp-1, 0x1.6623882552225p-1, 0x1.6247eb03a5585p-1, 0x1.5e76f15ad2148p-1,
	0x1.5ab07dd485429p-1, 0x1.56f4736b527dap-1, 0x1.5342b569d4f82p-1, 0x1.4f9b2769d2ca7p-1,
	0x1.4bfdad5362a27p-1, 0x1.486a2b5c13cdp-1, 0x1.44e086061892dp-1, 0x1.4160a21f72e2ap-1,
	0x1.3dea64c123422p-1, 0x1.3a7db34e59ff7p-1, 0x1.371a7373aa9cbp-1, 0x1.33c08b26416ffp-1,
	0x1.306fe0a31b715p-1, 0x1.2d285a6e4030bp-1, 0x1.29e9df51fdee1p-1, 0x1.26b4565e27cddp-1,
	0x1.2387a6e756238p-1, 0x1.2063b88628cd6p-1, 0x1.1d4873168b9aap-1, 0x1.1a35beb6fcb75p-1,
	0x1.172b83c7d517bp-1, 0x1.1429aaea92dep-1, 0x1.11301d0125b51p-1, 0x1.0e3ec32d3d1a2p-1,
	0x1.0b5586cf9890fp-1, 0x1.0874518759bc8p-1, 0x1.059b0d3158574p-1, 0x1.02c9a3e778061p-1,
}

// Round rounds x to 32 significant bits, about nine decimal digits. It is intended for library
// results whose last digits depend on the machine, especially quantiles of distributions.
func Round(x float64) float64 {
	x = float64(x) // see the package comment
	fraction, exponent := math.Frexp(x)
	return math.Ldexp(math.Round(fraction*(1<<32)), exponent-32)
}

// Cos returns the cosine of x. It panics if |x| > 2^20. It reduces x to an eighth of the circle by
// subtracting pi/4 in three parts (Cody and Waite 1980), and uses the polynomials of the Cephes
// library (Moshier 1989).
func Cos(x float64) float64 {
	x = float64(x) // see the package comment
	const (
		quarter1 = 7.85398125648498535156e-1 // pi/4 in parts with few digits
		quarter2 = 3.77489470793079817668e-8
		quarter3 = 2.69515142907905952645e-15
	)
	x = math.Abs(x)
	if !(x <= 1<<20) {
		panic("elementary: Cos called with an angle beyond 2^20")
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
