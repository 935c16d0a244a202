package learn

// avx tells whether the processor and the system keep 256-bit registers.
var avx = hasAVX2()

func hasAVX2() bool

// tileAVX is tileGeneric on 256-bit registers: the same sums in the same order.
//
//go:noescape
func tileAVX(acc *[tileRows * tileCols]float64, a, b *float64, stride, rows int)

func tile(acc *[tileRows * tileCols]float64, block []float64, stride, rows, i, j int) {
	if !avx {
		tileGeneric(acc, block, stride, rows, i, j)
		return
	}
	_ = block[rows*stride-1]
	tileAVX(acc, &block[i], &block[j], stride, rows)
}

// reflect4AVX is reflect4Generic on 256-bit registers: the same sums in the
// same order.
//
//go:noescape
func reflect4AVX(v, block, r *float64, tau float64)

func reflect4(v, block, r []float64, tau float64) {
	if !avx {
		reflect4Generic(v, block, r, tau)
		return
	}
	_, _, _ = v[qrRows-1], block[4*qrRows-1], r[3]
	reflect4AVX(&v[0], &block[0], &r[0], tau)
}
