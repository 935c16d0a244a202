package tuples

import (
	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// view is a board as each side saw it last, and its weights: the next is mostly the same, and few
// placements cover a changed cell. It belongs to one goroutine at a time.
type view struct {
	cells []uint8
	seen  [2]struct {
		cells []uint8
		at    []int32 // of the placements, and of the stage
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

// indices are the weights counting at s in p's view, the stage's last. The view owns them.
func (v *view) indices(t *set, s game.State, p game.Player) []int32 {
	s.(game.Celled).Fill(p, v.cells)
	k := side(p)
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

// Compile implements [features.Compiler]: the plain tables, without a vector.
func (t *set) Compile(g *game.Game, m *models.Linear) features.Compiled {
	return &sum{set: t, model: m, view: t.newView(), opposed: features.OneValue(g), seen: seer}
}

type sum struct {
	set     *set
	model   *models.Linear
	view    *view
	opposed bool // the second of two players has the opposite of what the first has
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
