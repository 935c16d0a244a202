package exact

import (
	"context"
	"math"
	"slices"

	"plyfit/study/damage"
)

// tileGame is every position of 2048 on a small board in which the player is to
// move, in layers of one sum of the tiles. A move keeps the sum and a new tile
// raises it by 2 or 4, so what is worked out of a position from what may follow is
// one sweep from the highest sum to the lowest, with three layers at hand.
type tileGame struct {
	*grid
	layers [][]uint64 // by half the sum, each in the order in which it was found
	start  []spawn    // what nature may begin with
}

// spawn is a board that nature may make.
type spawn struct {
	board uint64
	p     float64
	four  bool
}

// fourShare is the probability that a new tile is a 4.
const fourShare = 0.1

// spawns appends what nature may make of the board.
func (g *grid) spawns(b uint64, dst []spawn) []spawn {
	first := len(dst)
	for _, c := range g.cells {
		if b&(15*c) == 0 {
			dst = append(dst, spawn{g.least(b | c), 1 - fourShare, false}, spawn{g.least(b | 2*c), fourShare, true})
		}
	}
	cells := float64(len(dst)-first) / 2
	for i := range dst[first:] {
		dst[first+i].p /= cells
	}
	return dst
}

// opening is what a game may begin with: two new tiles.
func (g *grid) opening() (start []spawn) {
	for _, a := range g.spawns(0, nil) {
		for _, b := range g.spawns(a.board, nil) {
			b.p *= a.p
			start = append(start, b)
		}
	}
	return start
}

// layer is a set of boards, numbered as they came.
type layer struct {
	known  index
	boards []uint64
}

// empty makes room for so many boards, and forgets those it had.
func (l *layer) empty(boards int) {
	size := 1 << 8
	for size < 2*boards+2 {
		size *= 2
	}
	l.known.reset(size)
	l.boards = l.boards[:0]
}

func (l *layer) add(b uint64) int32 {
	i, ok := l.known.get(b)
	if !ok {
		i = int32(len(l.boards))
		l.known.put(b, i)
		l.boards = append(l.boards, b)
	}
	return i
}

// newTileGame finds all positions that may follow from the start.
func newTileGame(ctx context.Context, g *grid, start []spawn) (*tileGame, error) {
	t := &tileGame{grid: g, start: start}
	var found [4]layer // by half the sum, which rises by 2 at most; the start's, by 3
	for i := range found {
		found[i].empty(0)
	}
	first, last := g.half(start[0].board), 0
	for _, c := range start {
		first = min(first, g.half(c.board))
	}
	add := func(half int, b uint64) {
		found[half%len(found)].add(b)
		last = max(last, half)
	}
	for _, c := range start {
		if g.half(c.board) >= first+len(found) {
			panic("study: 2048 begins with boards of too many sums")
		}
		add(g.half(c.board), c.board)
	}
	t.layers = make([][]uint64, first) // nothing is below
	var spawned []spawn
	var turn afterstates
	for half := first; half <= last; half++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		now := &found[half%len(found)]
		boards := slices.Clip(slices.Clone(now.boards))
		now.empty(len(boards))
		t.layers = append(t.layers, boards)
		t.turn(boards, &turn)
		for _, b := range turn.boards {
			spawned = g.spawns(b, spawned[:0])
			for _, c := range spawned {
				next := half + 1
				if c.four {
					next++
				}
				add(next, c.board)
			}
		}
	}
	return t, nil
}

// afterstates are those of a layer; those of its board i are the numbers in to
// from first[i] to first[i+1], in the order of the moves.
type afterstates struct {
	layer
	first, to []int32
	moves     []uint64
}

// turn finds the afterstates of a layer's boards.
func (t *tileGame) turn(boards []uint64, a *afterstates) {
	a.empty(len(boards)) // there are fewer of them, as a rule
	a.first, a.to = append(a.first[:0], 0), a.to[:0]
	for _, b := range boards {
		a.moves = t.moves(b, a.moves[:0])
		for _, m := range a.moves {
			a.to = append(a.to, a.add(m))
		}
		a.first = append(a.first, int32(len(a.to)))
	}
}

// Len is the number of positions.
func (t *tileGame) Len() (n int) {
	for _, l := range t.layers {
		n += len(l)
	}
	return n
}

// child is what may follow an afterstate, step what a move leads to: with the rows
// of figures worked out for them.
type child struct {
	p   float64
	row []float64
}

type step struct {
	gain float64
	row  []float64
}

