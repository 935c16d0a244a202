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

// Grades is the number of steps from the middle of a game's range to its end. Evaluations are
// rounded to whole steps, so that ties are exact under minimax and neighbouring values remain
// distinct under warps.
const Grades = 200

// A Subject is a game in all its worlds, with a frozen evaluation and a sample of search leaves.
// The evaluation is a linear model, usually with a sigmoid link. It returns grades from -Grades+1
// to Grades-1. A finished game has the grade that corresponds to its utility, so that a win is
// worth more than any other position.
type Subject struct {
	Base   *catalog.World // the game without slips and without an adversary
	Name   string         // name of the evaluation as given by the user
	Digest string         // digest of the model
	Model  *models.Linear
	Leaf   models.Leaves // kind of positions that searches evaluate
	Seed   uint64
	Leaves []leaf // ordered by tree

	set   features.Set
	trees int
	ranks []float64
}

// LoadSubject loads a game and the user's evaluation of it. The game must be a two-player zero-sum
// game with bounded utilities and without slips. For connect four, the default is the study's own
// evaluation. For other games, it is the shipped learned model or, if there is none, the
// hand-written model.
func LoadSubject(ctx context.Context, s *study.Session, spec string) (*Subject, error) {
	base, err := s.Catalog.World(spec)
	if err != nil {
		return nil, err
	}
	if base.Inside != nil {
		return nil, fmt.Errorf("game %s: want a game without wrappers (use --slip to add slips)", base.Spec)
	}
	name := s.Over.Eval
	switch {
	case name != "":
	case base.Name == "connect4":
		// This model was learned from games with slip 0.2, in the middle of the range of worlds. It
		// is calibrated. Warping an evaluation that is not calibrated might improve it.
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
		return nil, fmt.Errorf("game %s: want a two-player zero-sum game with bounded utilities", base.Spec)
	}
	digest, err := m.File().Digest()
	if err != nil {
		return nil, err
	}
	u := &Subject{Base: base, Name: name, Digest: digest[:12], Model: m, Leaf: m.Leaves, Seed: s.Seed, set: set}
	return u, u.sampleLeaves(ctx)
}

// grade returns the grade of u, a utility measured from the middle of the range in half ranges.
func grade(u float64) int { return int(math.Round(Grades * u)) }

// unit converts player 0's utility to a distance from the middle of the range, in half ranges. The
// result is limited to [-most, most].
func (u *Subject) unit(utility, most float64) float64 {
	x := (float64(2*utility) - u.Base.Min - u.Base.Max) / (u.Base.Max - u.Base.Min)
	return math.Max(-most, math.Min(most, x))
}

// Terminal returns the grade of player 0's utility, which is either the utility of a finished game
// or a bound.
func (u *Subject) Terminal(utility float64) int { return grade(u.unit(utility, 1)) }

// gradeOf returns the grade of tanh(x), where x is a weighted sum multiplied by the scale of the
// link. The result is limited so that it is not the grade of a won or lost game.
func gradeOf(x float64) int { return max(1-Grades, min(Grades-1, grade(elementary.Tanh(x)))) }

// argument evaluates positions. It must be used from a single goroutine.
type argument struct {
	sum   features.Unlinked
	scale float64
	flat  bool // whether the model has no link, so that the sum is a utility
	u     *Subject
}

func (u *Subject) Argument(m *models.Linear) *argument {
	scale, linked := m.Link.TanhScale()
	return &argument{features.Unlinked{Evaluator: features.NewEvaluator(u.Base.Game, u.set, m)}, scale, !linked, u}
}

// Of returns the x for which tanh(x) is player 0's expected utility in the unfinished base state s,
// in half ranges from the middle.
func (v *argument) Of(s game.State) float64 {
	z := v.sum.Evaluate(s, 0)
	if v.flat {
		return elementary.Atanh(v.u.unit(z, 0.9999))
	}
	return v.scale * z
}

// shaken returns the model with changed weights. A weight w becomes w (1 + by z), where z is a
// normal random number that depends on the seed and on the index of the weight.
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

// Rank computes the warp called ranks. A value is replaced by the fraction of leaves with a lower
// grade plus half the fraction with the same grade, where each leaf is counted from both sides. A
// small linear part keeps grades distinct if no leaf has them.
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

// draw returns a position of the base game after 6 to 20 random decisions. The player to move has a
// choice, and no move ends the game. ok is false if the seed leads to no such position.
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

// Effort returns an estimate of the relative cost of a search to the given depth.
func (u *Subject) Effort(depth int) float64 {
	return elementary.Pow(float64(len(u.Leaves[0].state.Moves(nil))), float64(depth))
}
