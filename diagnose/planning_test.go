package diagnose

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/models"
	"plyfit/search"
	"plyfit/study"
	"plyfit/study/bases"
	"plyfit/train"
)

// learner moves the weights of an evaluation down the regret of the planner that uses it.
// At a decision of its own games the planner's tree, softened, gives each move a value and
// the gradient of that; the moves are chosen by a softmax of these values; and the loss is
// what the choice is worth less than the best move, by a search further with the weights
// that it began with.
type learner struct {
	w       *catalog.World
	slip    float64
	minimax bool // the planner's nature is hostile, and hands do not slip
	depth   int  // of the tree, in decisions
	soft    float64
	set     features.Set
	model   *models.Linear
	teacher search.Agent
	terms   models.Vector
}

// dual is a value in player 0's view, and its gradient by weight.
type dual struct {
	v float64
	g []float64
}

func (d dual) plus(p float64, o dual) dual {
	d.v += p * o.v
	for i, g := range o.g {
		d.g[i] += p * g
	}
	return d
}

func (l *learner) none() dual { return dual{g: make([]float64, len(l.model.Weights))} }

// moves are the values of the moves at a decision, slips of the planner's world included.
func (l *learner) moves(s game.State, depth int) (moves []game.Move, of []dual) {
	moves = s.Moves(nil)
	mean := l.none()
	for _, m := range moves {
		s.Play(m)
		d := l.tree(s, depth-1)
		s.Undo()
		of = append(of, d)
		mean = mean.plus(1/float64(len(moves)), d)
	}
	if slip := l.slip; slip > 0 && !l.minimax {
		for i := range of {
			of[i] = l.none().plus(1-slip, of[i]).plus(slip, mean)
		}
	}
	return moves, of
}

