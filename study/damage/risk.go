package damage

import (
	"fmt"
	"iter"
	"math"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/models"
	"plyfit/search"
	"plyfit/study"
)

// Risk is what is done to an expected score.
type Risk struct {
	Kind  string  `json:"kind"` // "", log, seeking, fearing, power, noise
	Scale float64 `json:"scale,omitempty"`
	Seed  uint64  `json:"seed,omitempty"`
}

const (
	LogTotal    = "log"
	Seeking     = "seeking"
	Averse      = "fearing"
	PowerOfGain = "power" // of the gain; Scale is the exponent
	NoisyScore  = "noise"
)

func (g Risk) String() string {
	switch g.Kind {
	case LogTotal:
		return "log of the total"
	case Seeking:
		return fmt.Sprintf("exp(gain/%g)", g.Scale)
	case Averse:
		return fmt.Sprintf("-exp(-gain/%g)", g.Scale)
	case PowerOfGain:
		return fmt.Sprintf("gain^%g", g.Scale)
	case NoisyScore:
		return fmt.Sprintf("noise, %.0f points", g.Scale)
	}
	return "clean"
}

// Bend is what a value at a leaf or an end is taken for, root being the score
// at the root.
func (g Risk) Bend(value, root float64) float64 {
	switch g.Kind {
	case LogTotal:
		return elementary.Log(math.Max(1, value))
	case Seeking:
		return elementary.Exp((value - root) / g.Scale)
	case Averse:
		return -elementary.Exp(-(value - root) / g.Scale)
	case PowerOfGain:
		return math.Copysign(elementary.Pow(math.Abs(value-root), g.Scale), value-root)
	}
	return value
}

// RiskPlanner is expectimax of a game of one whose utility is its score, through a
// risk preference.
type RiskPlanner struct {
	Risk
	Eval   search.Evaluator
	after  bool // leaves are afterstates
	depth  int
	root   float64
	state  game.State
	chance game.Chancer
	known  map[tableKey]float64
	moves  []game.Move
}

func NewRiskPlanner(w *catalog.World, j *catalog.Evaluation, depth int, g Risk) *RiskPlanner {
	return &RiskPlanner{Risk: g, Eval: j.New(), after: j.Leaves == models.Afterstate, depth: depth, known: map[tableKey]float64{}}
}

// Best are the best moves at s, to the rounding of sums.
func (g *RiskPlanner) Best(s game.State) (moves []game.Move) {
	best := math.Inf(-1)
	for _, v := range g.values(s) {
		best = math.Max(best, v)
	}
	for m, v := range g.values(s) {
		if v >= TieBelow(best) {
			moves = append(moves, m)
		}
	}
	return moves
}

// values are the moves at s, with what the planner makes of each.
func (g *RiskPlanner) values(s game.State) iter.Seq2[game.Move, float64] {
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

func (g *RiskPlanner) value(depth int) float64 {
	s := g.state
	turn := s.Turn()
	switch {
	case turn == game.Nobody:
		return g.Bend(s.Utility(0), g.root)
	case depth == 0 && (turn >= 0 || g.after):
		v := g.Eval.Evaluate(game.Base(s), 0)
		if b, ok := game.As[game.Bounder](s); ok {
			lo, hi := b.Bounds(0)
			v = math.Max(lo, math.Min(hi, v))
		}
		if g.Kind == NoisyScore {
			v += float64(g.Scale * Normal(s.Hash(), g.Seed))
		}
		return g.Bend(v, g.root)
	}
	key := tableKey{s.Hash(), int32(depth)}
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
			out += float64(p * g.value(depth))
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

// LoadScoreGame reads a game of one whose utility is its score, with the evaluation.
func LoadScoreGame(s *study.Session, spec string) (*catalog.World, *catalog.Evaluation, error) {
	w, err := s.Catalog.World(spec)
	if err != nil {
		return nil, nil, err
	}
	_, scores := game.As[game.Scorer](w.New())
	if w.Players != 1 || !scores || w.Inside != nil {
		return nil, nil, fmt.Errorf("game %s: want a game of one player whose utility is its score, without +", w.Spec)
	}
	name := "handwritten"
	if s.Over.Eval != "" {
		name = s.Over.Eval
	}
	j, err := w.Evaluation(name)
	return w, j, err
}

// TieBelow is the least value that counts as equal to the best: sums of
// thousands of points are rounded.
func TieBelow(best float64) float64 { return best - float64(1e-11*math.Abs(best)) }
