package evaluation

import (
	"context"
	"fmt"
	"math"

	"plyfit/game"
	"plyfit/game/play"
	"plyfit/models"
	"plyfit/study"
)

// leaf is a position as a search's horizon meets it.
type leaf struct {
	state  game.State
	X      float64 // see Argument.Of
	sign   int     // of the player at the root above it: 1 for player 0
	Hash   uint64
	parent uint64 // hash of the position that the last decision was taken in
	family int32  // leaves of one family are alternatives of one decision
	tree   int32  // leaves of one tree are below one root, from 0 without gaps
}

// The sample of leaves is the same in all settings, so that damages are.
const (
	leafTrees    = 150
	leafFamilies = 12 // a tree
	leafDepth    = 3  // decisions below the roots

	poolSample = 4000
)

// sampleLeaves draws positions, and below each of them leaves of a search of leafDepth decisions:
// random ways down to its last decision, and all alternatives of that decision together.
func (u *Subject) sampleLeaves(ctx context.Context) error {
	arg := u.Argument(u.Model)
	dice := &play.Dice{Random: study.NewRand(u.Seed, 0x7ee5)}
	u.Leaves, u.trees = nil, 0
	for i := uint64(0); u.trees < leafTrees; i++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if i > 100*leafTrees {
			return fmt.Errorf("%s: too few positions far enough from the end of the game", u.Base.Spec)
		}
		root, ok := u.draw(game.Seed(u.Seed, 0x1eaf, i))
		if !ok {
			continue
		}
		before := len(u.Leaves)
		for range leafFamilies {
			u.family(root.Clone(), 1-2*int(root.Turn()), arg, dice)
		}
		if len(u.Leaves)-before > 1 {
			u.trees++
		} else {
			u.Leaves = u.Leaves[:before] // of one leaf no one says how far it is off
		}
	}
	return nil
}

// family appends the leaves below a last decision, drawn below the root s.
func (u *Subject) family(s game.State, sign int, arg *argument, dice *play.Dice) {
	var below play.Episode
	below.Luck = dice
	for below.Begin(s, 0, play.NoLimit); below.Next() && below.Decisions < leafDepth-1; {
		below.Play(dice.Uniform(s))
	}
	if s.Turn() == game.Nobody {
		return
	}
	parent, family := s.Hash(), int32(0)
	if n := len(u.Leaves); n > 0 {
		family = u.Leaves[n-1].family + 1
	}
	for _, m := range s.Moves(nil) {
		p := s.Clone()
		p.Play(m)
		for p.Turn() == game.Chance && u.Evaluation.Leaves != models.Afterstate {
			p.Play(dice.Draw(p))
		}
		if p.Turn() != game.Nobody {
			u.Leaves = append(u.Leaves, leaf{p, arg.Of(p), sign, p.Hash(), parent, family, int32(u.trees)})
		}
	}
}

// Pool draws and ranks the sample anew, each leaf at the end of a random walk, for a solved board.
func (u *Subject) Pool() error {
	arg := u.Argument(u.Model)
	dice := &play.Dice{Random: study.NewRand(u.Seed, 0x1eaf)}
	below := play.Episode{Luck: dice}
	u.Leaves, u.trees = nil, 1
	for i := uint64(0); len(u.Leaves) < poolSample; i++ {
		if i > 100*poolSample {
			return fmt.Errorf("%s: too few positions far enough from the end of the game", u.Base.Spec)
		}
		p, ok := u.draw(game.Seed(u.Seed, 0x1eaf, i))
		if !ok {
			continue
		}
		sign := 1 - 2*int(p.Turn())
		below.Begin(p, 0, play.NoLimit)
		for below.Next() && below.Decisions < leafDepth {
			below.Play(dice.Uniform(p))
		}
		if p.Turn() != game.Nobody {
			u.Leaves = append(u.Leaves, leaf{state: p, X: arg.Of(p), sign: sign, Hash: p.Hash(), family: int32(i)})
		}
	}
	u.Rank()
	return nil
}

// Misfit is the size of the error of a damaged evaluation at the leaves: the root-mean-square
// difference from the clean one, in half ranges of utility, after the best affine fit within each
// tree. What an affine map of one tree's values can mend, the planner at its root does not notice.
func (u *Subject) Misfit(d Damage) float64 {
	damaged, clean := u.leafValues(d)
	sum := 0.0
	for _, r := range u.residuals(damaged, clean) {
		sum += float64(r * r)
	}
	return math.Sqrt(sum / float64(len(u.Leaves)))
}

// leafValues are what the leaves are worth to the players at their roots.
func (u *Subject) leafValues(d Damage) (damaged, clean []float64) {
	l := u.Damaged(u.Finish(d))
	damaged, clean = make([]float64, len(u.Leaves)), make([]float64, len(u.Leaves))
	for i := range u.Leaves {
		at := &u.Leaves[i]
		damaged[i] = l.value(at.state, at.parent, at.X, -Grades, Grades, at.sign)
		clean[i] = float64(at.sign*gradeOf(at.X)) / Grades
	}
	return damaged, clean
}

// residuals are what is left of y after the best affine fit of x within each tree.
func (u *Subject) residuals(x, y []float64) []float64 {
	type sums struct{ n, x, y, xx, xy float64 }
	trees := make([]sums, u.trees)
	for i, at := range u.Leaves {
		t := &trees[at.tree]
		t.n, t.x, t.y = t.n+1, t.x+x[i], t.y+y[i]
	}
	for i := range trees {
		t := &trees[i]
		t.x, t.y = t.x/t.n, t.y/t.n // means from here on
	}
	for i, at := range u.Leaves {
		t := &trees[at.tree]
		dx, dy := x[i]-t.x, y[i]-t.y
		t.xx, t.xy = t.xx+float64(dx*dx), t.xy+float64(dx*dy)
	}
	out := make([]float64, len(u.Leaves))
	for i, at := range u.Leaves {
		t := &trees[at.tree]
		out[i] = y[i] - t.y
		if t.xx > 0 {
			out[i] -= float64(t.xy / t.xx * (x[i] - t.x))
		}
	}
	return out
}

// SiblingCorrelation is how much the errors of a decision's alternatives have in common: the
// correlation between two leaves of one family of what the clean value does not explain of the
// damaged one. White noise has about 0, noise that all alternatives share nearly 1. Where errors
// depend on each other a deeper search cures less of them (Lustrek, Gams and Bratko 2006; Nau and
// others 2010). 0 where there is no error.
func (u *Subject) SiblingCorrelation(d Damage) float64 {
	damaged, clean := u.leafValues(d)
	r := u.residuals(clean, damaged)
	var squares, products, pairs float64
	for from := 0; from < len(r); {
		to, sum, own := from, 0.0, 0.0
		for ; to < len(r) && u.Leaves[to].family == u.Leaves[from].family; to++ {
			sum, own = sum+r[to], own+float64(r[to]*r[to])
		}
		n := float64(to - from)
		squares += own
		products += float64(sum*sum) - own // over ordered pairs
		pairs += float64(n * (n - 1))
		from = to
	}
	if pairs == 0 || squares == 0 {
		return 0
	}
	return products / pairs / (squares / float64(len(r)))
}
