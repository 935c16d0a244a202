// Package tuples creates a feature set for any board: tables of tuples of cells (n-tuples: Bledsoe
// and Browning 1959; in games Lucas 2007). It requires only the rules of a game.
//
// A game describes its board ([game.Celled]). shapes.go selects single cells, rows, columns,
// diagonals and rectangles, each with its images under the symmetries of the rules. set.go creates
// the [features.Set], with additional weights for the number of occupied cells and the player to
// move. It updates the active weights from one position to the next.
package tuples

import (
	"fmt"
	"sync"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// Name is the name of the set in every game.
const Name = "tuples"

// stages is the number of stages of the game that have separate weights. The fraction of occupied
// cells determines the stage.
const stages = 8

// Suits reports whether a game without wrappers has a board for which a set can be created. If
// cells are hidden, the set uses only what the player knows.
func Suits(g *game.Game) bool {
	_, ok := game.Base(g.New()).(game.Celled)
	return ok
}

type set struct {
	features.Outline
	cells   game.Cells
	players int
	sides   [2]*features.Patterns // tables for the first player and for the others, which are the same unless the players are Apart
	dense   int                   // number of features before the tables: 1 if there is a score
	stage   int32                 // index of the stage weights in the tables
	beside  int32                 // number of combinations of the additional cells
	scratch sync.Pool
}

var (
	_ features.TupleIndexer = (*set)(nil)
	_ features.Compiler     = (*set)(nil)
	_ features.Shaper       = (*set)(nil)
	_ features.Anchored     = (*set)(nil)
)

// Set returns the set for g, which must satisfy [Suits].
func Set(g *game.Game) features.Set { return newSet(g, false) }

// newSet implements [Set]. If collected is set, another set already contains the points collected
// so far.
func newSet(g *game.Game, collected bool) *set {
	start := game.Base(g.New())
	t := &set{Outline: features.Outline{Called: Name, Seen: seer}, cells: start.(game.Celled).Cells(), players: g.Players, beside: 1}
	if _, scores := start.(game.Scorer); scores && g.Players == 1 && !collected {
		t.dense = 1
		t.Add(features.Block{Name: score, Len: 1})
	}
	b := newBoard(t.cells)
	prefixes := []string{""}
	if t.cells.Apart {
		prefixes = []string{"first-", "others-"}
	}
	for k, prefix := range prefixes {
		t.sides[k] = features.NewPatterns(int(t.Add())-t.dense, t.cells.Rows*t.cells.Columns, b.patterns(prefix)...)
		t.Add(t.sides[k].Blocks()...)
	}
	if !t.cells.Apart {
		t.sides[1] = t.sides[0]
	}
	for _, things := range t.cells.Extra {
		t.beside *= int32(things)
	}
	t.stage = t.Add(features.Block{Name: "stage", Len: t.players * 3 * stages * int(t.beside), Table: true, Label: t.stageName}) - int32(t.dense)
	t.scratch.New = func() any { return t.newView() }
	return t
}

// score is the name of the term for the points collected so far, in single-player games.
const score = "score"

// Anchors implements [features.Anchored]. The score has a fixed weight, and the tables learn the
// points still to come.
func (t *set) Anchors() map[string]float64 {
	if t.dense == 0 {
		return nil
	}
	return map[string]float64{score: 1}
}

func (t *set) Shapes() []features.Shape {
	shapes := t.sides[0].ShapesOn(&t.cells)
	if t.cells.Apart {
		shapes = append(shapes, t.sides[1].ShapesOn(&t.cells)...)
	}
	return shapes
}

// seer returns the player from whose point of view s is described: the mover, or the player to whom
// a chance node belongs.
func seer(s game.State) game.Player {
	if p := s.Turn(); p >= 0 {
		return p
	}
	if c, ok := s.(game.Chancer); ok && s.Turn() == game.Chance {
		return c.For()
	}
	return 0
}

func (t *set) Placements() int { return t.sides[0].Placements() + 1 }

// Dense implements [features.TupleIndexer]. It appends the score.
func (t *set) Dense(s game.State, p game.Player, x models.Vector) models.Vector {
	if t.dense > 0 {
		x = append(x, models.Term{Index: 0, Value: float32(s.(game.Scorer).Score(p))})
	}
	return x
}

func (t *set) Indices(s game.State, p game.Player, dst []int32) {
	v := t.scratch.Get().(*view)
	copy(dst, v.indices(t, s, p))
	t.scratch.Put(v)
}

func (t *set) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	x = t.Dense(s, p, x)
	v := t.scratch.Get().(*view)
	for _, i := range v.indices(t, s, p) {
		x = append(x, models.Term{Index: int32(t.dense) + i, Value: 1})
	}
	t.scratch.Put(v)
	return x
}

