package pig

import (
	"fmt"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/pig"
	"plyfit/models"
)

// tiles is the set pig/tiles. It contains the terms of pig/race, and tables in which each
// two-player position belongs to one tile per grid (tile coding, Sutton and Barto 2018, section
// 9.5.4). The axes of a grid are the roller's score, the other player's score and the turn total.
// Each tile has one weight for a decision and one for a die being rolled. All values are from the
// roller's point of view.
type tiles struct {
	features.Outline
	first [len(grids)]int32 // index of the first weight of each grid
}

// grids contains the number of tiles into which each grid divides the target. Coarse grids learn
// from few games, and fine grids can represent the turn total from which holding is better.
var grids = [...]int{10, 25, 50}

func newTiles() *tiles {
	t := &tiles{Outline: features.Outline{Called: "pig/tiles", Columns: race.Set().Blocks(), Seen: race.View}}
	for k, n := range grids {
		block := features.Block{Name: fmt.Sprintf("tiles-%d", n), Len: 2 * n * n * (n + 1), Table: true}
		block.Label = func(i int) string { return label(block.Name, n, i) }
		t.first[k] = t.Add(block)
	}
	return t
}

// label returns the name of the i-th weight of a grid. It contains the lower ends of the tile as
// percentages of the target: the roller's score, the turn total and the other player's score.
func label(name string, n, i int) string {
	die := "at-rest"
	if i&1 == 1 {
		die = "in-the-air"
	}
	i /= 2
	return fmt.Sprintf("%s[%d+%d:%d,%s]", name, 100*(i/(n+1)/n)/n, 100*(i%(n+1))/n, 100*(i/(n+1)%n)/n, die)
}

func (t *tiles) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	s := st.(*board.State)
	var v values
	v.measure(s, p)
	x = features.AppendValues(x, features.Numbers[float64](&v))
	roller := s.Player()
	sign := float32(1)
	if p != roller {
		sign = -1
	}
	target := s.Target()
	for k, n := range grids {
		tile := func(points, most int) int { return min(points*n/target, most) }
		i := tile(s.Score(roller), n-1)
		i = i*n + tile(s.Score(1-roller), n-1)
		i = i*(n+1) + tile(s.TurnTotal(), n)
		i *= 2
		if s.Turn() == game.Chance {
			i++
		}
		x = append(x, models.Term{Index: t.first[k] + int32(i), Value: sign})
	}
	return x
}
