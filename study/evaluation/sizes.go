package evaluation

import (
	"context"
	"fmt"
	"math"

	"plyfit/game"
)

// Tunable is a kind of error whose strength can be chosen: none at From, the most at To.
type Tunable struct {
	Name     string
	From, To float64
	Make     func(by float64) []Damage // returns the error's draws
}

// single returns a kind of error of one draw.
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

// Strengths of damages: the cube, which sets the common size, and the limits of the search for a size.
const (
	cube         = 3
	mostPower    = 20
	leastExp     = 0.05
	mostExp      = 7
	mostNoise    = 8
	mostRescaled = 12
	mostShaken   = 4
)

// Solo returns the power, exp(cz) and some seeds of white noise, each an error of one draw.
func (u *Subject) Solo(noises int) []Tunable {
	list := []Tunable{single("power", 1, mostPower, func(by float64) Damage { return Damage{Kind: Power, By: by} }), Scales()[0]}
	for i := range uint64(noises) {
		list = append(list, single("noise", 0, mostNoise, func(by float64) Damage {
			return Damage{Kind: Noise, By: by, Seed: game.Seed(u.Seed, 0x4015e, i)}
		}))
	}
	return list
}

// Scales returns the errors of scale alone, which minimax does not notice: exp(cz), which makes the
// player at the root love risk, and a link that is too steep.
func Scales() []Tunable {
	return []Tunable{
		single("exp", leastExp, mostExp, func(by float64) Damage { return Damage{Kind: exponential, By: by} }),
		single("steep link", 1, mostRescaled, func(by float64) Damage { return Damage{Kind: rescaled, By: by} }),
	}
}

// Randoms returns the errors that are drawn, each with the given number of draws: white noise, noise
// three quarters of whose variance the alternatives of a decision share, and errors of all weights.
func (u *Subject) Randoms(draws int) []Tunable {
	return []Tunable{
		u.drawn("white noise", mostNoise, draws, Damage{Kind: Noise}),
		u.drawn("shared noise", mostNoise, draws, Damage{Kind: Noise, Shared: 0.75}),
		u.drawn("wrong weights", mostShaken, draws, Damage{Kind: Weights}),
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
