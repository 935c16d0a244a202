package asm

// TileRows and TileCols are the size of the tile that [Tile] sums.
const TileRows, TileCols = 4, 8

// Tile sets acc[a][b] to the sum over the rows of a block, stride numbers each, of
// column i+a times column j+b, the rows in order.
func Tile(acc *[TileRows * TileCols]float64, block []float64, stride, rows, i, j int) {
	if !AVX2 {
		tileGo(acc, block, stride, rows, i, j)
		return
	}
	_ = block[rows*stride-1]
	tileAVX2(acc, &block[i], &block[j], stride, rows)
}

func tileGo(acc *[TileRows * TileCols]float64, block []float64, stride, rows, i, j int) {
	// Two by four at a time: eight sums and their operands fit the sixteen
	// registers of the smallest machine.
	for a := 0; a < TileRows; a += 2 {
		for b := 0; b < TileCols; b += 4 {
			var s00, s01, s02, s03, s10, s11, s12, s13 float64
			for r := range rows {
				row := block[r*stride : (r+1)*stride]
				p, q := row[i+a:i+a+2], row[j+b:j+b+4]
				p0, p1 := p[0], p[1]
				q0, q1, q2, q3 := q[0], q[1], q[2], q[3]
				s00 += float64(p0 * q0)
				s01 += float64(p0 * q1)
				s02 += float64(p0 * q2)
				s03 += float64(p0 * q3)
				s10 += float64(p1 * q0)
				s11 += float64(p1 * q1)
				s12 += float64(p1 * q2)
				s13 += float64(p1 * q3)
			}
			u, v := acc[a*TileCols+b:][:4], acc[(a+1)*TileCols+b:][:4]
			u[0], u[1], u[2], u[3] = s00, s01, s02, s03
			v[0], v[1], v[2], v[3] = s10, s11, s12, s13
		}
	}
}
