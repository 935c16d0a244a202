package online

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"sync/atomic"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
	"plyfit/search"
)

// Bootstrap names what is learned from the searches of self-play.
type Bootstrap string

const (
	TDLeaf    Bootstrap = "tdleaf"    // tdleaf.go
	RootStrap Bootstrap = "rootstrap" // rootstrap.go
	TreeStrap Bootstrap = "treestrap" // treestrap.go
)

// LossKind is how a difference between a target V and the evaluation v is counted.
type LossKind string

const (
	// SquaredLoss is 1/2 (V - v)^2: its gradient goes through the link, so that
	// positions which the evaluation takes for decided teach little.
	SquaredLoss LossKind = "squared"
	// LogisticLoss is the cross-entropy of the target's place between the game's
	// bounds, which belongs to the links logistic and tanh: the link's slope
	// cancels, and what is left is the papers' update of a linear evaluation, the
	// difference times the features.
	LogisticLoss LossKind = "logistic"
)

// SearchingOptions makes a [Searching]. The zero value of every field but those
// of Task, Agent and Lesson is the default.
type SearchingOptions struct {
	Task
	Steps

	// Agent gives what makes the planners of one worker, which evaluate by eval and
	// tell o of their nodes; o is nil where the method does not want them. Their
	// answers must not depend on time or racing threads.
	Agent func(eval search.Evaluator, o search.Observer) (fresh func() (search.Agent, error), err error)

	Bootstrap Bootstrap
	Lambda    float64  // how far what comes later reaches back, in [0, 1]
	Loss      LossKind // "": Logistic where the link allows it, else Squared
	Root      float64  // of TreeStrap: how many searched positions the root counts for; 0: 1, as published
	Boards    int      // games played side by side, with the same weights; 0: 16
}

// Searching learns from searches in games against itself, by one of the three
// methods. Games go on side by side on boards, each taking the next episode when
// its own is over. In a round each board makes a move (where whole games are
// learned from, in TDLeaf and with lambda, it plays to the end); the mean gradient of what was learned
// on all of them, taken in the boards' order, then moves the weights. So the
// number of workers changes nothing.
type Searching struct {
	cfg       SearchingOptions
	model     *models.Linear // the weights played with
	descent   descent
	sum       gradient // of the round
	boards    []*board
	searchers []*searcher
	started   int // episodes that have begun
	tally     Tally
}

var _ Learner = (*Searching)(nil)

// NewSearching makes a learner.
func NewSearching(c SearchingOptions) (*Searching, error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	l := &Searching{cfg: c, model: c.Model}
	l.sum.grow(c.Model.Len())
	l.descent.begin(c.Steps, c.Model, c.Frozen)
	for range min(max(1, c.Workers), c.Boards) {
		p, err := newSearcher(&l.cfg)
		if err != nil {
			return nil, err
		}
		l.searchers = append(l.searchers, p)
	}
	for range c.Boards {
		b := &board{bootstrap: newBootstrapper(&c)}
		l.reset(b)
		l.boards = append(l.boards, b)
	}
	return l, nil
}

// complete fills in defaults and finds what cannot be.
func (c *SearchingOptions) complete() error {
	if err := c.Task.check(); err != nil {
		return err
	}
	afterstates := c.Model.Leaves == models.Afterstate
	switch c.Bootstrap {
	case TreeStrap:
	case RootStrap:
		if afterstates {
			return errors.New("leaves=afterstate: the root of a search is a decision: want leaves=decision, or treestrap")
		}
	case TDLeaf:
		if _, chance := game.As[game.Chancer](c.Game.New()); chance {
			return fmt.Errorf("%s: where nature moves the root's value comes from no single leaf: want td, rootstrap or treestrap", c.Game.Spec)
		}
	default:
		return fmt.Errorf("bootstrap %q: want %s, %s or %s", c.Bootstrap, TDLeaf, RootStrap, TreeStrap)
	}
	if !(c.Lambda >= 0 && c.Lambda <= 1) {
		return fmt.Errorf("lambda=%v: want a number from 0 to 1", c.Lambda)
	}
	linked := c.Model.Link.Kind == models.Logistic || c.Model.Link.Kind == models.Tanh
	switch {
	case c.Loss == "" && linked:
		c.Loss = LogisticLoss
	case c.Loss == "":
		c.Loss = SquaredLoss
	case c.Loss == LogisticLoss && !linked:
		return fmt.Errorf("loss=%s: link %s has no bounds: want %s", c.Loss, c.Model.Link.Kind, SquaredLoss)
	case c.Loss != SquaredLoss && c.Loss != LogisticLoss:
		return fmt.Errorf("loss=%s: want %s or %s", c.Loss, SquaredLoss, LogisticLoss)
	}
	if c.Root == 0 {
		c.Root = 1
	}
	if !(c.Root > 0) || math.IsInf(c.Root, 0) {
		return fmt.Errorf("root=%v: want a number above 0", c.Root)
	}
	if c.Boards == 0 {
		c.Boards = 16
	}
	if c.Boards < 1 || c.Boards > 1<<12 {
		return fmt.Errorf("batch=%d: want 1 to %d", c.Boards, 1<<12)
	}
	return c.Steps.complete(0.02, "rounds", Adam, AdaGrad, TC, Plain)
}

