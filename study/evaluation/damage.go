// Package evaluation provides a game's frozen evaluation ([Subject]), whose values are rounded to
// grades, and adds errors to it. A [Damage] warps the values, adds noise or underweights a feature.
// Its strength can be chosen so that different errors have the same size ([Subject.Sized]).
// [Subject.Planner] returns an agent of package search that uses the damaged evaluation.
package evaluation

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/internal/spec"
)

// Damage specifies an error of an evaluation. It is part of cell keys. The zero value has no
// effect.
type Damage struct {
	Kind Kind `json:"kind"`
	// By is the strength. It is the exponent of Power, the factor of exponential, tangent and
	// rescaled, the standard deviation of Noise (in the argument of the link) and of the factors of
	// Weights, or the factor by which Feature multiplies a weight.
	By   float64 `json:"by,omitempty"`
	Seed uint64  `json:"seed,omitempty"` // seed of Noise and Weights
	Term int     `json:"term,omitempty"` // index of the term for Feature
	// Shared is the fraction of the variance of Noise that the alternatives of a decision have in
	// common. This part depends on the position of the last decision, and the rest on the position
	// itself.
	Shared float64   `json:"shared,omitempty"`
	Ranks  []float64 `json:"-"` // values of a warp by ranks, from grade -Grades on, in ascending order
	// Scale and Shift define a positive affine map of values, which must have no effect.
	Scale float64 `json:"scale,omitempty"`
	Shift float64 `json:"shift,omitempty"`
}

// Kind is a kind of damage.
type Kind string

const (
	Clean       Kind = ""
	Power       Kind = "power"    // sign(u) |u|^By
	exponential Kind = "exp"      // exp(By u)
	tangent     Kind = "tanh"     // tanh(By u)
	ranked      Kind = "ranks"    // fraction of positions with a lower value
	Noise       Kind = "noise"    // independent noise for each position, added before the link
	Feature     Kind = "feature"  // weight of one term multiplied by By
	affine      Kind = "affine"   // only Scale and Shift
	rescaled    Kind = "scale"    // tanh(By atanh(u)): the scale of the link is wrong by this factor
	LogOdds     Kind = "log odds" // atanh(u): there is no link, and the sum itself is used as the utility
	Weights     Kind = "weights"  // each weight is multiplied by 1 + By times a normal random number

	// Yardsticks, which are planners with a known weakness.
	OnePly   Kind = "ply"    // the clean evaluation, searched one decision less deep
	TwoPlies Kind = "plies"  // the clean evaluation, searched two decisions less deep
	Blind    Kind = "zero"   // only finished games have values; all other positions are even
	Random   Kind = "random" // random moves
)

// warps lists the strictly increasing functions, which do not affect minimax.
var warps = []Kind{Power, exponential, tangent, ranked, affine, rescaled, LogOdds}

// formats contains the names that legends use for kinds, where they differ from the kind itself.
// They may include the strength.
var formats = map[Kind]string{
	Clean: "clean", Power: "power %.3g", exponential: "exp(%.3gz)", tangent: "tanh(%.3gz)", Noise: "noise %.3g",
	Feature: "feature x%.3g", rescaled: "scale x%.3g", Weights: "weights +-%.3g",
}

// Warps reports whether d is a strictly increasing function of the value.
func (d Damage) Warps() bool { return slices.Contains(warps, d.Kind) }

// Less returns the number of decisions by which the search depth is reduced.
func (d Damage) Less() int { return map[Kind]int{OnePly: 1, TwoPlies: 2}[d.Kind] }

// String returns the name used in legends.
func (d Damage) String() string {
	format := cmp.Or(formats[d.Kind], string(d.Kind))
	switch {
	case d.Kind == Power && d.By == 0.5:
		return "square root"
	case d.Kind == Power && d.By == cube:
		return "cube"
	case d.Shared > 0:
		return fmt.Sprintf(format+", %.3g shared", d.By, d.Shared)
	case strings.Contains(format, "%"):
		return fmt.Sprintf(format, d.By)
	}
	return format
}

// ParseWarp parses sqrt, cube, ranks, power:A, exp:C or tanh:C. The number must be positive, except
// that exp also allows negative numbers.
func ParseWarp(text string) (Damage, error) {
	switch text {
	case "sqrt":
		return Damage{Kind: Power, By: 0.5}, nil
	case "cube":
		return Damage{Kind: Power, By: cube}, nil
	case "ranks":
		return Damage{Kind: ranked}, nil
	}
	kind, number, _ := strings.Cut(text, ":")
	by, err := spec.Number(number)
	d := Damage{Kind: Kind(kind), By: by}
	if err != nil || !slices.Contains([]Kind{Power, exponential, tangent}, d.Kind) {
		return d, fmt.Errorf("warp %q: want sqrt, cube, ranks, power:A, tanh:C or exp:C, with a number such as 2.5", text)
	}
	if by <= 0 && d.Kind != exponential || d.bendable() != nil {
		return d, fmt.Errorf("warp %q: the warp is too weak or too strong; neighbouring values must remain distinct in double precision", text)
	}
	return d, nil
}