// choice are the probabilities by which a mover takes moves of such values.
func (l *learner) choice(mover game.Player, of []dual) []float64 {
	sign, best, sum := 1-2*float64(mover), math.Inf(-1), 0.0
	for _, d := range of {
		best = math.Max(best, sign*d.v)
	}
	p := make([]float64, len(of))
	for i, d := range of {
		p[i] = elementary.Exp((sign*d.v - best) / l.soft)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

func (l *learner) tree(s game.State, depth int) dual {
	switch turn := s.Turn(); {
	case turn == game.Nobody:
		d := l.none()
		d.v = s.Utility(0)
		return d
	case turn == game.Chance:
		c, _ := game.As[game.Chancer](s)
		mean, worst := l.none(), dual{}
		sign := 1 - 2*float64(c.For())
		for _, m := range s.Moves(nil) {
			p := c.Prob(m)
			s.Play(m)
			d := l.tree(s, depth)
			s.Undo()
			mean = mean.plus(p, d)
			if worst.g == nil || sign*d.v < sign*worst.v {
				worst = d
			}
		}
		if l.minimax {
			return worst
		}
		return mean
	case depth == 0:
		d := l.none()
		x, sign := features.ExtractView(l.set, s, l.terms[:0])
		l.terms = x
		z := l.model.Bias + float64(sign)*l.model.Dot(x)
		lo, hi := l.w.Base().Min, l.w.Base().Max
		d.v = l.model.Link.Apply(z, lo, hi)
		slope := l.model.Link.Slope(z, lo, hi)
		for _, t := range x {
			d.g[t.Index] += slope * float64(sign) * float64(t.Value)
		}
		return d
	default:
		_, of := l.moves(s, depth)
		out := l.none()
		for i, p := range l.choice(turn, of) {
			out = out.plus(p, of[i])
		}
		return out
	}
}

// worth are the moves' values by the teacher, in the mover's view.
func (l *learner) worth(t *testing.T, s game.State, moves []game.Move) []float64 {
	mover := s.Turn()
	q, mean := make([]float64, len(moves)), 0.0
	for i, m := range moves {
		s.Play(m)
		if s.Turn() == game.Nobody {
			q[i] = s.Utility(mover)
		} else {
			world := s.Clone()
			if l.slip > 0 {
				world = game.NewSlip(world, l.slip)
			}
			l.teacher.Begin(0)
			r, err := l.teacher.Search(context.Background(), world)
			if err != nil {
				t.Fatal(err)
			}
			q[i] = r.Values[mover]
		}
		s.Undo()
		mean += q[i] / float64(len(moves))
	}
	for i := range q {
		q[i] = (1-l.slip)*q[i] + l.slip*mean
	}
	return q
}

// learn plays and learns at so many decisions.
func (l *learner) learn(t *testing.T, decisions, openings int, rate float64, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 77))
	s, random := l.w.Base().New(), openings
	k := len(l.model.Weights)
	sum, first, second := make([]float64, k), make([]float64, k), make([]float64, k)
	const batch = 32
	steps := 0.0
	for n := 0; n < decisions; {
		switch s.Turn() {
		case game.Nobody:
			s, random = l.w.Base().New(), openings
			continue
		case game.Chance:
			s.Play(game.Drawn(s, s.Moves(nil), r.Float64()))
			continue
		}
		moves := s.Moves(nil)
		if random > 0 || len(moves) == 1 || r.Float64() < l.slip {
			random--
			s.Play(moves[r.IntN(len(moves))])
			continue
		}
		n++
		_, of := l.moves(s, l.depth)
		mover := s.Turn()
		sign := 1 - 2*float64(mover)
		p, q := l.choice(mover, of), l.worth(t, s, moves)
		mean := 0.0
		for i := range p {
			mean += p[i] * q[i]
		}
		best, at := math.Inf(-1), 0
		for i, d := range of {
			if sign*d.v > best {
				best, at = sign*d.v, i
			}
			for j, g := range d.g {
				sum[j] += p[i] * (mean - q[i]) / l.soft * sign * g / batch
			}
		}
		s.Play(moves[at])
		if n%batch == 0 {
			steps++
			for j, g := range sum {
				first[j] = 0.9*first[j] + 0.1*g
				second[j] = 0.999*second[j] + 0.001*g*g
				sum[j] = 0
				l.model.Weights[j] -= rate * (first[j] / (1 - math.Pow(0.9, steps))) / (math.Sqrt(second[j]/(1-math.Pow(0.999, steps))) + 1e-8)
			}
		}
	}
}

