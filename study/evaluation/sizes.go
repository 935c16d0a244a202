package evaluation

import (
	"context"
	"fmt"
	"math"

	"plyfit/game"
)

// Tunable is a kind of error whose strength can be chosen: at From it does nothing, at To its most.
type Tunable struct {
	Name     string
	From, To float64
	Make     func(by float64) []Damage // its draws
}

// single is a kind of error of one draw.
func single(name string, from, to float64, make func(by float64) Damage) Tunable {
	return Tunable{name, from, to, func(by float64) []Damage { return []Damage{make(by)} }}
}

// Drawn is a kind of error of several draws, each with a seed that follows from the subject's.
func (u *Subject) Drawn(name string, to float64, draws int, make func(by float64, seed uint64) Damage) Tunable {
	return Tunable{name, 0, to, func(by float64) []Damage {
		out := []Damage{}
		for i := range uint64(draws) {
			out = append(out, make(by, game.Seed(u.Seed, 0xd2a3, i)))
		}
		return out
	}}
}

// sizedBy is how many draws of an error its size is measured by.
const sizedBy = 3

// Size is the root mean square misfit of the first draws of an error.
func (u *Subject) Size(damages []Damage) float64 {
	first := damages[:min(sizedBy, len(damages))]
	sum := 0.0
	for _, d := range first {
		m := u.Misfit(d)
		sum += float64(m * m)
	}
	return math.Sqrt(sum / float64(len(first)))
}

// strongest is the greatest strength at which no warp brings neighbouring grades together.
func (t Tunable) strongest() float64 {
	return sharpest(t.From, t.To, func(by float64) Damage { return t.Make(by)[0] })
}

// CommonSize is the cube's misfit, or the largest that all kinds reach, rounded down to four digits.
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

// How strong the damages may become in search of a misfit.
const (
	cube      = 3
	mostPower = 20
	leastExp  = 0.05
	mostExp   = 7
	mostNoise = 8
)

// sharpest is the strength nearest to to at which a warp still keeps neighbouring grades apart.
func sharpest(from, to float64, make func(by float64) Damage) float64 {
	for range 60 {
		if d := make(to); !d.Warps() || d.bendable() == nil {
			break
		}
		to = from + float64(0.9*(to-from))
	}
	return to
}

// Sized are the draws of a kind of error at the strength at which it has that misfit: one strength
// for all draws. Where no strength has it, that is an error.
func (u *Subject) Sized(ctx context.Context, t Tunable, misfit float64) ([]Damage, error) {
	to := t.strongest()
	if most := u.Size(t.Make(to)); most < misfit {
		return nil, fmt.Errorf("%s: %s comes to an error of %.3f only, want %.3f; --error sets another", u.Base.Spec, t.Name, most, misfit)
	}
	by := bisect(t.From, to, func(by float64) bool { return ctx.Err() == nil && u.Size(t.Make(by)) < misfit })
	return t.Make(by), ctx.Err()
}

// bisect is where low turns from true to false between from and to, to four digits.
func bisect(from, to float64, low func(by float64) bool) float64 {
	for math.Abs(to-from) > 1e-6 {
		if middle := (from + to) / 2; low(middle) {
			from = middle
		} else {
			to = middle
		}
	}
	return math.Round(10000*to) / 10000
}

// Solo are the power, exp(cz) and some seeds of white noise, each an error of one draw.
func (u *Subject) Solo(noises int) []Tunable {
	list := []Tunable{single("power", 1, mostPower, func(by float64) Damage { return Damage{Kind: Power, By: by} }), Scales()[0]}
	for i := range uint64(noises) {
		list = append(list, single("noise", 0, mostNoise, func(by float64) Damage {
			return Damage{Kind: Noise, By: by, Seed: game.Seed(u.Seed, 0x4015e, i)}
		}))
	}
	return list
}

// Scales are the kinds of error of scale alone, which minimax does not notice: exp(cz), a love of
// risk of the root's player, and a link that is too steep.
func Scales() []Tunable {
	return []Tunable{
		single("exp", leastExp, mostExp, func(by float64) Damage { return Damage{Kind: exponential, By: by} }),
		single("steep link", 1, mostRescaled, func(by float64) Damage { return Damage{Kind: rescaled, By: by} }),
	}
}

// Randoms are the kinds of error that are drawn, each so many times: white noise, noise three
// quarters of whose variance the alternatives of a decision share, and errors of all weights.
func (u *Subject) Randoms(draws int) []Tunable {
	return []Tunable{
		u.Drawn("white noise", mostNoise, draws, func(by float64, seed uint64) Damage { return Damage{Kind: Noise, By: by, Seed: seed} }),
		u.Drawn("shared noise", mostNoise, draws, func(by float64, seed uint64) Damage {
			return Damage{Kind: Noise, By: by, Seed: seed, Shared: 0.75}
		}),
		u.Drawn("wrong weights", mostShaken, draws, func(by float64, seed uint64) Damage { return Damage{Kind: Weights, By: by, Seed: seed} }),
	}
}

// How strong they may become.
const (
	mostRescaled = 12
	mostShaken   = 4
)

// Underweighted is the error of one feature, the one named or the one that does the most damage.
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