// Warp maps a value u in [-1, 1]. Its result is rescaled afterwards so that -1 and 1 are fixed (see
// Damage.table).
func (d Damage) Warp(u float64) float64 {
	switch d.Kind {
	case Power:
		return math.Copysign(elementary.Pow(math.Abs(u), d.By), u)
	case exponential:
		return elementary.Exp(d.By*u) * math.Copysign(1, d.By)
	case tangent:
		return elementary.Tanh(d.By * u)
	case ranked:
		return d.Ranks[grade(u)+Grades]
	case rescaled:
		if math.Abs(u) < 1 {
			return elementary.Tanh(d.By * elementary.Atanh(u))
		}
	case LogOdds:
		// The end of a game is treated as half a grade beyond the last position rather than
		// infinitely far away.
		return elementary.Atanh(math.Copysign(math.Min(math.Abs(u), 1-0.5/Grades), u))
	}
	return u
}

// table returns the damaged values of all grades from -Grades to Grades, from the root player's
// point of view. The values -1 and 1 are fixed, except with Scale and Shift.
func (d Damage) table() []float64 {
	t := make([]float64, 2*Grades+1)
	lo, hi := d.Warp(-1), d.Warp(1)
	for k := range t {
		u := float64(k-Grades) / Grades
		if d.Warps() && d.Kind != affine {
			u = 2*(d.Warp(u)-lo)/(hi-lo) - 1
		}
		if d.Scale != 0 {
			u = float64(d.Scale*u) + d.Shift
		}
		t[k] = u
	}
	return t
}

// bendable returns an error if a warp brings neighbouring grades closer together than 1e-11, so
// that rounding could make them equal.
func (d Damage) bendable() error {
	if d.Kind == ranked && d.Ranks == nil {
		return nil // ranks are computed from the positions later
	}
	t := d.table()
	for k := 1; k < len(t); k++ {
		if !(t[k]-t[k-1] >= 1e-11) {
			return fmt.Errorf("%v: grades %d and %d have the same value", d, k-1-Grades, k-Grades)
		}
	}
	return nil
}

// normal returns a standard normal number that depends on a position and a seed (Box and Muller
// 1958).
func normal(hash, seed uint64) float64 {
	a := game.Mix(hash ^ game.Mix(seed))
	b := game.Mix(a)
	u := (float64(a>>11) + 0.5) / (1 << 53)
	v := float64(b>>11) / (1 << 53)
	return math.Sqrt(-2*elementary.Log(u)) * elementary.Cos(2*math.Pi*v)
}

// Damaged evaluates positions and applies a [Damage]. It must be used from a single goroutine.
type Damaged struct {
	Damage
	values      []float64 // by grade
	arg         *argument // evaluation with damaged weights; nil if the weights are clean
	common, own float64   // standard deviations of Noise: shared by the alternatives of a decision, and separate for each position
}

func (u *Subject) Damaged(d Damage) *Damaged {
	if d.Kind == ranked {
		d.Ranks = u.ranks
	}
	l := &Damaged{Damage: d, values: d.table(), common: d.By * math.Sqrt(d.Shared), own: d.By * math.Sqrt(1-d.Shared)}
	switch d.Kind {
	case Feature:
		m := u.Model.Clone()
		m.Weights[d.Term] *= d.By
		l.arg = u.Argument(m)
	case Weights:
		l.arg = u.Argument(u.shaken(d.By, d.Seed))
	case Blind:
		clear(l.values[1 : len(l.values)-1])
	}
	return l
}

// shares reports whether the value of a position depends on the decision before it.
func (l *Damaged) shares() bool { return l.Kind == Noise && l.Shared > 0 }

// Leaf returns the value of a position for the player with the given sign, which is 1 for player 0.
// The parameter hash is the hash of the position, and parent is that of the last decision's
// position, or 0 unless noise is shared. The parameter x is the result of Argument.Of (with the
// damaged weights, if there are any), and lo and hi are bounds of the grade.
func (l *Damaged) Leaf(hash, parent uint64, x float64, lo, hi, sign int) float64 {
	if l.Kind == Noise {
		if l.own != 0 {
			x += float64(l.own * normal(hash, l.Seed))
		}
		if l.common != 0 {
			x += float64(l.common * normal(parent, game.Seed(l.Seed, 0x51b)))
		}
	}
	return l.Terminal(max(lo, min(hi, gradeOf(x))), sign)
}

// value is like Leaf for the position s. Its parameter x is computed with the clean weights.
func (l *Damaged) value(s game.State, parent uint64, x float64, lo, hi, sign int) float64 {
	if l.arg != nil {
		x = l.arg.Of(s)
	}
	var hash uint64
	if l.Kind == Noise {
		hash = s.Hash()
	}
	return l.Leaf(hash, parent, x, lo, hi, sign)
}

// Terminal converts player 0's grade k to a value for the player with the given sign.
func (l *Damaged) Terminal(k, sign int) float64 { return l.values[sign*k+Grades] }

// Controls are the identity and a positive affine map, which must have no effect.
var (
	IdentityControl = Damage{Kind: affine, Scale: 1}
	AffineControl   = Damage{Kind: affine, Scale: 3, Shift: -0.7}
)
