package othello

import (
	"plyfit/features"
	"plyfit/game"
	rules "plyfit/game/othello"
	"plyfit/models"
)

// blocks contains the weights of a model's 2-tuples, combined for four squares at a time. Every
// pair of adjacent squares is part of a block of 2x2 squares. Looking up 49 blocks in tables of 81
// fillings therefore replaces looking up 240 individual pairs.
type blocks struct {
	bias float64
	at   [7][7][81]float64 // tables by row and column of the block's corner nearest to a1; an index has the four squares as base-3 digits, row by row
}

var _ features.Compiler = (*tuples)(nil)

func (t *tuples) Compile(_ *game.Game, m *models.Linear) features.Compiled {
	b := &blocks{bias: m.Bias}
	var pairs [64][64]*[9]float64
	for _, p := range t.pairs {
		// A pair that occurs in both orders is stored in only one of them.
		w := pairs[p.b][p.a]
		turned := w != nil
		if !turned {
			if w = pairs[p.a][p.b]; w == nil {
				w = new([9]float64)
				pairs[p.a][p.b] = w
			}
		}
		for i := range 9 {
			k := i
			if turned {
				k = i%3*3 + i/3
			}
			w[k] += m.Weights[int(p.first)+i]
		}
	}
	for r := range 7 {
		for c := range 7 {
			square := [4]int{8*r + c, 8*r + c + 1, 8*r + c + 8, 8*r + c + 9}
			for i := range 4 {
				for k := range 4 {
					w := pairs[square[i]][square[k]]
					if w == nil || i != 0 && k != 0 && !(i+k == 3) && !(i+k == 4 && c == 6) && !(i+k == 5 && r == 6) {
						continue // the next block contains this pair
					}
					b.add(r, c, i, k, w)
				}
			}
		}
	}
	return b
}

// add adds the weights of the pair of squares i and k in a block to the block's table.
func (b *blocks) add(r, c, i, k int, w *[9]float64) {
	place := [4]int{27, 9, 3, 1}
	for at := range b.at[r][c] {
		b.at[r][c][at] += w[3*(at/place[i]%3)+at/place[k]%3]
	}
}

func (b *blocks) Sum(s game.State, _ game.Player) float64 {
	own, opp := rules.Of(s).Discs()
	if s.Turn() > 0 {
		return b.bias - b.seen(opp, own)
	}
	return b.bias + b.seen(own, opp)
}

// seen returns the sum from the point of view of the player whose discs are own. The eight squares
// of a row are the bytes of a word. The fillings of pairs (3 times a square plus its right
// neighbour) and of blocks (9 times a pair plus the pair below) are also bytes of a word.
func (b *blocks) seen(own, opp uint64) (z float64) {
	const seven = 1<<56 - 1 // mask of the pairs in a row
	above := pairsOf(own, opp)
	for r := range 7 {
		below := pairsOf(own>>(8*r+8), opp>>(8*r+8))
		f := 9*(above&seven) + below&seven
		t := &b.at[r]
		z += t[0][f&0xff] + t[1][f>>8&0xff] + t[2][f>>16&0xff] + t[3][f>>24&0xff] +
			t[4][f>>32&0xff] + t[5][f>>40&0xff] + t[6][f>>48&0xff]
		above = below
	}
	return z
}

// pairsOf returns a word in which byte c encodes the contents of squares c and c+1 of the lowest
// row.
func pairsOf(own, opp uint64) uint64 {
	row := rules.Spread(own) | rules.Spread(opp)<<1
	return 3*row + row>>8
}
