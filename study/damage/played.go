package damage

import (
	"fmt"

	"plyfit/internal/proc"
	"plyfit/study"
)

// Played is a match with what came of each of its pairs.
type Played struct {
	Match
	Points study.Pairs
}

// PairData are the matches, one a row, and their pairs, one a row, as tables NAME and NAME-pairs. A
// pair's cell is the number of its match in the first table.
func PairData(name string, list []Played) []study.Data {
	cells := study.Data{Name: name, Head: []string{"cell", "code", "seed", "game", "eval", "slip", "hostile", "assumes_slip", "assumes_hostile", "depth", "error", "error_seed", "opening_plies", "stream", "first_opening", "pairs", "score"}}
	pairs := study.Data{Name: name + "-pairs", Head: []string{"cell", "opening", "opening_seed", "points"}}
	code := proc.Version()
	for i, p := range list {
		arm := p.Arm()
		cells.Row(i, code, p.Seed, p.Game, p.Eval, p.World.Slip, p.World.Hostile, p.Assumes.Slip, p.Assumes.Hostile, p.Depth, arm.Error, p.Damage.Seed, p.Plies, p.Stream, p.From, p.Match.Pairs, p.Points.Tally().Mean())
		for j, halves := range p.Points {
			pairs.Row(i, p.From+j, fmt.Sprintf("%016x", p.OpeningSeed(j)), float64(halves)/2)
		}
	}
	return []study.Data{cells, pairs}
}
