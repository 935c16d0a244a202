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

func reflect(v, block, r []float64, tau float64) { reflectGeneric(v, block, r, tau) }
