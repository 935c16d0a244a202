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

// leaf is a position at the horizon of a search.
type leaf struct {
	state  game.State
	X      float64 // see Argument.Of
	sign   int     // of the player at the root: 1 for player 0
	Hash   uint64
	parent uint64 // hash of the last decision's position
	family int32  // shared by the alternatives of one decision
	tree   int32  // shared by the leaves below one root; trees are numbered from 0
}

// The sample of leaves is the same in all settings, so that damages are.
const (
	leafTrees    = 150
	leafFamilies = 12 // per tree
	leafDepth    = 3  // decisions below the roots

	poolSample = 4000
)

// roots calls sample with positions of the game and their numbers until it returns true.
func (u *Subject) roots(ctx context.Context, most uint64, sample func(i uint64, root game.State) (done bool)) error {
	for i := range 100*most + 1 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if root, ok := u.draw(game.Seed(u.Seed, 0x1eaf, i)); ok && sample(i, root) {
			u.Rank()
			return nil
		}
	}
	return fmt.Errorf("%s: too few positions far enough from the end of the game", u.Base.Spec)
}

// below plays random decisions from s, at most n, and reports whether the game goes on.
func below(s game.State, n int, dice *play.Dice) bool {
	e := play.Episode{Luck: dice}
	for e.Begin(s, 0, play.NoLimit); e.Next() && e.Decisions < n; {
		e.Play(dice.Uniform(s))
	}
	return s.Turn() != game.Nobody
}

// sampleLeaves draws positions, and below each of them leaves of a search of leafDepth decisions:
// random ways down to its last decision, and all alternatives of that decision.
func (u *Subject) sampleLeaves(ctx context.Context) error {
	arg := u.Argument(u.Model)
	dice := &play.Dice{Random: study.NewRand(u.Seed, 0x7ee5)}
	return u.roots(ctx, leafTrees, func(_ uint64, root game.State) bool {
		before := len(u.Leaves)
		for range leafFamilies {
			u.family(root.Clone(), 1-2*int(root.Turn()), arg, dice)
		}
		if len(u.Leaves)-before > 1 {
			u.trees++
		} else {
			u.Leaves = u.Leaves[:before] // the error of a single leaf is not defined
		}
		return u.trees == leafTrees
	})
}

// family appends the leaves below a last decision, drawn below the root s.
func (u *Subject) family(s game.State, sign int, arg *argument, dice *play.Dice) {
	if !below(s, leafDepth-1, dice) {
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

// Pool replaces the sample for a solved board: each leaf is at the end of a random walk of its own.
func (u *Subject) Pool(ctx context.Context) error {
	arg := u.Argument(u.Model)
	dice := &play.Dice{Random: study.NewRand(u.Seed, 0x1eaf)}
	u.Leaves, u.trees = nil, 1
	return u.roots(ctx, poolSample, func(i uint64, p game.State) bool {
		sign := 1 - 2*int(p.Turn())
		if below(p, leafDepth, dice) {
			u.Leaves = append(u.Leaves, leaf{state: p, X: arg.Of(p), sign: sign, Hash: p.Hash(), family: int32(i)})
		}
		return len(u.Leaves) == poolSample
	})
}

// Misfit returns the size of the error of a damaged evaluation at the leaves: the root-mean-square
// difference from the clean one, in half ranges of utility, after the best affine fit within each
// tree, since the planner at the root does not notice an affine map.
func (u *Subject) Misfit(d Damage) float64 {
	damaged, clean := u.leafValues(d)
	sum := 0.0
	for _, r := range u.residuals(damaged, clean) {
		sum += float64(r * r)
	}
	return math.Sqrt(sum / float64(len(u.Leaves)))
}

// leafValues returns the values of the leaves to the players at their roots.
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

// residuals returns y less its best affine fit by x within each tree.
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

// SiblingCorrelation returns the correlation, between two alternatives of one decision, of the part of
// the damaged value that the clean value does not explain: about 0 for white noise, near 1 for noise
// that all alternatives share, and 0 without an error. Correlated errors are harder to cure by a deeper
// search (Lustrek, Gams and Bratko 2006; Nau and others 2010).
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
