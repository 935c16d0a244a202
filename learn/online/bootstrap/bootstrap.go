// Package bootstrap learns from the searches made during self-play. The value that a search finds
// is better than the static evaluation, so the evaluation is moved towards it.
//
// A round proceeds as follows:
//
//  1. Searchers, one for each worker, make the moves of the round on several boards, all with the
//     same weights.
//  2. A bootstrapper determines what is learned from each search and its nodes. There are three
//     methods: [TDLeaf], [RootStrap] and [TreeStrap].
//  3. [Learner] sums the gradients in the order of the boards and takes a single step, as
//     implemented by plyfit/learn/online.
package bootstrap

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"plyfit/features"
	"plyfit/game"
	"plyfit/learn/online"
	"plyfit/models"
	"plyfit/work"
)

// The methods differ in what is learned from the searches in self-play.
const (
	TDLeaf    = "tdleaf"    // tdleaf.go
	RootStrap = "rootstrap" // rootstrap.go
	TreeStrap = "treestrap" // rootstrap.go
)

// The losses measure the difference between a target V and the evaluation v.
const (
	// squaredLoss is 1/2 (V - v)^2. Its gradient includes the slope of the link, so positions that
	// the evaluation considers decided have little effect.
	squaredLoss = "squared"
	// logisticLoss is the cross-entropy between the target and the evaluation, both converted to
	// fractions of the range between the game's bounds. It requires a logistic or tanh link, whose
	// slope cancels. The gradient is then the update for a linear evaluation in the original
	// papers: the difference times the features.
	logisticLoss = "logistic"
)

// Learner learns from the searches in games that it plays against itself, using one of the three
// methods. Several games are in progress at the same time, each on its own board. When an episode
// ends, its board starts the next one. In each round every board makes one move. If the method
// learns from whole games, as TDLeaf and the methods with lambda do, every board plays its game to
// the end instead. The weights are then moved by the mean gradient over all boards, summed in their
// order. The number of workers therefore does not change the result.
type Learner struct {
	cfg       online.Task
	model     *models.Linear // current weights
	descent   *online.Descent
	sum       *online.Gradient // gradient of the round
	boards    []*board
	searchers []*searcher
	started   int // number of episodes that have started
	tally     online.Tally
}

var _ online.Learner = (*Learner)(nil)

// New returns a learner that uses the task's method and planner.
func New(c online.Task) (*Learner, error) {
	if err := cmp.Or(checkMethod(&c), c.CheckOpposed(c.Method), completeLoss(&c)); err != nil {
		return nil, err
	}
	l := &Learner{cfg: c, model: c.Model, sum: online.NewGradient(c.Model.Len())}
	l.descent = online.NewDescent(&l.cfg)
	for range min(max(1, c.Workers), c.Batch) {
		p, err := newSearcher(&l.cfg)
		if err != nil {
			return nil, err
		}
		l.searchers = append(l.searchers, p)
	}
	for range c.Batch {
		b := &board{Game: online.NewGame(&l.cfg), cfg: &l.cfg, bootstrap: newBootstrapper(&l.cfg)}
		b.Luck = b
		l.reset(b)
		l.boards = append(l.boards, b)
	}
	return l, nil
}

// checkMethod returns an error if the method is not valid for the world or the model.
func checkMethod(c *online.Task) error {
	switch c.Method {
	case TreeStrap:
	case RootStrap:
		if c.Model.Leaves == models.Afterstate {
			return errors.New("leaves=afterstate: the root of a search is a decision; use leaves=decision or method treestrap")
		}
	case TDLeaf:
		if _, chance := game.As[game.Chancer](c.Game.New()); chance {
			return fmt.Errorf("%s: with chance nodes the root's value does not come from a single leaf; use method td, rootstrap or treestrap", c.Game.Spec)
		}
	default:
		return fmt.Errorf("bootstrap %q: want %s, %s or %s", c.Method, TDLeaf, RootStrap, TreeStrap)
	}
	return nil
}

// completeLoss sets the default loss. It returns an error if the loss is not valid for the link.
func completeLoss(c *online.Task) error {
	linked := c.Model.Link.Kind == models.Logistic || c.Model.Link.Kind == models.Tanh
	switch {
	case c.Loss == "" && linked:
		c.Loss = logisticLoss
	case c.Loss == "":
		c.Loss = squaredLoss
	case c.Loss == logisticLoss && !linked:
		return fmt.Errorf("loss=%s: link %s has no bounds; want loss %s", c.Loss, c.Model.Link.Kind, squaredLoss)
	}
	return nil
}

