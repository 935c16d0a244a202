// Package evaluation freezes the evaluation of a game, a [Subject], in grades and damages it on purpose: a
// [Damage] warps it, adds noise to it or underweights a feature, tuned to a common error
// ([Subject.Sized]). [Subject.Planner] returns an agent of package search that plays with the result.
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

// Damage is what is done to an evaluation, a part of cells' keys. The zero value does nothing.
type Damage struct {
	Kind Kind `json:"kind"`
	// By is the power of Power, the factor c of exponential, tangent and rescaled, the standard
	// deviation of Noise (of the link's argument) and of the factors of Weights, and the factor of
	// the weight of Feature.
	By   float64 `json:"by,omitempty"`
	Seed uint64  `json:"seed,omitempty"` // of Noise and Weights
	Term int     `json:"term,omitempty"` // of Feature
	// Shared is the share of Noise's variance, 0 to 1, that the alternatives of one decision have in
	// common: it follows from the position of the last decision, the rest from the position itself.
	Shared float64   `json:"shared,omitempty"`
	Ranks  []float64 `json:"-"` // of ranked: by grade from -Grades, increasing
	// Scale and Shift are a positive affine map of values, which must change nothing.
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
	ranked      Kind = "ranks"    // the share of positions that are worth less
	Noise       Kind = "noise"    // independent from position to position, added before the link
	Feature     Kind = "feature"  // one term weighs By times as much
	affine      Kind = "affine"   // Scale and Shift alone
	rescaled    Kind = "scale"    // tanh(By atanh(u)): the link's scale is wrong by that factor
	LogOdds     Kind = "log odds" // atanh(u): no link, the sum itself is the utility
	Weights     Kind = "weights"  // each weight times 1 + By times a normal number of its own

	// Yardsticks, most of known weakness.
	OnePly   Kind = "ply"    // the clean evaluation, one decision less deep
	TwoPlies Kind = "plies"  // two decisions less deep
	Blind    Kind = "zero"   // only ends of the game have values; elsewhere the middle of the range
	Random   Kind = "random" // random moves
)

// warps lists the strictly increasing functions, which no minimax can notice.
var warps = []Kind{Power, exponential, tangent, ranked, affine, rescaled, LogOdds}

// formats are the names of kinds in legends, if they differ from the kind, with By.
var formats = map[Kind]string{
	Clean: "clean", Power: "power %.3g", exponential: "exp(%.3gz)", tangent: "tanh(%.3gz)", Noise: "noise %.3g",
	Feature: "feature x%.3g", rescaled: "scale x%.3g", Weights: "weights +-%.3g",
}

// Warps reports whether d is a strictly increasing function.
func (d Damage) Warps() bool { return slices.Contains(warps, d.Kind) }

// Less returns how many decisions less deep the planner searches.
func (d Damage) Less() int { return map[Kind]int{OnePly: 1, TwoPlies: 2}[d.Kind] }

// String returns the name in legends.
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

// ParseWarp reads sqrt, cube, ranks, or power:A, exp:C, tanh:C with a number above 0 (of exp not 0).
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
		return d, fmt.Errorf("warp %q: too weak or too strong: neighbouring values must stay apart in double precision", text)
	}
	return d, nil
}

// Warp maps a value u in [-1, 1]; table then stretches the result to keep -1 and 1.
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
		// An end of the game is half a grade beyond the last position's, not infinitely far.
		return elementary.Atanh(math.Copysign(math.Min(math.Abs(u), 1-0.5/Grades), u))
	}
	return u
}

// table returns the damaged value of every grade from -Grades to Grades, from the view of the player
// at the root. -1 and 1 keep their values except under Scale and Shift.
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

// bendable returns an error if a warp brings neighbouring grades too close together for rounding.
func (d Damage) bendable() error {
	if d.Kind == ranked && d.Ranks == nil {
		return nil // they are made with the positions
	}
	t := d.table()
	for k := 1; k < len(t); k++ {
		if !(t[k]-t[k-1] >= 1e-11) {
			return fmt.Errorf("%v: grades %d and %d are worth the same", d, k-1-Grades, k-Grades)
		}
	}
	return nil
}

// normal returns a standard normal number that follows from a position and a seed (Box and Muller 1958).
func normal(hash, seed uint64) float64 {
	a := game.Mix(hash ^ game.Mix(seed))
	b := game.Mix(a)
	u := (float64(a>>11) + 0.5) / (1 << 53)
	v := float64(b>>11) / (1 << 53)
	return math.Sqrt(-2*elementary.Log(u)) * elementary.Cos(2*math.Pi*v)
}

// Damaged applies a damage to one evaluation. It belongs to one goroutine.
type Damaged struct {
	Damage
	values      []float64 // by grade
	arg         *argument // of other weights; nil: the clean ones serve
	common, own float64   // deviations of Noise: of all alternatives of a decision, and of each position
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

// Leaf returns the value of a position to the player whose sign is given, 1 for player 0. hash and
// parent are hashes of the position and of the last decision's position, 0 unless noise is shared; x is
// defined by Argument.Of, with the damaged weights if there are any; lo and hi bound the grade.
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

// value is Leaf at the position s, whose clean x is given.
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

// Terminal returns the value of a grade of player 0 to the player whose sign is given.
func (l *Damaged) Terminal(k, sign int) float64 { return l.values[sign*k+Grades] }

// Controls, which must change nothing: the identity and a positive affine map.
var (
	IdentityControl = Damage{Kind: affine, Scale: 1}
	AffineControl   = Damage{Kind: affine, Scale: 3, Shift: -0.7}
)
