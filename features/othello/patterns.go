package othello

import (
	"plyfit/features"
	"plyfit/game"
	rules "plyfit/game/othello"
	"plyfit/models"
)

type patternSet struct {
	features.Outline
	patterns *features.Patterns
}

// newPatterns is the set othello/patterns: a weight for every filling of the edges with their X
// squares, of the corners' 3x3 and 2x5 squares, of the rows and columns inside and of the diagonals
// from four squares on, symmetric ones sharing a table (the shapes of Buro's Logistello, 1997); and
// mobility, parity and tempo by phase, as in classic, which no pattern contains. Wipe-out, 1 for
// the side to move if it can take the other's last disc, outweighs them all against opponents who
// play for few discs: no pattern sees all discs, and self-play reaches it too seldom to learn its
// worth.
func newPatterns() features.Set {
	p := &patternSet{Outline: features.Outline{Called: "othello/patterns"}}
	for _, name := range patternTerms {
		p.Add(features.Phased(name, phases))
	}
	shapes := []features.Pattern{
		shape("edge", 0, 1, 2, 3, 4, 5, 6, 7, 9, 14),
		shape("corner3x3", 0, 1, 2, 8, 9, 10, 16, 17, 18),
		shape("corner2x5", 0, 1, 2, 3, 4, 8, 9, 10, 11, 12),
		shape("line2", 8, 9, 10, 11, 12, 13, 14, 15),
		shape("line3", 16, 17, 18, 19, 20, 21, 22, 23),
		shape("line4", 24, 25, 26, 27, 28, 29, 30, 31),
		shape("diagonal8", 0, 9, 18, 27, 36, 45, 54, 63),
		shape("diagonal7", 1, 10, 19, 28, 37, 46, 55),
		shape("diagonal6", 2, 11, 20, 29, 38, 47),
		shape("diagonal5", 3, 12, 21, 30, 39),
		shape("diagonal4", 4, 13, 22, 31),
	}
	p.Add(features.Block{Name: wipeOut, Len: 1})
	p.patterns = features.NewPatterns(len(patternTerms)*phases+1, 64, shapes...)
	p.Add(p.patterns.Blocks()...)
	return p
}

var patternTerms = [3]string{"mobility", "parity", "tempo"}

const wipeOut = "wipe-out"

func shape(name string, cells ...int) features.Pattern {
	return features.Pattern{Name: name, Cells: features.Orbit(cells, symmetries), Base: 3, Symbols: digits, Table: true}
}

func (p *patternSet) Shapes() []features.Shape { return p.patterns.Shapes(8, 8, legend) }

// legend says what digits mean.
const legend = "+ own disc, - the opponent's, . empty"

func (p *patternSet) Extract(s game.State, who game.Player, x models.Vector) models.Vector {
	own, opp, moves, replies := rules.Of(s).Seen(who)
	turn := float32(1)
	if s.Turn() != who {
		turn = -1
	}
	empties := 64 - count(own|opp)
	phase := phaseAt[empties]
	x = phase.Append(x, 0, float32(count(moves)-count(replies)))
	x = phase.Append(x, phases, turn*float32(2*(empties&1)-1))
	x = phase.Append(x, 2*phases, turn)
	if rules.Of(s).Sweeps() {
		x = append(x, models.Term{Index: 3 * phases, Value: turn})
	}
	var board [64]uint8
	rules.Of(s).Fill(who, board[:])
	return p.patterns.Extract(board[:], x)
}
