//go:build !amd64

package learn

func tile(acc *[tileRows * tileCols]float64, block []float64, stride, rows, i, j int) {
	tileGeneric(acc, block, stride, rows, i, j)
}

func reflect4(v, block, r []float64, tau float64) { reflect4Generic(v, block, r, tau) }

func dotShorts(z []float64, w *[narrow]float64, start []int32, short []uint16) {
	dotShortsGeneric(z, w, start, short)
}

func addShorts(dst *[narrow]float64, g []float64, start []int32, short []uint16) {
	addShortsGeneric(dst, g, start, short)
}

func judgeFours(sum, product *[4]float64, scale float64, z, q []float64) int {
	return judgeFoursGeneric(sum, product, scale, z, q)
}
