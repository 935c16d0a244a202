package gogame

import "plyfit/game"

// The sizes of boards that there are.
const (
	minSize = 2
	maxSize = 19
)

type rules struct {
	size    int
	stride  int     // from a point to the one above it
	points  []int32 // the points of the board, row by row from A1
	place   []int32 // by point: its number on the board, row by row; -1 off the board
	key     [2][]uint64
	suicide bool // a group of two stones or more may be filled up by its owner
	margin  bool // the utility is the margin in points, not 1, 0 or -1
	komi    float64
}

// New is the game of go. Options: size, the edge of the board; komi, white's points for moving
// second; score, winning or the margin; suicide, whether a player may fill his own last liberty.
func New(o *game.Options) (*game.Game, error) {
	r := &rules{size: o.Int("size", 9, minSize, maxSize)}
	r.komi = o.Float("komi", usualKomi(r.size), -maxSize*maxSize, maxSize*maxSize)
	if r.komi*2 != float64(int(r.komi*2)) {
		o.Fail("komi", "a whole number of half points")
	}
	r.margin = o.String("score", "win", "win", "points") == "points"
	r.suicide = o.Bool("suicide", true)
	r.lay()
	g := &game.Game{
		Name:      "go",
		Spec:      o.Spec("go"),
		Doc:       "go by the rules of Tromp and Taylor; size=9 (2 to 19), komi=7 (7.5 on larger boards than 9x9 and on 5x5 to 8x8, 0 on smaller ones), score=win (1, 0 or -1) or points (the margin), suicide=on (of two stones or more)",
		Players:   2,
		Seats:     []string{"Black", "White"},
		Sum:       game.Zero,
		Min:       -1,
		Max:       1,
		MaxPlies:  8*r.size*r.size + 64,
		New:       func() game.State { return r.start() },
		Parse:     r.parse,
		ParseMove: parseMove,
		Formats:   []game.Format{sgf},
		Dialects:  []game.Dialect{r.gtp()},
	}
	if r.margin {
		g.Max = float64(r.size*r.size) + max(r.komi, -r.komi)
		g.Min = -g.Max
	}
	return g, o.Err()
}

// usualKomi is the komi where none is asked for: about what the first move is worth.
func usualKomi(size int) float64 {
	switch {
	case size < 5:
		return 0
	case size == 9:
		return 7
	}
	return 7.5
}

// lay numbers the points. Point 0 lies off the board, as do a row below it, one above, and one
// point next to each row, so that each point has four neighbours.
func (r *rules) lay() {
	r.stride = r.size + 1
	all := (r.size+2)*r.stride + 1
	r.place = make([]int32, all)
	r.key = [2][]uint64{make([]uint64, all), make([]uint64, all)}
	for p := range r.place {
		r.place[p] = -1
	}
	for row := range r.size {
		for column := range r.size {
			p := r.point(row, column)
			r.place[p] = int32(len(r.points))
			r.points = append(r.points, int32(p))
			for colour := range r.key {
				r.key[colour][p] = game.Mix(uint64(1<<20 + colour<<16 + row<<8 + column))
			}
		}
	}
}

// point is the point of a row and a column, both from 0.
func (r *rules) point(row, column int) int { return (row+1)*r.stride + column + 1 }
