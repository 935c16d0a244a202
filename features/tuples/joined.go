package tuples

import (
	"slices"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// JoinedName is the name of the set with both terms and tables, which is the same in every game.
const JoinedName = "tuples/terms"

// joined combines a game's own terms with generated tables. The terms learn the main factors in a
// few hundred games, and the tables learn the rest.
type joined struct {
	features.Outline
	terms  features.Set
	tables *set
	first  int32 // index of the first feature of the tables
}

var (
	_ features.Compiler   = (*joined)(nil)
	_ features.Shaper     = (*joined)(nil)
	_ features.Anchored   = (*joined)(nil)
	_ features.Documented = (*joined)(nil)
	_ features.Opposed    = (*joined)(nil)
)

// Joined returns a set that combines terms, a feature set of the game g, with tables. g must
// satisfy [Suits]. Joined returns nil if terms contains tables, or if it lacks the score of a
// single-player game with points.
func Joined(g *game.Game, terms features.Set) features.Set {
	j := &joined{Outline: features.Outline{Called: JoinedName, Columns: slices.Clone(terms.Blocks()), Seen: terms.View}, terms: terms}
	collected := false // whether the terms include the points collected so far
	for _, b := range j.Columns {
		if b.Table {
			return nil
		}
		collected = collected || b.Name == score
	}
	j.tables = newSet(g, collected)
	if j.tables.dense > 0 {
		return nil
	}
	j.first = j.Add(j.tables.Columns...)
	return j
}

// Shapes implements [features.Shaper]. It returns the shapes of the tables.
func (j *joined) Shapes() []features.Shape { return j.tables.Shapes() }

// Docs implements [features.Documented]. It returns the documentation of the terms.
func (j *joined) Docs() []features.Doc {
	if d, ok := j.terms.(features.Documented); ok {
		return d.Docs()
	}
	return nil
}

// Others implements [features.Opposed] for the terms.
func (j *joined) Others() map[string]string {
	if o, ok := j.terms.(features.Opposed); ok {
		return o.Others()
	}
	return nil
}

// Anchors implements [features.Anchored] for the terms.
func (j *joined) Anchors() map[string]float64 {
	if a, ok := j.terms.(features.Anchored); ok {
		return a.Anchors()
	}
	return nil
}

func (j *joined) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	x = j.terms.Extract(s, p, x)
	from := len(x)
	x = j.tables.Extract(s, p, x)
	for i := range x[from:] {
		x[from+i].Index += j.first
	}
	return x
}

// Compile implements [features.Compiler]. The result uses the compiled form of the terms, and the
// tables directly.
func (j *joined) Compile(g *game.Game, m *models.Linear) features.Compiled {
	terms := models.New(m.Game, j.terms.Name(), j.terms.Blocks())
	terms.Weights = m.Weights
	return &joinedSum{
		terms:  features.Compile(g, j.terms, terms),
		tables: sum{set: j.tables, model: m, view: j.tables.newView(), opposed: features.OneValue(g), seen: j.terms.View},
	}
}

type joinedSum struct {
	terms  features.Compiled
	tables sum
}

func (c *joinedSum) Sum(s game.State, p game.Player) float64 {
	if t, ok := c.terms.(features.Tracked); ok {
		t.Reset(s)
	}
	return c.terms.Sum(s, p) + c.tables.Sum(s, p)
}
