package study

import (
	"fmt"
	"iter"
	"math"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/models"
	"plyfit/search"
)

// Gamble is what is done to an expected score.
type gamble struct {
	Kind  string  `json:"kind"` // "", log, seeking, fearing, power, noise
	Scale float64 `json:"scale,omitempty"`
	Seed  uint64  `json:"seed,omitempty"`
}

const (
	logTotal = "log"
	seeking  = "seeking"
	fearing  = "fearing"
	powered  = "power" // of the gain; Scale is the exponent
	noisy    = "noise"
)

// riskScale is the gain in points over which the taste for risk shows.
const riskScale = 100

func (g gamble) String() string {
	switch g.Kind {
	case logTotal:
		return "log of the total"
	case seeking:
		return fmt.Sprintf("exp(gain/%g)", g.Scale)
	case fearing:
		return fmt.Sprintf("-exp(-gain/%g)", g.Scale)
	case powered:
		return fmt.Sprintf("gain^%g", g.Scale)
	case noisy:
		return fmt.Sprintf("noise, %.0f points", g.Scale)
	}
	return "clean"
}

// bend is what a value at a leaf or an end is taken for, root being the score
// at the root.
func (g gamble) bend(value, root float64) float64 {
	switch g.Kind {
	case logTotal:
		return math.Log(math.Max(1, value))
	case seeking:
		return math.Exp((value - root) / g.Scale)
	case fearing:
		return -math.Exp(-(value - root) / g.Scale)
	case powered:
		return math.Copysign(math.Pow(math.Abs(value-root), g.Scale), value-root)
	}
	return value
}

// gambler is expectimax of a game of one whose utility is its score, through a
// gamble.
type gambler struct {
	gamble
	eval   search.Evaluator
	after  bool // leaves are afterstates
	depth  int
	root   float64
	state  game.State
	chance game.Chancer
	known  map[seen]float64
	moves  []game.Move
	leaves *[]float64 // where it is not nil, the clean values of all leaves met
}

func newGambler(w *catalog.World, j *catalog.Judge, depth int, g gamble) *gambler {
	return &gambler{gamble: g, eval: j.New(), after: j.Leaves == models.Afterstate, depth: depth, known: map[seen]float64{}}
}

// choose is the first of the best moves at s, which is left as it was.
func (g *gambler) choose(s game.State) game.Move {
	best, move := math.Inf(-1), game.NoMove
	for m, v := range g.values(s) {
		if v > best || move == game.NoMove {
			best, move = v, m
		}
	}
	return move
}

// equals are the best moves at s, to the rounding of sums.
func (g *gambler) equals(s game.State) (moves []game.Move) {
	best := math.Inf(-1)
	for _, v := range g.values(s) {
		best = math.Max(best, v)
	}
	for m, v := range g.values(s) {
		if v >= within2048(best) {
			moves = append(moves, m)
		}
	}
	return moves
}

// values are the moves at s, with what the planner makes of each.
func (g *gambler) values(s game.State) iter.Seq2[game.Move, float64] {
	g.state = s
	g.chance, _ = game.As[game.Chancer](s)
	scorer, _ := game.As[game.Scorer](s)
	g.root = scorer.Score(0)
	clear(g.known)
	return func(yield func(game.Move, float64) bool) {
		for _, m := range s.Moves(nil) {
			s.Play(m)
			v := g.value(g.depth - 1)
			s.Undo()
			if !yield(m, v) {
				return
			}
		}
	}
}

func (g *gambler) value(depth int) float64 {
	s := g.state
	turn := s.Turn()
	switch {
	case turn == game.Nobody:
		return g.bend(s.Utility(0), g.root)
	case depth == 0 && (turn >= 0 || g.after):
		v := g.eval.Evaluate(game.Base(s), 0)
		if b, ok := game.As[game.Bounder](s); ok {
			lo, hi := b.Bounds(0)
			v = math.Max(lo, math.Min(hi, v))
		}
		if g.leaves != nil {
			*g.leaves = append(*g.leaves, v)
		}
		if g.Kind == noisy {
			v += g.Scale * normal(s.Hash(), g.Seed)
		}
		return g.bend(v, g.root)
	}
	key := seen{s.Hash(), int32(depth)}
	if v, ok := g.known[key]; ok {
		return v
	}
	first := len(g.moves)
	g.moves = s.Moves(g.moves)
	out := math.Inf(-1)
	if turn == game.Chance {
		out = 0
	}
	for i, last := first, len(g.moves); i < last; i++ {
		m := g.moves[i]
		if turn == game.Chance {
			p := g.chance.Prob(m)
			s.Play(m)
			out += p * g.value(depth)
		} else {
			s.Play(m)
			out = math.Max(out, g.value(depth-1))
		}
		s.Undo()
	}
	g.moves = g.moves[:first]
	g.known[key] = out
	return out
}

// within is the root-mean-square error of a gamble within trees: over the leaves
// below each of a sample of positions, after the best affine fit there; and the
// variance of the clean values within trees.
func within(trees [][]float64, roots []float64, g gamble) (rms, variance float64) {
	var residual, total, n float64
	for i, values := range trees {
		var sx, sy, sxx, sxy, syy float64
		m := float64(len(values))
		middle := roots[i]
		for _, v := range values {
			// About the root: squares of scores would drown the differences.
			y, x := v-middle, g.bend(v, roots[i])-g.bend(middle, roots[i])
			sx, sy, sxx, sxy, syy = sx+x, sy+y, sxx+x*x, sxy+x*y, syy+y*y
		}
		vx, vy, c := sxx/m-sx/m*sx/m, syy/m-sy/m*sy/m, sxy/m-sx/m*sy/m
		left := vy
		if vx > 0 {
			left = math.Max(0, vy-c*c/vx)
		}
		residual, total, n = residual+m*left, total+m*vy, n+m
	}
	return math.Sqrt(residual / n), total / n
}

// treesOf samples positions of clean play and the leaves below them.
func treesOf(w *catalog.World, j *catalog.Judge, depth int, seed uint64) (trees [][]float64, roots []float64) {
	const games, apart = 20, 7
	player := newGambler(w, j, depth, gamble{})
	var moves []game.Move
	for i := range uint64(games) {
		random := newRand(seed, 0x7ee5, i)
		s := w.New()
		for n := 0; s.Turn() != game.Nobody; {
			if s.Turn() == game.Chance {
				moves = s.Moves(moves[:0])
				s.Play(game.Drawn(s, moves, random.Float64()))
				continue
			}
			var leaves []float64
			if n++; n%apart == 0 {
				player.leaves = &leaves
			}
			m := player.choose(s)
			player.leaves = nil
			if len(leaves) > 1 {
				trees, roots = append(trees, leaves), append(roots, player.root)
			}
			s.Play(m)
		}
	}
	return trees, roots
}
