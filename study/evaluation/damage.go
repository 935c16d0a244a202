// Package evaluation freezes the [Evaluation] of a game in grades and damages it on purpose: a
// [Damage] warps it, adds noise to it or underweights a feature, tuned to a common error
// ([Subject.Sized]). [Subject.Planner] returns an agent of package search that plays with the result.
package evaluation

import (
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
	// Shared is the share of Noise's variance, 0 to 1, that the alternatives of one
	// decision have in common: it follows from the position that the last decision
	// was taken in, the rest from the position itself.
	Shared float64 `json:"shared,omitempty"`
	// Ranks are those of Ranked: by grade from -Grades, increasing.
	Ranks []float64 `json:"-"`
	// Scale and Shift are the positive affine map of values that must change nothing.
	Scale float64 `json:"scale,omitempty"`
	Shift float64 `json:"shift,omitempty"`
}

// Kind is a kind of damage.
type Kind string

const (
	Clean       Kind = ""
	Power       Kind = "power"   // sign(u) |u|^By
	exponential Kind = "exp"     // exp(By u)
	tangent     Kind = "tanh"    // tanh(By u)
	ranked      Kind = "ranks"   // the share of positions that are worth less
	Noise       Kind = "noise"   // independent from position to position, added before the link
	Feature     Kind = "feature" // one term weighs By times as much
	affine      Kind = "affine"  // Scale and Shift alone

	rescaled Kind = "scale"    // tanh(By atanh(u)): the link's scale is wrong by that factor
	LogOdds  Kind = "log odds" // atanh(u): no link, the sum itself is the utility
	Weights  Kind = "weights"  // each weight times 1 + By times a normal number of its own

	// Yardsticks, most of known weakness.
	OnePly   Kind = "ply"    // the clean evaluation, one decision less far
	TwoPlies Kind = "plies"  // two decisions less far
	Blind    Kind = "zero"   // knows only the ends of the game, expects the middle of the range elsewhere
	Random   Kind = "random" // random moves
)

// Less returns how many decisions less deep the planner searches.
func (d Damage) Less() int { return map[Kind]int{OnePly: 1, TwoPlies: 2}[d.Kind] }

// Warps reports whether d is a strictly increasing function, which no minimax can notice.
func (d Damage) Warps() bool {
	switch d.Kind {
	case Power, exponential, tangent, ranked, affine, rescaled, LogOdds:
		return true
	}
	return false
}

// String is the name in legends.
func (d Damage) String() string {
	switch d.Kind {
	case Clean:
		return "clean"
	case Power:
		switch d.By {
		case 0.5:
			return "square root"
		case 3:
			return "cube"
		}
		return fmt.Sprintf("power %.3g", d.By)
	case exponential, tangent:
		return fmt.Sprintf("%s(%.3gz)", d.Kind, d.By)
	case ranked:
		return "ranks"
	case Noise:
		if d.Shared > 0 {
			return fmt.Sprintf("noise %.3g, %.3g shared", d.By, d.Shared)
		}
		return fmt.Sprintf("noise %.3g", d.By)
	case Feature:
		return fmt.Sprintf("feature x%.3g", d.By)
	case rescaled:
		return fmt.Sprintf("scale x%.3g", d.By)
	case LogOdds:
		return "log odds"
	case Weights:
		return fmt.Sprintf("weights +-%.3g", d.By)
	}
	return string(d.Kind)
}

// ParseWarp reads sqrt, cube, ranks, or power:A, exp:C, tanh:C with a number above 0 (of exp not 0).
func ParseWarp(text string) (Damage, error) {
	fail := func() (Damage, error) {
		return Damage{}, fmt.Errorf("warp %q: want sqrt, cube, ranks, power:A, tanh:C or exp:C, with a number such as 2.5", text)
	}
	name, number, given := strings.Cut(text, ":")
	switch {
	case text == "sqrt":
		return Damage{Kind: Power, By: 0.5}, nil
	case text == "cube":
		return Damage{Kind: Power, By: 3}, nil
	case text == "ranks":
		return Damage{Kind: ranked}, nil
	case !given:
		return fail()
	}
	by, err := spec.Number(number)
	kind := Kind(name)
	if err != nil || kind != Power && kind != exponential && kind != tangent {
		return fail()
	}
	d := Damage{Kind: kind, By: by}
	if by <= 0 && kind != exponential || d.bendable() != nil {
		return Damage{}, fmt.Errorf("warp %q: too weak or too strong: neighbouring values must stay apart in double precision", text)
	}
	return d, nil
}

// Warp is the warp of a value u in [-1, 1], before it is stretched to keep -1 and 1 where they are.
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

