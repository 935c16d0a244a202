package damage

import (
	"fmt"
	"math"

	"plyfit/game"
)

// Equalised are damages of one size.
type Equalised struct {
	Error   float64 // the common misfit
	Power   Damage  // sign(u)|u|^a with a > 1: odd, both players lose alike
	Exp     Damage  // exp(cu): the root's player loves risk
	Feature Damage
	Term    string // the underweighted feature
	Noises  []Damage
}

// All are the damages, the seeds of the noise last.
func (e *Equalised) All() []Damage {
	list := []Damage{e.Power, e.Exp}
	if e.Term != "" {
		list = append(list, e.Feature)
	}
	return append(list, e.Noises...)
}

// noFeature stands for a feature's name where the evaluation has none.
const NoFeature = "-"

// Equalise tunes the four kinds of damage to the same misfit: the user's, or for
// 0 that of the cube, or the largest that all kinds come to where that is less.
// noises is how many seeds the noise has. A kind that cannot come to the user's
// misfit is an error that says how far it comes.
func (u *Subject) Equalise(misfit float64, term string, noises int) (*Equalised, error) {
	power := func(by float64) Damage { return Damage{Kind: Power, By: by} }
	exp := func(by float64) Damage { return Damage{Kind: Exp, By: by} }
	if misfit == 0 {
		misfit = min(u.Misfit(power(cube)), u.Misfit(exp(sharpest(leastExp, mostExp, exp))))
		if term != NoFeature {
			i, err := u.pickTerm(0, term)
			if err != nil {
				return nil, err
			}
			misfit = min(misfit, u.Misfit(Damage{Kind: Feature, By: 0, Term: i}))
		}
		misfit = math.Floor(10000*misfit) / 10000
	}
	e := &Equalised{Error: misfit}
	var err error
	tune := func(lo, hi float64, make func(by float64) Damage) Damage {
		d, terr := u.tune(misfit, lo, hi, make)
		if err == nil {
			err = terr
		}
		return d
	}
	e.Power = tune(1, mostPower, power)
	if math.Abs(u.Misfit(power(cube))-misfit) < 2e-4 {
		e.Power = power(cube)
	}
	e.Exp = tune(leastExp, mostExp, exp)
	for i := range noises {
		e.Noises = append(e.Noises, tune(0, mostNoise, func(by float64) Damage {
			return Damage{Kind: Noise, By: by, Seed: game.Seed(u.Seed, 0x4015e, uint64(i))}
		}))
	}
	if err != nil || term == NoFeature {
		return e, err
	}
	i, err := u.pickTerm(misfit, term)
	if err != nil {
		return nil, err
	}
	e.Term = u.Model.Name(int32(i))
	e.Feature, err = u.tune(misfit, 1, 0, func(by float64) Damage { return Damage{Kind: Feature, By: by, Term: i} })
	return e, err
}

// How strong the damages may become in search of a misfit.
const (
	cube      = 3
	mostPower = 20
	leastExp  = 0.05
	mostExp   = 7
	mostNoise = 8
)

// sharpest is the strength nearest to to at which a warp still keeps neighbouring
// grades apart.
func sharpest(from, to float64, make func(by float64) Damage) float64 {
	for range 60 {
		if d := make(to); !d.Warps() || d.bendable() == nil {
			break
		}
		to = from + float64(0.9*(to-from))
	}
	return to
}

// tune finds by bisection the strength between from, too weak, and to at which
// the damage has the misfit.
func (u *Subject) tune(misfit, from, to float64, make func(by float64) Damage) (Damage, error) {
	to = sharpest(from, to, make)
	if most := u.Misfit(make(to)); most < misfit {
		return Damage{}, fmt.Errorf("%s: %v comes to an error of %.3f only, want %.3f; --error sets another", u.Base.Spec, make(to), most, misfit)
	}
	return make(bisect(from, to, func(by float64) bool { return u.Misfit(make(by)) < misfit })), nil
}

// pickTerm is the term to underweight: the one named; else the one whose loss
// does the least damage that is still enough, for a misfit of 0 the one whose
// loss does the most.
func (u *Subject) pickTerm(misfit float64, name string) (int, error) {
	if name != "" {
		return u.term(name)
	}
	best, least, most, worst := -1, math.Inf(1), 0.0, -1
	for i, w := range u.Model.Weights {
		if w == 0 {
			continue
		}
		m := u.Misfit(Damage{Kind: Feature, By: 0, Term: i})
		if m >= misfit && m < least {
			best, least = i, m
		}
		if m > most {
			worst, most = i, m
		}
	}
	switch {
	case worst < 0:
		return 0, fmt.Errorf("%s: the model has no feature to underweight", u.Base.Spec)
	case misfit == 0:
		return worst, nil
	case best < 0:
		return 0, fmt.Errorf("%s: no single feature's loss comes to an error of %.3f, the most is %.3f; --error sets another, --feature names one", u.Base.Spec, misfit, most)
	}
	return best, nil
}
