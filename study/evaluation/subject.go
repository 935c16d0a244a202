package evaluation

import (
	"context"

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

// LoadSubject reads a game without slip, and the evaluation that the user wants for it, or its own.
func LoadSubject(ctx context.Context, s *study.Session, spec string) (*Subject, error) {
	base, err := s.Catalog.World(spec)
	if err != nil {
		return nil, err
	}
	e, err := newEvaluation(base, s.Over.Eval)
	if err != nil {
		return nil, err
	}
	return newSubject(ctx, e, s.Seed)
}

func newSubject(ctx context.Context, e *Evaluation, seed uint64) (*Subject, error) {
	u := &Subject{Evaluation: e, Seed: seed}
	if err := u.sampleLeaves(ctx); err != nil {
		return nil, err
	}
	u.Rank()
	return u, nil
}

// Rank makes the warp of ranks of the leaves, counted from either side so that it favours neither.
func (u *Subject) Rank() {
	var grades []int
	for _, l := range u.Leaves {
		grades = append(grades, gradeOf(l.X), -gradeOf(l.X))
	}
	u.ranks = ranksOf(grades)
}

// Finish gives a damage what it needs of this game.
func (u *Subject) Finish(d Damage) Damage {
	if d.Kind == ranked {
		d.Ranks = u.ranks
	}
	return d
}

// Random decisions at the beginning of a sampled position.
const (
	fewestPlies = 6
	mostPlies   = 20
)

// draw is a position of the base game after 6 to 20 random decisions, with a player to move who has
// a choice and no move that ends the game; ok is false where the seed leads to none.
func (u *Subject) draw(seed uint64) (s game.State, ok bool) {
	dice := &play.Dice{Random: study.NewRand(seed)}
	s = u.Base.New()
	opening := play.Opening{Least: fewestPlies, Most: mostPlies, Tries: 1}
	if !opening.Draw(s, dice) {
		return nil, false
	}
	e := play.Episode{Luck: dice}
	if e.Begin(s, 0, play.NoLimit); !e.Next() {
		return nil, false
	}
	moves := s.Moves(nil)
	for _, m := range moves {
		s.Play(m)
		over := s.Turn() == game.Nobody
		s.Undo()
		if over {
			return nil, false
		}
	}
	return s.Clone(), len(moves) > 1
}

// Effort is about what a search of that depth takes beside another, by the branching of a position.
func (u *Subject) Effort(depth int, cuts bool) float64 {
	s := u.Base.New()
	if len(u.Leaves) > 0 {
		s = u.Leaves[0].state
	}
	branching := float64(max(2, len(s.Moves(nil))))
	if _, chance := game.As[game.Chancer](s); chance {
		branching *= 4 // nature's moves, many of which lead to the same places
	}
	if cuts {
		return elementary.Pow(branching, 0.7*float64(depth))
	}
	return elementary.Pow(branching, float64(depth))
}
