// Package bootstrap learns from searches in games of an evaluation against itself:
// what a search finds is better than what the evaluation says, and teaches it.
//
// The journey of a round:
//
//  1. Searchers, one for each worker, make the moves of the round on boards that lie
//     side by side, with the same weights.
//  2. A bootstrapper takes each search with its nodes and says what is learned from it,
//     by one of three methods: [TDLeaf], [RootStrap] or [TreeStrap], a file each.
//  3. [Learner] adds the gradients up in the boards' order and takes one step, by
//     plyfit/learn/online.
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

// The methods, by what is learned from the searches of self-play.
const (
	TDLeaf    = "tdleaf"    // tdleaf.go
	RootStrap = "rootstrap" // rootstrap.go
	TreeStrap = "treestrap" // rootstrap.go
)

// Losses: how a difference between a target V and the evaluation v is counted.
const (
	// squaredLoss is 1/2 (V - v)^2: its gradient goes through the link, so that
	// positions which the evaluation sees as decided teach little.
	squaredLoss = "squared"
	// logisticLoss is the cross-entropy of the target's place between the game's bounds, which
	// belongs to the links logistic and tanh: the link's slope cancels, and what is left is the
	// papers' update of a linear evaluation, the difference times the features.
	logisticLoss = "logistic"
)

// Learner learns from searches in games against itself, by one of the three methods. Games go on
// side by side on boards, each taking the next episode when its own is over. In a round each board
// makes a move (where whole games are learned from, in TDLeaf and with lambda, it plays to the
// end); the mean gradient of what was learned on all of them, taken in the boards' order, then
// moves the weights. So the number of workers changes nothing.
type Learner struct {
	cfg       online.Task
	model     *models.Linear // the weights played with
	descent   *online.Descent
	sum       *online.Gradient // of the round
	boards    []*board
	searchers []*searcher
	started   int // episodes that have begun
	tally     online.Tally
}

var _ online.Learner = (*Learner)(nil)

// New makes a learner by the task's method and planner.
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
		b := newBoard(&l.cfg)
		l.reset(b)
		l.boards = append(l.boards, b)
	}
	return l, nil
}

// checkMethod finds a method that does not go with the world or the model.
func checkMethod(c *online.Task) error {
	switch c.Method {
	case TreeStrap:
	case RootStrap:
		if c.Model.Leaves == models.Afterstate {
			return errors.New("leaves=afterstate: the root of a search is a decision: want leaves=decision, or treestrap")
		}
	case TDLeaf:
		if _, chance := game.As[game.Chancer](c.Game.New()); chance {
			return fmt.Errorf("%s: where nature moves the root's value comes from no single leaf: want td, rootstrap or treestrap", c.Game.Spec)
		}
	default:
		return fmt.Errorf("bootstrap %q: want %s, %s or %s", c.Method, TDLeaf, RootStrap, TreeStrap)
	}
	return nil
}

// completeLoss fills in the loss, and finds one that the link does not go with.
func completeLoss(c *online.Task) error {
	linked := c.Model.Link.Kind == models.Logistic || c.Model.Link.Kind == models.Tanh
	switch {
	case c.Loss == "" && linked:
		c.Loss = logisticLoss
	case c.Loss == "":
		c.Loss = squaredLoss
	case c.Loss == logisticLoss && !linked:
		return fmt.Errorf("loss=%s: link %s has no bounds: want %s", c.Loss, c.Model.Link.Kind, squaredLoss)
	}
	return nil
}

// Advance implements [online.Learner]: rounds until to episodes are finished. Those in progress,
// and those that the last round finished beyond to, count for the next call.
func (l *Learner) Advance(ctx context.Context, from, to int) error {
	for l.tally.Episodes < to {
		if err := l.round(ctx); err != nil {
			return err
		}
	}
	return online.CheckWeights(l.model, &l.tally, l.cfg.Alpha)
}

// round has each board make its moves, and learns from them.
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
		return errors.New("the searches tell of no position to learn from: want a deeper search")
	}
	l.sum.Clear()
	if from := l.cfg.AverageFrom(); from >= 0 && l.tally.Episodes >= from {
		l.descent.Sample(l.model)
	}
	return nil
}

func (l *Learner) Model() *models.Linear { return l.descent.Averaged(l.model) }

func (l *Learner) Tally() online.Tally { return l.tally }

// Check reports weights that are not finite, in tables too, as an [online.DivergedError].
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

// reference evaluates by the weights as they are at every call.
func reference(t *online.Task) *features.Evaluator {
	return features.NewReference(t.Game, t.Set, t.Model)
}

// valueFunction reads positions as player 0's expected utility, and how that moves with the
// weights: v = link(z), z = bias + sign w x.
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

// covers reports whether s is a position that the model is made for.
func (e *valueFunction) covers(s game.State) bool {
	turn := game.Base(s).Turn()
	if e.model.Leaves == models.Afterstate {
		return turn == game.Chance
	}
	return turn >= 0 && s.Turn() >= 0 // not one in which a move is still to slip
}

// extract appends the features of s to x; sign is how they count for player 0.
func (e *valueFunction) extract(s game.State, x models.Vector) (_ models.Vector, sign, z float64) {
	s = game.Base(s)
	first := len(x)
	x, direction := features.ExtractView(e.set, s, x)
	sign = float64(direction)
	return x, sign, e.model.Bias + float64(sign*e.model.Dot(x[first:]))
}

// of is the utility of z.
func (e *valueFunction) of(z float64) float64 { return e.model.Link.Apply(z, e.lo, e.hi) }

// slope is how much a step in z is worth to the loss, by the difference in utility: the link's
// slope for squared errors, 1 where the loss goes with the link and cancels it.
func (e *valueFunction) slope(z float64) float64 {
	if e.loss == logisticLoss {
		return 1
	}
	return e.model.Link.Slope(z, e.lo, e.hi)
}
