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
	poolSample   = 4000
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
		for p.Turn() == game.Chance && u.Leaf != models.Afterstate {
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

// Misfit returns the size of a damage: the root mean square, in half ranges of utility, of what the best
// affine fit within each tree leaves. The planner at the root does not notice an affine map.
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
	l := u.Damaged(d)
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

// Tunable is a kind of error whose strength can be chosen: none at From, the most at To.
type Tunable struct {
	Name     string
	From, To float64
	Make     func(by float64) []Damage // returns the error's draws
}

func single(name string, from, to float64, make func(by float64) Damage) Tunable {
	return Tunable{name, from, to, func(by float64) []Damage { return []Damage{make(by)} }}
}

// drawn returns a kind of error of several draws, each with a seed that follows from the subject's.
func (u *Subject) drawn(name string, to float64, draws int, d Damage) Tunable {
	return Tunable{name, 0, to, func(by float64) (out []Damage) {
		for i := range uint64(draws) {
			d.By, d.Seed = by, game.Seed(u.Seed, 0xd2a3, i)
			out = append(out, d)
		}
		return out
	}}
}

const cube = 3 // the power that sets the common size

// Solo returns the power, exp(cz) and some seeds of white noise, each an error of one draw.
func (u *Subject) Solo(noises int) []Tunable {
	list := []Tunable{single("power", 1, 20, func(by float64) Damage { return Damage{Kind: Power, By: by} }), Scales()[0]}
	for i := range uint64(noises) {
		list = append(list, single("noise", 0, 8, func(by float64) Damage {
			return Damage{Kind: Noise, By: by, Seed: game.Seed(u.Seed, 0x4015e, i)}
		}))
	}
	return list
}

// Scales returns the errors of scale alone, which minimax does not notice: exp(cz) and a too steep link.
func Scales() []Tunable {
	return []Tunable{
		single("exp", 0.05, 7, func(by float64) Damage { return Damage{Kind: exponential, By: by} }),
		single("steep link", 1, 12, func(by float64) Damage { return Damage{Kind: rescaled, By: by} }),
	}
}

// Randoms returns the errors that are drawn, each with the given number of draws: white noise, noise
// three quarters of whose variance the alternatives of a decision share, and errors of all weights.
func (u *Subject) Randoms(draws int) []Tunable {
	return []Tunable{
		u.drawn("white noise", 8, draws, Damage{Kind: Noise}),
		u.drawn("shared noise", 8, draws, Damage{Kind: Noise, Shared: 0.75}),
		u.drawn("wrong weights", 4, draws, Damage{Kind: Weights}),
	}
}

// Underweighted returns the error of one feature: the one named, or the one that does the most damage.
func (u *Subject) Underweighted(ctx context.Context, name string) (Tunable, error) {
	term, most := -1, 0.0
	for i, w := range u.Model.Weights {
		switch {
		case ctx.Err() != nil:
			return Tunable{}, ctx.Err()
		case name != "" && u.Model.Name(int32(i)) == name:
			term, most = i, math.Inf(1)
		case name == "" && w != 0:
			if m := u.Misfit(Damage{Kind: Feature, By: 0, Term: i}); m > most {
				term, most = i, m
			}
		}
	}
	switch {
	case term < 0 && name != "":
		return Tunable{}, fmt.Errorf("feature %q: %s has no such term", name, u.Model.Features)
	case term < 0:
		return Tunable{}, fmt.Errorf("%s: the model has no feature to underweight", u.Base.Spec)
	}
	return single(u.Model.Name(int32(term))+" underweighted", 1, 0, func(by float64) Damage { return Damage{Kind: Feature, By: by, Term: term} }), nil
}

// Size returns the root mean square misfit of the first three draws of an error.
func (u *Subject) Size(damages []Damage) float64 {
	first := damages[:min(3, len(damages))]
	sum := 0.0
	for _, d := range first {
		m := u.Misfit(d)
		sum += float64(m * m)
	}
	return math.Sqrt(sum / float64(len(first)))
}

// strongest returns the strength nearest to To at which a warp keeps neighbouring grades apart.
func (t Tunable) strongest() float64 {
	to := t.To
	for range 60 {
		if d := t.Make(to)[0]; !d.Warps() || d.bendable() == nil {
			break
		}
		to = t.From + float64(0.9*(to-t.From))
	}
	return to
}

// CommonSize returns the cube's misfit, or the largest that all kinds reach, rounded down to four digits.
func (u *Subject) CommonSize(ctx context.Context, kinds []Tunable) (float64, error) {
	size := u.Misfit(Damage{Kind: Power, By: cube})
	for _, t := range kinds {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		size = min(size, u.Size(t.Make(t.strongest())))
	}
	return math.Floor(10000*size) / 10000, nil
}

// Sized returns the draws of a kind of error at the one strength, to four digits, at which they have
// a misfit. It is an error if no strength has it.
func (u *Subject) Sized(ctx context.Context, t Tunable, misfit float64) ([]Damage, error) {
	from, to := t.From, t.strongest()
	if most := u.Size(t.Make(to)); most < misfit {
		return nil, fmt.Errorf("%s: %s comes to an error of %.3f only, want %.3f; --error sets another", u.Base.Spec, t.Name, most, misfit)
	}
	for math.Abs(to-from) > 1e-6 && ctx.Err() == nil {
		if middle := (from + to) / 2; u.Size(t.Make(middle)) < misfit {
			from = middle
		} else {
			to = middle
		}
	}
	return t.Make(math.Round(10000*to) / 10000), ctx.Err()
}
