package gogame

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/gogame"
	"plyfit/models"
)

// digits contains the symbols of a point in the names of weights: empty, the player's stone, and
// the other player's stone.
const digits = ".+-"

// largest is the side length of the largest shapes.
const largest = 3

var (
	powers   = [largest * largest]int{1, 3, 9, 27, 81, 243, 729, 2187, 6561}
	fillings = [largest + 1]int{1, 3, 81, 19683}
)

var leastOnce sync.Mutex

// least[k][mask] contains, for each filling of a square with side k, its smallest image under the
// symmetries in the mask. [leastUnder] computes an entry when it is first needed.
var least [largest + 1][256][]uint16

func leastUnder(k int, mask uint8) []uint16 {
	leastOnce.Lock()
	defer leastOnce.Unlock()
	if least[k][mask] == nil {
		l := slices.Repeat([]uint16{math.MaxUint16}, fillings[k])
		for g, cells := range game.Symmetries(k, k) {
			if mask>>g&1 == 0 {
				continue
			}
			for code := range l {
				image, rest := 0, code
				for _, to := range cells {
					image += rest % 3 * powers[to]
					rest /= 3
				}
				l[code] = min(l[code], uint16(image))
			}
		}
		least[k][mask] = l
	}
	return least[k][mask]
}

// shapes is the set go/shapes for one board size.
type shapes struct {
	features.Outline
	n        int
	windows  [largest + 1][]window // windows by side length
	free     [largest + 1]int32    // index of the first of the weights shared by all places, by side length
	anywhere [largest + 1][]uint16 // smallest images under all symmetries, by side length
	stage    int32                 // index of the first weight of the stages
	pass     int32
	count    int // number of placements
}

// A window is a square of the board.
type window struct {
	at    int      // point nearest to A1
	first int32    // index of the first weight of its place
	least []uint16 // for each filling, its image at the place that represents all symmetric ones
}

// newShapes returns the set go/shapes for boards with n points per side. Each filling of each
// square of 1x1, 2x2 and 3x3 points has a weight shared by all places and a weight for its own
// place. Squares and places that are equal under the symmetries of the board share their weights
// (Silver, Sutton and Müller, "Temporal-difference search in computer Go", 2012). In that paper,
// the colours also share weights. Here, the stones are encoded from the point of view of the side
// to move, so that the value of a shape depends on who moves next. Two further tables encode how
// full the board is for each side to move, and the result if the side to move answered a pass with
// a pass.
func newShapes(n int) features.Set {
	s := &shapes{Outline: features.Outline{Called: "go/shapes"}, n: n}
	add := func(name string, k int) (first int32) {
		return s.Add(features.Block{Name: name, Len: fillings[k], Table: true, Label: func(i int) string { return name + "[" + filling(i, k) + "]" }})
	}
	symmetries := game.Symmetries(n, n)
	for k := 1; k <= min(n, largest); k++ {
		s.anywhere[k] = leastUnder(k, 255)
		s.free[k] = add(fmt.Sprintf("%dx%d", k, k), k)
		begin := map[int]int32{}
		for r := range n - k + 1 {
			for c := range n - k + 1 {
				var corners [8]int // for each image of the square, the corner nearest to A1
				place := n * n
				for g, cells := range symmetries {
					corners[g] = n * n
					for _, cell := range [4]int{r*n + c, r*n + c + k - 1, (r+k-1)*n + c, (r+k-1)*n + c + k - 1} {
						corners[g] = min(corners[g], cells[cell])
					}
					place = min(place, corners[g])
				}
				mask := uint8(0)
				for g, corner := range corners {
					if corner == place {
						mask |= 1 << g
					}
				}
				if _, known := begin[place]; !known {
					begin[place] = add(fmt.Sprintf("%dx%d@%s", k, k, name(place, n)), k)
				}
				s.windows[k] = append(s.windows[k], window{r*n + c, begin[place], leastUnder(k, mask)})
			}
		}
		s.count += 2 * len(s.windows[k])
	}
	s.stage = s.Add(features.Block{Name: "stage", Len: 2 * stages, Table: true, Label: func(i int) string {
		return fmt.Sprintf("stage[%s,%d/%d]", [2]string{"black", "white"}[i/stages], i%stages, stages)
	}})
	s.pass = s.Add(features.Block{Name: "pass", Len: 4, Table: true, Label: func(i int) string {
		return "pass[" + [4]string{"none", "wins", "draws", "loses"}[i] + "]"
	}})
	s.count += 2
	return s
}

