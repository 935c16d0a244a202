//go:build !amd64

package learn

func tile(acc *[tileRows * tileCols]float64, block []float64, stride, rows, i, j int) {
	tileGeneric(acc, block, stride, rows, i, j)
}

func reflect4(v, block, r []float64, tau float64) { reflect4Generic(v, block, r, tau) }