func used() float64 {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

// ground is a world of the experiment, with what takes an arm about two CPU seconds there.
type ground struct {
	game       string
	slip       float64
	openings   int
	td, strap  int // games
	fit        int // games
	decisions  int // of the learner, beside half of td's games
	decisions1 int // of it with trees one decision deep
}

var grounds = []ground{
	{"tictactoe", 0.3, 2, 80000, 900, 40000, 4600, 5000},
	{"tictactoe", 0.1, 2, 80000, 900, 40000, 4600, 5000},
	{"connect4:columns=4,rows=4", 0.2, 4, 60000, 1700, 18000, 13000, 13000},
	{"connect4:columns=4,rows=4,dice=on", 0, 4, 1000, 1800, 14000, 6000, 9000},
	{"pig:target=25", 0, 4, 1800, 1600, 10000, 12000, 12000},
}

// TestLearningForPlanners is the experiment: PLANNERS="GROUND FIRST SEEDS [RATE SOFT]".
func TestLearningForPlanners(t *testing.T) {
	f := strings.Fields(os.Getenv("PLANNERS"))
	if len(f) == 0 {
		t.Skip("an experiment")
	}
	number := func(i int) float64 {
		x, err := strconv.ParseFloat(f[i], 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	g := grounds[int(number(0))]
	b := boardOf(t, g.game, g.slip)
	w := b.w
	ends := make([]float64, len(b.nodes))
	for i, n := range b.nodes {
		ends[i] = n.worth
	}
	perfect := b.policy(ends, false, 40)
	rate, soft := 0.003, 0.05
	if len(f) > 3 {
		rate, soft = number(3), number(4)
	}
	for seed := uint64(number(1)); seed < uint64(number(1)+number(2)); seed++ {
		report := func(name string, set features.Set, m *models.Linear, cpu float64) {
			e, err := w.EvaluationOf(name, set, m)
			if err != nil {
				t.Fatal(err)
			}
			d, err := newDiagnosis(Options{World: w, Evaluation: e, Depth: 2, Openings: g.openings, Seed: 5000 + seed})
			if err != nil {
				t.Fatal(err)
			}
			ctx := context.Background()
			if err := d.choose(ctx); err != nil {
				t.Fatal(err)
			}
			if d.valued, err = d.playAll(ctx, "", valuedGames, 1, 300); err != nil {
				t.Fatal(err)
			}
			if err := d.calibrate(ctx); err != nil {
				t.Fatal(err)
			}
			loss := func(l lens, minimax bool, depth int) float64 {
				return b.loss(b.policy(b.leaves(d, l), minimax, depth), perfect, g.openings)
			}
			fmt.Printf("Y\t%s\t%d\t%s\t%.5f\t%.5f\t%.5f\t%.2f\t%.2f\n", w.Spec, seed, name, loss(raw, false, 2), loss(raw, true, 2), loss(calibrated, false, 2), d.link.slope, cpu)
		}
		trained := func(method string, games int) (features.Set, *models.Linear, float64) {
			before := used()
			training := features.Training{Method: method, Episodes: games}
			if method != "td" {
				training.Leaves = models.Decision
				training.Agent = "expectimax:depth=2"
			}
			o, err := train.Defaults(w, training)
			if err != nil {
				t.Fatal(err)
			}
			o.Seed, o.Workers, o.Dir, o.Curve.Every, o.Curve.Pairs = seed, 1, t.TempDir(), games, 0
			r, err := train.Run(context.Background(), w, o)
			if err != nil {
				t.Fatal(err)
			}
			// What is there after a move, its slip done, is where the next one is to decide.
			r.Model.Leaves = models.Decision
			return r.Set, r.Model, used() - before
		}
		base := "td"
		if g.slip == 0 {
			base = "rootstrap" // as td learns the afterstates of dice
		}
		set, m, cpu := trained(base, g.td)
		report(base, set, m, cpu)
		set, m, cpu = trained("treestrap", g.strap)
		report("treestrap", set, m, cpu)
		before := used()
		fit, err := bases.Fit{Game: g.game, World: study.World{Slip: g.slip}, Games: g.fit, Seed: seed}.Learn(context.Background(), worldOf(t, g.game))
		if err != nil {
			t.Fatal(err)
		}
		m = m.Clone()
		m.Weights, m.Bias, m.Link = fit.Weights, fit.Bias, models.Link{Kind: models.Logistic, Scale: 1}
		report("regression", set, m, used()-before)
		set, half, cpu := trained(base, g.td/2)
		report(base+", half", set, half, cpu)
		for _, a := range []struct {
			name    string
			minimax bool
			depth   int
			n       int
		}{{"identity", false, 2, 0}, {"one decision", false, 1, g.decisions1}, {"expectimax", false, 2, g.decisions}, {"minimax", true, 2, g.decisions}} {
			before := used()
			e, err := w.EvaluationOf("teacher", set, half)
			if err != nil {
				t.Fatal(err)
			}
			o := search.Options{Game: w.Game, Leaf: models.Decision, Depth: 2, Table: 1, Eval: e.New()}
			teacher, err := search.NewExpectimax(o)
			if err != nil {
				t.Fatal(err)
			}
			l := &learner{w: w, slip: g.slip, minimax: a.minimax, depth: a.depth, soft: soft, set: features.Own(set), model: half.Clone(), teacher: teacher}
			l.learn(t, a.n, g.openings, rate, seed)
			report("learned for "+a.name, set, l.model, cpu+used()-before)
		}
	}
}