// Advance implements [Learner]: rounds until to episodes are finished. Those in
// progress, and those that the last round finished beyond to, count for the next
// call.
func (l *Searching) Advance(ctx context.Context, from, to int) error {
	for l.tally.Episodes < to {
		if err := l.round(ctx); err != nil {
			return err
		}
	}
	return finite(l.model, &l.tally, l.descent.Alpha)
}

// round has each board make its moves, and learns from them.
func (l *Searching) round(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var wait sync.WaitGroup
	for _, p := range l.searchers {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(l.boards) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := p.turn(ctx, l.boards[i]); err != nil {
					stop(err)
				}
			}
		})
	}
	wait.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, b := range l.boards {
		l.sum.merge(&b.learned)
		l.tally.add(&b.tally)
		b.learned, b.tally = contribution{terms: b.learned.terms[:0]}, Tally{}
		if b.over {
			l.reset(b)
		}
	}
	if l.sum.samples > 0 {
		if i, ok := l.descent.take(l.model, &l.sum); !ok {
			return &DivergedError{weightName(l.model, i), weight(l.model, i), l.descent.Alpha, l.tally.Episodes}
		}
	} else if l.tally.Samples == 0 && l.tally.Episodes >= len(l.boards) {
		return errors.New("the searches tell of no position to learn from: want a deeper search")
	}
	l.sum.clear()
	if l.tally.Episodes >= l.cfg.AverageFrom && l.cfg.AverageFrom >= 0 {
		l.descent.sample(l.model)
	}
	return nil
}

// Model implements [Learner].
func (l *Searching) Model() *models.Linear { return l.descent.averaged(l.model) }

// Tally implements [Learner].
func (l *Searching) Tally() Tally { return l.tally }

// Check reports weights that are no finite numbers any more, those of tables
// included, as a [DivergedError].
func (l *Searching) Check() error { return finiteTable(l.model, &l.tally, l.descent.Alpha) }

// Snapshot implements [Learner].
func (l *Searching) Snapshot(w io.Writer) error {
	if err := l.Check(); err != nil {
		return err
	}
	e := NewEncoder(w)
	e.tally(l.tally)
	e.Int(int64(l.started))
	l.descent.encode(e, l.model)
	for _, b := range l.boards {
		e.Int(int64(b.episode))
		e.Int(int64(b.ply))
		e.Text(b.state.String())
	}
	return e.Err()
}

// Restore implements [Learner].
func (l *Searching) Restore(r io.Reader) error {
	d := NewDecoder(r)
	l.tally = d.tally()
	l.started = int(d.Int())
	l.descent.decode(d, l.model)
	for _, b := range l.boards {
		b.episode, b.ply = int(d.Int()), int(d.Int())
		position := d.Text()
		if d.err != nil {
			break
		}
		s, err := l.cfg.Game.Parse(position)
		if err != nil {
			return fmt.Errorf("snapshot: %w", err)
		}
		b.state, b.over = s, false
		b.bootstrap.begin()
	}
	return d.Err()
}

func (t *Tally) add(u *Tally) {
	t.Episodes += u.Episodes
	t.Moves += u.Moves
	t.Truncated += u.Truncated
	t.Sum += u.Sum
	t.Squares += u.Squares
	t.Goals += u.Goals
	t.Samples += u.Samples
	t.Errors += u.Errors
}

// reference evaluates by the weights as they are at every call.
func reference(t *Task) *features.Evaluator { return features.NewReference(t.Game, t.Set, t.Model) }
