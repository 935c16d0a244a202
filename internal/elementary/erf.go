package elementary

import "math"

// The error function follows FreeBSD's msun, s_erf.c, which derives its rational approximations:
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun
// Microsystems, Inc. business. Permission to use, copy, modify, and distribute this software is
// freely granted, provided that this notice is preserved.

const erfOne = 8.45062911510467529297e-01 // erf(1) to 24 bits

// erfNear returns (erf(x) - x)/x for |x| < 0.84375, where z = x^2.
func erfNear(z float64) float64 {
	p := 1.28379167095512558561e-01 + float64(z*(-3.25042107247001499370e-01+float64(z*(-2.84817495755985104766e-02+float64(z*(-5.77027029648944159157e-03+float64(z*-2.37630166566501626084e-05)))))))
	q := 1 + float64(z*(3.97917223959155352819e-01+float64(z*(6.50222499887672944485e-02+float64(z*(5.08130628187576562776e-03+float64(z*(1.32494738004321644526e-04+float64(z*-3.96022827877536812320e-06)))))))))
	return p / q
}

// erfMiddle returns erf(1+s) - erfOne for 0.84375 <= 1+s < 1.25.
func erfMiddle(s float64) float64 {
	p := -2.36211856075265944077e-03 + float64(s*(4.14856118683748331666e-01+float64(s*(-3.72207876035701323847e-01+float64(s*(3.18346619901161753674e-01+float64(s*(-1.10894694282396677476e-01+float64(s*(3.54783043256182359371e-02+float64(s*-2.16637559486879084300e-03)))))))))))
	q := 1 + float64(s*(1.06420880400844228286e-01+float64(s*(5.40397917702171048937e-01+float64(s*(7.18286544141962662868e-02+float64(s*(1.26171219808761642112e-01+float64(s*(1.36370839120290507362e-02+float64(s*1.19844998467991074170e-02)))))))))))
	return p / q
}

// erfcFar returns 1 - erf(x) for 1.25 <= x < 28.
func erfcFar(x float64) float64 {
	s := 1 / (x * x)
	var p, q float64
	if x < 1/0.35 {
		p = -9.86494403484714822705e-03 + float64(s*(-6.93858572707181764372e-01+float64(s*(-1.05586262253232909814e+01+float64(s*(-6.23753324503260060396e+01+float64(s*(-1.62396669462573470355e+02+float64(s*(-1.84605092906711035994e+02+float64(s*(-8.12874355063065934246e+01+float64(s*-9.81432934416914548592e+00)))))))))))))
		q = 1 + float64(s*(1.96512716674392571292e+01+float64(s*(1.37657754143519042600e+02+float64(s*(4.34565877475229228821e+02+float64(s*(6.45387271733267880336e+02+float64(s*(4.29008140027567833386e+02+float64(s*(1.08635005541779435134e+02+float64(s*(6.57024977031928170135e+00+float64(s*-6.04244152148580987438e-02)))))))))))))))
	} else {
		p = -9.86494292470009928597e-03 + float64(s*(-7.99283237680523006574e-01+float64(s*(-1.77579549177547519889e+01+float64(s*(-1.60636384855821916062e+02+float64(s*(-6.37566443368389627722e+02+float64(s*(-1.02509513161107724954e+03+float64(s*-4.83519191608651397019e+02)))))))))))
		q = 1 + float64(s*(3.03380607434824582924e+01+float64(s*(3.25792512996573918826e+02+float64(s*(1.53672958608443695994e+03+float64(s*(3.19985821950859553908e+03+float64(s*(2.55305040643316442583e+03+float64(s*(4.74528541206955367215e+02+float64(s*-2.24409524465858183362e+01)))))))))))))
	}
	// Split x^2 into two parts, the first of which is exact.
	z := math.Float64frombits(math.Float64bits(x) &^ (1<<32 - 1))
	return Exp(float64(-z*z)-0.5625) * Exp(float64((z-x)*(z+x))+p/q) / x
}

// Erf returns the error function of x, 2/sqrt(pi) times the integral of e^(-t^2) from 0 to x.
func Erf(x float64) float64 {
	x = float64(x) // see the package comment
	size := math.Abs(x)
	switch {
	case size < 0x1p-28:
		return x + float64(x*1.28379167095512586316e-01)
	case size < 0.84375:
		return x + float64(x*erfNear(x*x))
	case size < 1.25:
		return math.Copysign(erfOne+erfMiddle(size-1), x)
	case size < 6:
		return math.Copysign(1-erfcFar(size), x)
	case x != x:
		return x
	}
	return math.Copysign(1, x)
}

// Erfc returns 1 - Erf(x), with full precision if the result is small.
func Erfc(x float64) float64 {
	x = float64(x) // see the package comment
	size := math.Abs(x)
	switch {
	case size < 0x1p-56:
		return 1 - x
	case x < 0.25 && x > -0.84375:
		return 1 - (x + float64(x*erfNear(x*x)))
	case size < 0.84375:
		return 0.5 - (float64(x*erfNear(x*x)) + (x - 0.5))
	case x > 0 && size < 1.25:
		return 1 - erfOne - erfMiddle(size-1)
	case size < 1.25:
		return 1 + (erfOne + erfMiddle(size-1))
	case x > 0 && size < 28:
		return erfcFar(size)
	case size < 6:
		return 2 - erfcFar(size)
	case x != x:
		return x
	case x > 0:
		return 0
	}
	return 2
}
