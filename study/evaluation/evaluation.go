package evaluation

import (
	"context"
	"fmt"
	"math"
	"slices"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/internal/elementary"
	"plyfit/models"
	"plyfit/study"
)

// Grades is the number of steps from the middle of a game's range to its end. Evaluations are whole
// numbers of them, so that ties are exact under minimax, and warps keep neighbours far apart.
const Grades = 200

// Subject is a game with its frozen evaluation in all its worlds, and a sample of the leaves of searches
// in it. The evaluation is a linear model through a sigmoid, in grades from -Grades+1 to Grades-1. Ends
// of the game have the grades of their utilities, so that a win is worth more than any position.
type Subject struct {
	Base   *catalog.World // the game without slip or adversary
	Name   string         // as the user named the evaluation
	Digest string         // of the model
	Model  *models.Linear
	Leaf   models.Leaves // where searches evaluate
	Seed   uint64
	Leaves []leaf // by tree

	set   features.Set
	trees int
	ranks []float64
}

// LoadSubject reads a game of two with a bounded sum of 0, without slip, and the user's evaluation of it.
// By default that is the study's own for connect four, and in other games the learned model if one is
// shipped, else the hand-written one.
func LoadSubject(ctx context.Context, s *study.Session, spec string) (*Subject, error) {
	base, err := s.Catalog.World(spec)
	if err != nil {
		return nil, err
	}
	if base.Inside != nil {
		return nil, fmt.Errorf("game %s: want a game without + (slip has a flag of its own)", base.Spec)
	}
	name := s.Over.Eval
	switch {
	case name != "":
	case base.Name == "connect4":
		// It was learned from games with slip 0.2, the middle of the worlds: a warp of an evaluation that
		// is not calibrated may be a repair.
		name = "models/learned/connect4-slip.json"
	case base.Entry.Ships("learned"):
		name = "learned"
	default:
		name = "handwritten"
	}
	set, m, err := base.Model(name)
	if err != nil {
		return nil, err
	}
	if base.Players != 2 || base.Sum != game.Zero || math.IsInf(base.Max-base.Min, 0) {
		return nil, fmt.Errorf("game %s: want a game of two whose utilities are bounded and add up to 0", base.Spec)
	}
	digest, err := m.File().Digest()
	if err != nil {
		return nil, err
	}
	u := &Subject{Base: base, Name: name, Digest: digest[:12], Model: m, Leaf: m.Leaves, Seed: s.Seed, set: set}
	return u, u.sampleLeaves(ctx)
}

// grade returns the grade of u, a utility in half ranges from the middle.
func grade(u float64) int { return int(math.Round(Grades * u)) }

// unit converts a utility of player 0 to half ranges from the middle, at most most from it.
func (u *Subject) unit(utility, most float64) float64 {
	x := (float64(2*utility) - u.Base.Min - u.Base.Max) / (u.Base.Max - u.Base.Min)
	return math.Max(-most, math.Min(most, x))
}

// Terminal returns the grade of a finished game for player 0, or of a bound of its end.
func (u *Subject) Terminal(utility float64) int { return grade(u.unit(utility, 1)) }

// gradeOf returns the grade of tanh(x), but never that of an end; x is a weighted sum times the link's scale.
func gradeOf(x float64) int { return max(1-Grades, min(Grades-1, grade(elementary.Tanh(x)))) }

// argument evaluates positions. It belongs to one goroutine.
type argument struct {
	sum   features.Unlinked
	scale float64
	flat  bool // the model has no link: its sum is a utility
	u     *Subject
}

func (u *Subject) Argument(m *models.Linear) *argument {
	scale, linked := m.Link.TanhScale()
	return &argument{features.Unlinked{Evaluator: features.NewEvaluator(u.Base.Game, u.set, m)}, scale, !linked, u}
}

// Of returns x at s, a base state that is not over: tanh(x) is player 0's expected utility, in half
// ranges from the middle.
func (v *argument) Of(s game.State) float64 {
	z := v.sum.Evaluate(s, 0)
	if v.flat {
		return elementary.Atanh(v.u.unit(z, 0.9999))
	}
	return v.scale * z
}

// shaken returns the model with each weight times 1 + by times a normal number of the seed and its place.
func (u *Subject) shaken(by float64, seed uint64) *models.Linear {
	m := u.Model.Clone()
	for i := range m.Weights {
		m.Weights[i] *= 1 + float64(by*normal(uint64(i), seed))
	}
	for i := range m.Table {
		m.Table[i] *= float32(1 + float64(by*normal(uint64(len(m.Weights)+i), seed)))
	}
	return m
}

// Rank makes the warp of ranks: the share of leaves with a lower grade, from either side, mixed with a
// straight line so that missing grades stay apart.
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

// Effort estimates the relative cost of a search of depth decisions.
func (u *Subject) Effort(depth int) float64 {
	return elementary.Pow(float64(len(u.Leaves[0].state.Moves(nil))), float64(depth))
}
