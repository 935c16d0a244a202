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

// A leaf is a position at the horizon of a search.
type leaf struct {
	state  game.State
	X      float64 // result of Argument.Of
	sign   int     // 1 if the root player is player 0, -1 otherwise
	Hash   uint64
	parent uint64 // hash of the last decision's position
	family int32  // number that is the same for all alternatives of a decision
	tree   int32  // number of the root, starting from 0; the same for all leaves below it
}

// The sample of leaves is the same for all settings, so that the sizes of errors do not depend on
// the settings.
const (
	leafTrees    = 150
	leafFamilies = 12 // per tree
	leafDepth    = 3  // decisions below the roots
	poolSample   = 4000
)

// roots calls sample with numbered positions of the game until sample returns true, and then
// computes the ranks. It returns an error if about 100 times the given number of draws is not
// enough.
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

// below plays at most n random decisions from s. It reports whether the game continues.
func below(s game.State, n int, dice *play.Dice) bool {
	e := play.Episode{Luck: dice}
	for e.Begin(s, 0, play.NoLimit); e.Next() && e.Decisions < n; {
		e.Play(dice.Uniform(s))
	}
	return s.Turn() != game.Nobody
}

// sampleLeaves draws root positions and, below each root, leaves of a search that is leafDepth
// decisions deep. It follows random lines to the last decision and then adds all alternatives of
// that decision.
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

// family appends all leaves of one last decision, which is drawn at random below the root s.
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

// Pool replaces the sample for a solved board. Each leaf is the end of a separate random walk.
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

// Misfit returns the size of a damage: the root mean square difference, in half ranges of utility,
// that remains after the best affine fit within each tree. The affine part does not count, because
// it has no effect on the planner at the root.
func (u *Subject) Misfit(d Damage) float64 {
	damaged, clean := u.leafValues(d)
	sum := 0.0
	for _, r := range u.residuals(damaged, clean) {
		sum += float64(r * r)
	}
	return math.Sqrt(sum / float64(len(u.Leaves)))
}

// leafValues returns the values of all leaves for the players at their roots.
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

// residuals returns y minus its best affine fit by x within each tree.
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

// SiblingCorrelation returns the correlation of errors between the alternatives of a decision,
// where the error is the part of the damaged value that the clean value does not explain. It is
// about 0 for white noise, close to 1 for noise that all alternatives share, and 0 without an
// error. A deeper search is less effective against correlated errors (Lustrek, Gams and Bratko
// 2006; Nau and others 2010).
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

// A Tunable is a kind of error with adjustable strength. There is almost no error at the strength
// From, and the largest error at the strength To.
type Tunable struct {
	Name     string
	From, To float64
	Make     func(by float64) []Damage // returns the draws of the error with a given strength
}

func single(name string, from, to float64, make func(by float64) Damage) Tunable {
	return Tunable{name, from, to, func(by float64) []Damage { return []Damage{make(by)} }}
}

// drawn returns a kind of error with several draws, whose seeds are derived from the subject's
// seed.
func (u *Subject) drawn(name string, to float64, draws int, d Damage) Tunable {
	return Tunable{name, 0, to, func(by float64) (out []Damage) {
		for i := range uint64(draws) {
			d.By, d.Seed = by, game.Seed(u.Seed, 0xd2a3, i)
			out = append(out, d)
		}
		return out
	}}
}

const cube = 3 // exponent that determines the common size

// Solo returns power, exp(cz) and white noise with the given number of seeds. Each of these errors
// has a single draw.
func (u *Subject) Solo(noises int) []Tunable {
	list := []Tunable{single("power", 1, 20, func(by float64) Damage { return Damage{Kind: Power, By: by} }), Scales()[0]}
	for i := range uint64(noises) {
		list = append(list, single("noise", 0, 8, func(by float64) Damage {
			return Damage{Kind: Noise, By: by, Seed: game.Seed(u.Seed, 0x4015e, i)}
		}))
	}
	return list
}

// Scales returns errors that affect only the scale of values and therefore not minimax: exp(cz) and
// a link that is too steep.
func Scales() []Tunable {
	return []Tunable{
		single("exp", 0.05, 7, func(by float64) Damage { return Damage{Kind: exponential, By: by} }),
		single("steep link", 1, 12, func(by float64) Damage { return Damage{Kind: rescaled, By: by} }),
	}
}

// Randoms returns the random errors with the given number of draws each: white noise, noise with
// three quarters of its variance shared by the alternatives of a decision, and errors of all
// weights.
func (u *Subject) Randoms(draws int) []Tunable {
	return []Tunable{
		u.drawn("white noise", 8, draws, Damage{Kind: Noise}),
		u.drawn("shared noise", 8, draws, Damage{Kind: Noise, Shared: 0.75}),
		u.drawn("wrong weights", 4, draws, Damage{Kind: Weights}),
	}
}

// Underweighted returns the error of giving a feature too small a weight. The feature is the one
// with the given name or, if the name is empty, the one with the largest effect.
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

// Size returns the root mean square misfit of an error's first three draws.
func (u *Subject) Size(damages []Damage) float64 {
	first := damages[:min(3, len(damages))]
	sum := 0.0
	for _, d := range first {
		m := u.Misfit(d)
		sum += float64(m * m)
	}
	return math.Sqrt(sum / float64(len(first)))
}

// strongest returns the strength To. If neighbouring grades of a warp become equal at To, it
// returns a strength closer to From at which they remain distinct.
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

// CommonSize returns the misfit of the cube, or the largest misfit that all kinds can reach if that
// is smaller, rounded down to four decimals.
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

// Sized returns the draws of a kind of error. Their strength, to four decimals, is chosen so that
// they have the given misfit. Sized returns an error if there is no such strength.
func (u *Subject) Sized(ctx context.Context, t Tunable, misfit float64) ([]Damage, error) {
	from, to := t.From, t.strongest()
	if most := u.Size(t.Make(to)); most < misfit {
		return nil, fmt.Errorf("%s: %s has an error of only %.3f; want %.3f, or use --error to set a different error", u.Base.Spec, t.Name, most, misfit)
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
