package evaluation

import (
	"context"
	"slices"

	"plyfit/game"
	"plyfit/game/play"
	"plyfit/internal/elementary"
	"plyfit/study"
)

// Subject is a game with its frozen evaluation, and a sample of the leaves of searches in it.
type Subject struct {
	*Evaluation
	Seed   uint64
	Leaves []leaf // by tree
	trees  int
	ranks  []float64
}

// LoadSubject reads a game without slip and the user's evaluation of it, or its own.
func LoadSubject(ctx context.Context, s *study.Session, spec string) (*Subject, error) {
	base, err := s.Catalog.World(spec)
	if err != nil {
		return nil, err
	}
	e, err := newEvaluation(base, s.Over.Eval)
	if err != nil {
		return nil, err
	}
	u := &Subject{Evaluation: e, Seed: s.Seed}
	return u, u.sampleLeaves(ctx)
}

// Rank makes the warp of ranks from the leaves: the share of leaves with a lower grade, mixed with a
// straight line so that missing grades stay apart. Leaves count from either side.
func (u *Subject) Rank() {
	const line = 0.02
	var grades []int
	for _, l := range u.Leaves {
		grades = append(grades, gradeOf(l.X), -gradeOf(l.X))
	}
	slices.Sort(grades)
	u.ranks = make([]float64, 2*Grades+1)
	for k := range u.ranks {
		first, _ := slices.BinarySearch(grades, k-Grades)
		last, _ := slices.BinarySearch(grades, k-Grades+1)
		share := float64(first+last) / 2 / float64(len(grades))
		u.ranks[k] = float64((1-line)*share) + line*float64(k)/(2*Grades)
	}
}

// Finish adds this game's ranks to a damage that needs them.
func (u *Subject) Finish(d Damage) Damage {
	if d.Kind == ranked {
		d.Ranks = u.ranks
	}
	return d
}

// draw returns a position of the base game after 6 to 20 random decisions, in which the player to move
// has a choice and no move that ends the game; ok is false if the seed leads to none.
func (u *Subject) draw(seed uint64) (s game.State, ok bool) {
	dice := &play.Dice{Random: study.NewRand(seed)}
	s = u.Base.New()
	opening := play.Opening{Least: 6, Most: 20, Tries: 1}
	if !opening.Draw(s, dice) {
		return nil, false
	}
	e := play.Episode{Luck: dice}
	if e.Begin(s, 0, play.NoLimit); !e.Next() {
		return nil, false
	}
	moves := s.Moves(nil)
	ends := func(m game.Move) bool {
		s.Play(m)
		defer s.Undo()
		return s.Turn() == game.Nobody
	}
	return s.Clone(), len(moves) > 1 && !slices.ContainsFunc(moves, ends)
}

// Effort estimates the relative cost of a search of depth decisions from the branching of a position.
// cuts means that the search is alpha-beta.
func (u *Subject) Effort(depth int, cuts bool) float64 {
	s := u.Leaves[0].state
	branching, power := float64(max(2, len(s.Moves(nil)))), float64(depth)
	if _, chance := game.As[game.Chancer](s); chance {
		branching *= 4 // nature's moves, many of which lead to the same places
	}
	if cuts {
		power *= 0.7
	}
	return elementary.Pow(branching, power)
}