// stageAt returns the weight for the number of occupied cells, the player to move and the
// additional cells. The parameter cells is the result of Fill.
func (t *set) stageAt(s game.State, p game.Player, cells []uint8) int32 {
	board := t.cells.Rows * t.cells.Columns
	full := 0
	for _, c := range cells[:board] {
		if c != 0 {
			full++
		}
	}
	turn := other
	switch s.Turn() {
	case p:
		turn = own
	case game.Chance:
		turn = nature
	}
	at := (int32(p)*3+turn)*stages + int32(min(stages-1, full*stages/(board-len(t.cells.Holes))))
	for i, c := range cells[board:] {
		at = at*int32(t.cells.Extra[i]) + int32(c)
	}
	return t.stage + at
}

// Player to move, from a player's point of view.
const (
	own int32 = iota
	nature
	other
)

// stageName returns the name of the i-th stage weight.
func (t *set) stageName(i int) string {
	beside := i % int(t.beside)
	i /= int(t.beside)
	turn := [3]string{"to move", "nature to move", "another to move"}[i/stages%3]
	text := fmt.Sprintf("stage[player %d,%s,%d/%d", i/stages/3, turn, i%stages, stages)
	if t.beside > 1 {
		text += fmt.Sprintf(",beside %d", beside)
	}
	return text + "]"
}

// A view contains the board last used for each side, with its active weights. The next board is
// usually similar, and only a few placements contain a changed cell. A view must not be used by
// several goroutines at a time.
type view struct {
	cells []uint8
	seen  [2]struct {
		cells []uint8
		at    []int32 // active weights of the placements, and of the stage
	}
}

func (t *set) newView() *view {
	v := &view{cells: make([]uint8, t.cells.Len())}
	for k := range v.seen {
		s := &v.seen[k]
		s.cells = make([]uint8, t.cells.Len())
		s.at = append(t.sides[k].Indices(s.cells, nil), 0)
	}
	return v
}

// indices returns the active weights at s from p's point of view. The weight of the stage is last.
// The slice belongs to the view.
func (v *view) indices(t *set, s game.State, p game.Player) []int32 {
	game.Base(s).(game.Celled).Fill(p, v.cells)
	k := min(p, 1)
	seen, patterns := &v.seen[k], t.sides[k]
	board := t.cells.Rows * t.cells.Columns
	for c, now := range v.cells[:board] {
		if before := seen.cells[c]; before != now {
			patterns.Change(seen.at, c, before, now)
			seen.cells[c] = now
		}
	}
	last := len(seen.at) - 1
	seen.at[last] = t.stageAt(s, p, v.cells)
	return seen.at
}

// Board returns the description of g's board with which [models.Export] writes a model of the given
// set. It returns nil unless [Set] or [Joined] created the set.
func Board(g *game.Game, of features.Set) *models.Board {
	if j, ok := of.(*joined); ok {
		of = j.tables
	}
	t, ok := of.(*set)
	if !ok {
		return nil
	}
	c := t.cells
	total, _ := g.FixedSum()
	b := &models.Board{
		Rows: c.Rows, Columns: c.Columns, Holes: len(c.Holes), Upward: c.Upward, States: c.States, Symbols: c.Symbols, Legend: c.Legend, Extra: c.Extra,
		Apart: c.Apart, Stages: stages, Opposed: g.Players == 2 && features.OneValue(g), Total: total,
	}
	for _, p := range newBoard(c).patterns("") {
		b.Placements = append(b.Placements, p.Cells)
	}
	return b
}

// Compile implements [features.Compiler]. The result uses the tables directly, without a vector.
func (t *set) Compile(g *game.Game, m *models.Linear) features.Compiled {
	return &sum{set: t, model: m, view: t.newView(), opposed: features.OneValue(g), seen: seer}
}

type sum struct {
	set     *set
	model   *models.Linear
	view    *view
	opposed bool // the second of two players has the opposite value
	seen    func(s game.State) game.Player
}

func (c *sum) Sum(s game.State, p game.Player) float64 {
	if c.opposed {
		p = c.seen(s)
	}
	z := 0.0
	for _, i := range c.view.indices(c.set, s, p) {
		z += float64(c.model.Table[i])
	}
	if c.set.dense > 0 {
		z += float64(c.model.Weights[0] * float64(float32(s.(game.Scorer).Score(p))))
	}
	if c.opposed && p > 0 {
		z = -z
	}
	return c.model.Bias + z
}