// Advance implements [online.Learner]. It plays rounds until at least the required number of
// episodes are finished. Unfinished episodes, and any surplus episodes finished by the last round,
// count towards the next call.
func (l *Learner) Advance(ctx context.Context, from, to int) error {
	for l.tally.Episodes < to {
		if err := l.round(ctx); err != nil {
			return err
		}
	}
	return online.CheckWeights(l.model, &l.tally, l.cfg.Alpha)
}

// round lets each board make its moves and learns from them.
func (l *Learner) round(ctx context.Context) error {
	before := l.tally.Episodes
	var next atomic.Int64
	own := func() (*searcher, error) { return l.searchers[next.Add(1)-1], nil }
	if err := work.Each(ctx, len(l.searchers), len(l.boards), own, func(ctx context.Context, p *searcher, i int) error { return p.turn(ctx, l.boards[i]) }, nil); err != nil {
		return err
	}
	for _, b := range l.boards {
		l.sum.Merge(&b.learned)
		l.tally.Add(b.tally)
		b.learned.Clear()
		b.tally = online.Tally{}
		if b.Over() {
			l.reset(b)
		}
	}
	if l.sum.Samples > 0 {
		if i, ok := l.descent.Take(l.model, l.sum, before); !ok {
			return &online.DivergedError{What: online.WeightName(l.model, i), Value: online.Weight(l.model, i), Alpha: l.cfg.Alpha, Games: l.tally.Episodes}
		}
	} else if l.tally.Samples == 0 && l.tally.Episodes >= len(l.boards) {
		return errors.New("the searches contain no positions to learn from; use a deeper search")
	}
	l.sum.Clear()
	if from := l.cfg.AverageFrom(); from >= 0 && l.tally.Episodes >= from {
		l.descent.Sample(l.model)
	}
	return nil
}

func (l *Learner) Model() *models.Linear { return l.descent.Averaged(l.model) }

func (l *Learner) Tally() online.Tally { return l.tally }

// Check returns an [online.DivergedError] if a weight is not finite, including weights in tables.
func (l *Learner) Check() error { return online.CheckTables(l.model, &l.tally, l.cfg.Alpha) }

func (l *Learner) Persist(s *online.Snapshot) error {
	s.Tally(&l.tally)
	s.Numbers(&l.started)
	l.descent.Persist(s, l.model)
	for _, b := range l.boards {
		plies, position := b.Plies, b.State.String()
		s.Numbers(&b.episode, &plies)
		if s.Text(&position); !s.Reading() {
			continue
		}
		at, err := l.cfg.Game.Parse(position)
		if err != nil {
			return fmt.Errorf("snapshot: %w", err)
		}
		b.Resume(at, plies)
		b.bootstrap.begin()
	}
	return nil
}

// reference returns an evaluator that uses the current weights at the time of each call.
func reference(t *online.Task) *features.Evaluator {
	return features.NewReference(t.Game, t.Set, t.Model)
}

// valueFunction computes player 0's expected utility at a position and its derivative with respect
// to the weights: v = link(z), z = bias + sign w x.
type valueFunction struct {
	set    features.Set
	model  *models.Linear
	lo, hi float64
	loss   string
}

func newValueFunction(c *online.Task) valueFunction {
	base := c.Game.Base()
	return valueFunction{set: features.Own(c.Set), model: c.Model, lo: base.Min, hi: base.Max, loss: c.Loss}
}

// covers reports whether the model applies to positions like s.
func (e *valueFunction) covers(s game.State) bool {
	turn := game.Base(s).Turn()
	if e.model.Leaves == models.Afterstate {
		return turn == game.Chance
	}
	return turn >= 0 && s.Turn() >= 0 // exclude positions at which a move may still slip
}

// extract appends the features of s to x. The result sign is +1 or -1, depending on whether the
// features count for or against player 0, and z is the weighted sum.
func (e *valueFunction) extract(s game.State, x models.Vector) (_ models.Vector, sign, z float64) {
	s = game.Base(s)
	first := len(x)
	x, direction := features.ExtractView(e.set, s, x)
	sign = float64(direction)
	return x, sign, e.model.Bias + float64(sign*e.model.Dot(x[first:]))
}

// of returns the utility for the weighted sum z.
func (e *valueFunction) of(z float64) float64 { return e.model.Link.Apply(z, e.lo, e.hi) }

// slope returns the derivative of the utility with respect to z for the squared loss, and 1 for the
// logistic loss, where the link's slope cancels.
func (e *valueFunction) slope(z float64) float64 {
	if e.loss == logisticLoss {
		return 1
	}
	return e.model.Link.Slope(z, e.lo, e.hi)
}