// sweeper works out a row of figures for each position from those of its
// afterstates, and for each afterstate from those of what may follow. Rows begin
// as noughts.
type sweeper interface {
	width() int
	player(steps []step, row []float64) // none: the game is over
	after(board uint64, kids []child, row []float64)
}

// sweep works out all positions, and returns the row of the start: that of an
// empty board on which nature puts two tiles.
func (t *tileGame) sweep(ctx context.Context, k sweeper) ([]float64, error) {
	w := k.width()
	most := 0
	for _, l := range t.layers {
		most = max(most, len(l))
	}
	// All that a sweep needs is there from the beginning: it leaves no garbage.
	room := func() []float64 { return make([]float64, most*w) }
	var ring [3]struct {
		layer
		rows []float64
	}
	for i := range ring {
		ring[i].rows = room()
	}
	var after afterstates
	afterRows := room()
	rowsFor := func(rows []float64, n int) []float64 {
		rows = slices.Grow(rows[:0], n*w)[:n*w]
		clear(rows)
		return rows
	}
	starts := make([]child, len(t.start))
	var spawned []spawn
	var kids []child
	var steps []step
	for half := len(t.layers) - 1; half >= 0; half-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		boards := t.layers[half]
		t.turn(boards, &after)
		afterRows = rowsFor(afterRows, len(after.boards))
		for i, b := range after.boards {
			spawned, kids = t.spawns(b, spawned[:0]), kids[:0]
			for _, c := range spawned {
				in := &ring[(half+1)%3]
				if c.four {
					in = &ring[(half+2)%3]
				}
				n, ok := in.known.get(c.board)
				if !ok {
					panic("study: a position of 2048 that was not found before")
				}
				kids = append(kids, child{c.p, in.rows[int(n)*w : int(n+1)*w]})
			}
			k.after(b, kids, afterRows[i*w:(i+1)*w])
		}
		now := &ring[half%3]
		now.empty(len(boards))
		now.rows = rowsFor(now.rows, len(boards))
		for i, b := range boards {
			now.add(b)
			steps = steps[:0]
			before := t.worth(b)
			for _, n := range after.to[after.first[i]:after.first[i+1]] {
				steps = append(steps, step{t.worth(after.boards[n]) - before, afterRows[int(n)*w : int(n+1)*w]})
			}
			k.player(steps, now.rows[i*w:(i+1)*w])
		}
		for i, c := range t.start {
			if n, ok := now.known.get(c.board); ok {
				starts[i] = child{c.p, slices.Clone(now.rows[int(n)*w : int(n+1)*w])}
			}
		}
	}
	out := make([]float64, w)
	k.after(0, starts, out)
	return out, nil
}

// Where in the rows of all sweepers perfect play stands.
const (
	certain2048  = iota // what it is sure to gain though nature does its worst
	expected2048        // what it is expected to gain
	choices2048         // how many choices it will meet
	perfect2048         // how many figures these are
)

// solvePlayer fills in what perfect play makes of a position. It appends to best
// the moves that are equally good, among which perfect play draws.
func solvePlayer(steps []step, row []float64, best []int) []int {
	if len(steps) == 0 {
		return best
	}
	v, m := steps[0].gain+steps[0].row[expected2048], steps[0].gain+steps[0].row[certain2048]
	for _, s := range steps[1:] {
		v, m = max(v, s.gain+s.row[expected2048]), max(m, s.gain+s.row[certain2048])
	}
	row[expected2048], row[certain2048] = v, m
	least := damage.TieBelow(v)
	for i, s := range steps {
		if s.gain+s.row[expected2048] >= least {
			best = append(best, i)
		}
	}
	addBest(steps, best, row, choices2048, perfect2048)
	if len(steps) > 1 {
		row[choices2048]++
	}
	return best
}

// addBest adds to a stretch of figures what they come to after the best moves, of
// which each is as likely as the other.
func addBest(steps []step, best []int, row []float64, from, to int) {
	for _, i := range best {
		share := 1 / float64(len(best))
		in := steps[i].row[from:to]
		for j, x := range in {
			row[from+j] += float64(share * x)
		}
	}
}

// solveAfter fills in what perfect play makes of an afterstate, and all figures
// up to a limit that are mere expectations over what may follow.
func solveAfter(kids []child, row []float64, to int) {
	least := math.Inf(1)
	out := row[expected2048:to]
	for _, c := range kids {
		in := c.row[expected2048:to]
		in = in[:len(out)]
		for i, x := range in {
			out[i] += float64(c.p * x)
		}
		least = min(least, c.row[certain2048])
	}
	row[certain2048] = least
}
