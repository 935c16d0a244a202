package search_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"plyfit/game"
	"plyfit/internal/spec"
)

// oak is an explicit tree as a position, read from an s-expression: the game
// of the tests in this package, which know everything about it.
type oak struct {
	kind  string // max, min, chance, or "" for a leaf
	value float64
	probs []float64
	kids  []*oak
	id    uint64
	lo    float64
	hi    float64
}

type oakState struct {
	at   *oak
	path []*oak
	root *oak
	lo   float64
	hi   float64
}

func (s *oakState) Turn() game.Player {
	switch s.at.kind {
	case "max":
		return 0
	case "min":
		return 1
	case "chance":
		return game.Chance
	}
	return game.Nobody
}

func (s *oakState) Moves(dst []game.Move) []game.Move {
	for i := range s.at.kids {
		dst = append(dst, game.Move(i))
	}
	return dst
}
func (s *oakState) Play(m game.Move) { s.path = append(s.path, s.at); s.at = s.at.kids[m] }
func (s *oakState) Undo() {
	s.at = s.path[len(s.path)-1]
	s.path = s.path[:len(s.path)-1]
}
func (s *oakState) Utility(p game.Player) float64 {
	if p == 1 {
		return -s.at.value
	}
	return s.at.value
}
func (s *oakState) Hash() uint64                  { return game.Mix(s.at.id) }
func (s *oakState) Clone() game.State             { c := *s; c.path = nil; return &c }
func (s *oakState) String() string                { return fmt.Sprint(s.at.id) }
func (s *oakState) MoveString(m game.Move) string { return fmt.Sprint(m) }
func (s *oakState) Prob(m game.Move) float64      { return s.at.probs[m] }
func (s *oakState) For() game.Player              { return 0 }
func (s *oakState) Shape() game.Shape {
	return game.Shape{Players: 2, Sum: game.Zero, Min: s.lo, Max: s.hi}
}

// bounded is an oakState that knows the range of each subtree.
type boundedOak struct{ *oakState }

func (s boundedOak) Bounds(p game.Player) (lo, hi float64) {
	if p == 1 {
		return -s.at.hi, -s.at.lo
	}
	return s.at.lo, s.at.hi
}
func (s boundedOak) Clone() game.State { return boundedOak{s.oakState.Clone().(*oakState)} }

var oakGame = &game.Game{Name: "oak", Spec: "oak", Players: 2, Sum: game.Zero, Min: math.Inf(-1), Max: math.Inf(1)}

// plant reads a tree.
func plant(text string) *oakState {
	text = strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text)
	tokens, ids := strings.Fields(text), uint64(0)
	var read func() *oak
	next := func() string { t := tokens[0]; tokens = tokens[1:]; return t }
	number := func(t string) float64 {
		x, err := spec.Number(t)
		if err != nil {
			panic(err)
		}
		return x
	}
	read = func() *oak {
		ids++
		o := &oak{id: ids}
		t := next()
		if t != "(" {
			o.value = number(t)
			o.lo, o.hi = o.value, o.value
			return o
		}
		o.kind = next()
		o.lo, o.hi = math.Inf(1), math.Inf(-1)
		for tokens[0] != ")" {
			if o.kind == "chance" {
				o.probs = append(o.probs, number(next()))
			}
			k := read()
			o.kids = append(o.kids, k)
			o.lo, o.hi = min(o.lo, k.lo), max(o.hi, k.hi)
		}
		next()
		return o
	}
	root := read()
	return &oakState{at: root, root: root, lo: root.lo, hi: root.hi}
}

// grow is a random tree of up to deep levels, all kinds of nodes mixed.
func grow(r *rand.Rand, deep int, chance bool) string {
	if deep == 0 || r.IntN(12) == 0 {
		return fmt.Sprint(r.IntN(21) - 10)
	}
	n := 2 + r.IntN(3)
	kind := [...]string{"max", "min", "chance"}[r.IntN(2)]
	if chance && r.IntN(3) == 0 {
		kind = "chance"
	}
	var b strings.Builder
	b.WriteString("(" + kind)
	weights, sum := make([]int, n), 0
	for i := range weights {
		weights[i] = 1 + r.IntN(5)
		sum += weights[i]
	}
	for i := range n {
		if kind == "chance" {
			fmt.Fprintf(&b, " %d/%d", weights[i], sum)
		}
		b.WriteString(" " + grow(r, deep-1, chance))
	}
	return b.String() + ")"
}

// guess is an evaluation of oaks: arbitrary, sometimes out of bounds, always
// the same.
type guess struct{}

func (guess) Evaluate(s game.State, p game.Player) float64 {
	v := s.(interface{ tree() *oak }).tree().guess()
	if p == 1 {
		return -v
	}
	return v
}

func (s *oakState) tree() *oak { return s.at }

func (o *oak) guess() float64 { return float64(game.Mix(o.id+77)%25) - 12 }

// worth is a tree's value by brute force, as defined: to depth decisions, with
// evaluations kept inside [lo, hi] or, bounded, to the range of the subtree;
// nature averages, or opposes player 0.
func (o *oak) worth(depth int, hostile, afterstate, bounded bool, lo, hi float64) float64 {
	leaf := func() float64 {
		if bounded {
			lo, hi = o.lo, o.hi
		}
		return game.Inside(o.guess(), lo, hi)
	}
	switch {
	case o.kind == "":
		return o.value
	case o.kind == "chance" && depth == 0 && afterstate, o.kind != "chance" && depth == 0:
		return leaf()
	}
	if o.kind != "chance" {
		depth--
	}
	value := func(k *oak) float64 { return k.worth(depth, hostile, afterstate, bounded, lo, hi) }
	if o.kind == "chance" && !hostile {
		sum := 0.0
		for i, k := range o.kids {
			sum += o.probs[i] * value(k)
		}
		return sum
	}
	best := value(o.kids[0])
	for _, k := range o.kids[1:] {
		if o.kind == "max" {
			best = max(best, value(k))
		} else {
			best = min(best, value(k))
		}
	}
	return best
}

func fmtFloat(x float64) string { return fmt.Sprintf("%.3f", x) }