// table is what the damage makes of every grade from -Grades to Grades, as the
// root's player has it. -1 and 1 stay where they are, but for Scale and Shift.
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

// resolution is the least that neighbouring grades must differ by, far above rounding.
const resolution = 1e-11

// bendable tells what is wrong with a warp that brings neighbouring grades too close together.
func (d Damage) bendable() error {
	if d.Kind == ranked && d.Ranks == nil {
		return nil // they are made with the positions
	}
	t := d.table()
	for k := 1; k < len(t); k++ {
		if !(t[k]-t[k-1] >= resolution) {
			return fmt.Errorf("%v: grades %d and %d are worth the same", d, k-1-Grades, k-Grades)
		}
	}
	return nil
}

// ranksOf makes the warp of ranks: the share of the sample's grades below each,
// with a straight line mixed in, so that grades that the sample lacks stay apart.
func ranksOf(sample []int) []float64 {
	const line = 0.02
	sorted := slices.Sorted(slices.Values(sample))
	ranks := make([]float64, 2*Grades+1)
	for k := range ranks {
		first, _ := slices.BinarySearch(sorted, k-Grades)
		last, _ := slices.BinarySearch(sorted, k-Grades+1)
		share := float64(first+last) / 2 / float64(len(sorted))
		ranks[k] = float64((1-line)*share) + line*float64(k)/(2*Grades)
	}
	return ranks
}

// normal is a standard normal number that follows from a position and a seed (Box and Muller 1958).
func normal(hash, seed uint64) float64 {
	a := game.Mix(hash ^ game.Mix(seed))
	b := game.Mix(a)
	u := (float64(a>>11) + 0.5) / (1 << 53)
	v := float64(b>>11) / (1 << 53)
	return math.Sqrt(-2*elementary.Log(u)) * elementary.Cos(2*math.Pi*v)
}

// Damaged is a damage at work on one evaluation. It belongs to one goroutine.
type Damaged struct {
	Damage
	values []float64
	arg    *argument // of other weights; nil: the clean ones serve
	// What Noise has in common for the alternatives of a decision, and what is the position's own.
	common, own float64
}

func (e *Evaluation) Damaged(d Damage) *Damaged {
	l := &Damaged{Damage: d, values: d.table()}
	switch d.Kind {
	case Feature:
		l.arg = e.Argument(e.underweighted(d.Term, d.By))
	case Weights:
		l.arg = e.Argument(e.shaken(d.By, d.Seed))
	case Blind:
		clear(l.values[1 : len(l.values)-1])
	case Noise:
		l.common, l.own = d.By*math.Sqrt(d.Shared), d.By*math.Sqrt(1-d.Shared)
	}
	return l
}

// shares reports whether what a position is worth depends on the decision before it.
func (l *Damaged) shares() bool { return l.Kind == Noise && l.Shared > 0 }

// sibling parts the noise that a decision's alternatives share from their own.
const sibling = 0x51b

// Leaf is what a position with that hash and x (Argument.Of defines it; of the damaged
// weights where l has weights of its own) and bounds of its grade is worth to the
// player whose sign is given, 1 for player 0. Noise must not be shared.
func (l *Damaged) Leaf(hash uint64, x float64, lo, hi, sign int) float64 {
	return l.leaf(hash, 0, x, lo, hi, sign)
}

// leaf is Leaf below the decision taken at the position with the hash parent.
func (l *Damaged) leaf(hash, parent uint64, x float64, lo, hi, sign int) float64 {
	if l.Kind == Noise {
		if l.own != 0 {
			x += float64(l.own * normal(hash, l.Seed))
		}
		if l.common != 0 {
			x += float64(l.common * normal(parent, game.Seed(l.Seed, sibling)))
		}
	}
	return l.Terminal(max(lo, min(hi, gradeOf(x))), sign)
}

func (l *Damaged) value(s game.State, parent uint64, x float64, lo, hi, sign int) float64 {
	var hash uint64
	switch {
	case l.arg != nil:
		x = l.arg.Of(s)
	case l.Kind == Noise:
		hash = s.Hash()
	}
	return l.leaf(hash, parent, x, lo, hi, sign)
}

// Terminal is what a grade of player 0 is worth to the player whose sign is given.
func (l *Damaged) Terminal(k, sign int) float64 { return l.values[sign*k+Grades] }

// Controls, which must change nothing: the identity and a positive affine map.
var (
	IdentityControl = Damage{Kind: affine, Scale: 1}
	AffineControl   = Damage{Kind: affine, Scale: 3, Shift: -0.7}
)

// Names of the controls.
const (
	Identity  = "identity"
	AffineMap = "3z - 0.7"
)
