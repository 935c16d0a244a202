package damage

import "fmt"

// mostWeights is how far weights may be off in search of a misfit: by so many
// times themselves.
const mostWeights = 8

// Strong is the damage with the strength at which it has the misfit.
func (u *Subject) Strong(d Damage, misfit float64) (Damage, error) {
	from, to := 0.0, 0.0
	switch d.Kind {
	case Power:
		from, to = 1, mostPower
	case Exp:
		from, to = leastExp, mostExp
	case Noise:
		from, to = 0, mostNoise
	case Weights:
		from, to = 0, mostWeights
	case Rescaled:
		from, to = 1, mostPower
	default:
		return Damage{}, fmt.Errorf("%v has no size to be set", d)
	}
	return u.tune(misfit, from, to, func(by float64) Damage {
		d.By = by
		return d
	})
}

// Random reports whether the damage depends on its seed.
func (d Damage) Random() bool { return d.Kind == Noise || d.Kind == Weights }