// stages is the number of stages, from an empty to a full board, that have separate weights.
const stages = 8

// name returns a point's name in the notation of the game.
func name(at, n int) string {
	return fmt.Sprintf("%c%d", "ABCDEFGHJKLMNOPQRST"[at%n], at/n+1)
}

// filling returns the text of the i-th filling of a square with side k, row by row from the point
// nearest to A1.
func filling(i, k int) string {
	text := make([]byte, k*k)
	for cell := range text {
		text[cell] = digits[i%3]
		i /= 3
	}
	return string(text)
}

var _ features.TupleIndexer = (*shapes)(nil)

func (s *shapes) Placements() int { return s.count }

// Dense implements [features.TupleIndexer]. The set has no features other than the tables.
func (s *shapes) Dense(_ game.State, _ game.Player, x models.Vector) models.Vector { return x }

func (s *shapes) Indices(st game.State, p game.Player, dst []int32) {
	b := board.Of(st)
	n := s.n
	var cells [points]uint8
	var rows [points]uint16 // fillings of k points in a row, indexed by the first point
	b.Fill(p, cells[:n*n])
	i, filled := 0, 0
	for _, w := range s.windows[1] {
		c := int32(cells[w.at])
		dst[i], dst[i+1] = s.free[1]+c, w.first+c
		i += 2
		if c != 0 {
			filled++
		}
	}
	for at := range n*n - 1 {
		rows[at] = uint16(cells[at]) + 3*uint16(cells[at+1])
	}
	for _, w := range s.windows[2] {
		code := rows[w.at] + 9*rows[w.at+n]
		dst[i], dst[i+1] = s.free[2]+int32(s.anywhere[2][code]), w.first+int32(w.least[code])
		i += 2
	}
	for at := range n*n - 2 {
		rows[at] += 9 * uint16(cells[at+2])
	}
	for _, w := range s.windows[3] {
		code := rows[w.at] + 27*rows[w.at+n] + 729*rows[w.at+2*n]
		dst[i], dst[i+1] = s.free[3]+int32(s.anywhere[3][code]), w.first+int32(w.least[code])
		i += 2
	}
	dst[i] = s.stage + int32(p)*stages + int32(min(stages-1, filled*stages/(n*n)))
	dst[i+1] = s.pass + ending(b, p)
}

// ending returns the index of the outcome if p passes: 0 if the previous move was not a pass, and
// otherwise 1 if p wins, 2 for a draw and 3 if p loses.
func ending(b *board.State, p game.Player) int32 {
	if !b.Passed() {
		return 0
	}
	u := b.Score()
	if p > 0 {
		u = -u
	}
	switch {
	case u > 0:
		return 1
	case u < 0:
		return 3
	}
	return 2
}

func (s *shapes) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	var at [2*3*points + 2]int32
	s.Indices(st, p, at[:s.count])
	for _, i := range at[:s.count] {
		x = append(x, models.Term{Index: i, Value: 1})
	}
	return x
}

// Compile implements [features.Compiler]. The result uses the tables directly, without a vector.
func (s *shapes) Compile(_ *game.Game, m *models.Linear) features.Compiled {
	return &shapeSum{set: s, table: m.Table, bias: m.Bias, at: make([]int32, s.count)}
}

type shapeSum struct {
	set   *shapes
	table []float32
	bias  float64
	at    []int32
}

func (c *shapeSum) Sum(st game.State, _ game.Player) float64 {
	p := st.Turn()
	c.set.Indices(st, p, c.at)
	z := 0.0
	for _, i := range c.at {
		z += float64(c.table[i])
	}
	if p > 0 {
		z = -z
	}
	return c.bias + z
}
