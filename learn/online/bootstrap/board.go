package bootstrap

import (
	"context"

	"plyfit/features"
	"plyfit/game"
	"plyfit/learn/online"
	"plyfit/models"
	"plyfit/search"
)

// board is a game in progress. Between rounds its episode, its ply and its
// position say all of it: chance and exploration follow from seed and ply.
type board struct {
	*online.Game
	cfg       *online.Task
	episode   int
	bootstrap bootstrapper
	learned   online.Contribution // in this round
	tally     online.Tally        // likewise
	moves     []game.Move
}

// bootstrapper draws from the searches of an episode what is to be learned.
type bootstrapper interface {
	begin()
	// searched takes a search of s, whose nodes p.recorder has recorded.
	searched(p *searcher, s game.State, r *search.Result)
	// randomMove says that a random move comes next, without a search.
	randomMove()
	// ended says that the episode is over at s, or was cut off there.
	ended(p *searcher, s game.State, truncated bool)
}

// sweep is the searches of an episode, which is learned from backwards at its end.
type sweep struct {
	lambda float64
	steps  []step
	terms  models.Vector // of all steps
}

type step struct {
	first, last int // of terms
	sign, z     float64
	value       float64 // of the search, player 0's
	silent      bool    // the value is of no evaluation, but of a game's end: nothing is to be learned
	explored    bool    // a random move comes next
}

func (w *sweep) begin() { w.steps, w.terms = w.steps[:0], w.terms[:0] }

func (w *sweep) randomMove() {
	if n := len(w.steps); n > 0 {
		w.steps[n-1].explored = true
	}
}

// extract appends the features of s to the terms, as those of the step.
func (w *sweep) extract(p *searcher, s game.State, step *step) {
	step.first = len(w.terms)
	w.terms, step.sign, step.z = p.value.extract(s, w.terms)
	step.last = len(w.terms)
}

func (w *sweep) of(s *step) models.Vector { return w.terms[s.first:s.last] }

func newBootstrapper(c *online.Task) bootstrapper {
	w := sweep{lambda: c.Lambda}
	switch c.Method {
	case TDLeaf:
		return &tdleaf{w}
	case RootStrap:
		return &rootstrap{w, 1}
	}
	return &treestrap{rootstrap{w, c.Root}}
}

func newBoard(c *online.Task) *board {
	b := &board{Game: online.NewGame(c), cfg: c, bootstrap: newBootstrapper(c)}
	b.Luck = b
	return b
}

// Draw implements [plyfit/game/play.Luck]: nature's move, by the random numbers of the ply.
func (b *board) Draw(s game.State) game.Move {
	b.moves = s.Moves(b.moves[:0])
	return game.Drawn(s, b.moves, b.cfg.RandomAt(b.episode, b.Plies).Float64())
}

func (l *Learner) reset(b *board) {
	b.episode = l.started
	l.started++
	b.StartEpisode(b.episode)
	b.bootstrap.begin()
}

// searcher is a worker: it plays on one board after the other.
type searcher struct {
	cfg       *online.Task
	value     valueFunction
	evaluator *features.Evaluator
	fresh     func() (search.Agent, error)
	recorder  *nodeRecorder // nil: the method does not want it
	whole     bool          // whole episodes are played with the same weights
	gradient  *online.Gradient
	moves     []game.Move
	tally     *online.Tally // of the board that it plays on
}

func newSearcher(c *online.Task) (p *searcher, err error) {
	p = &searcher{cfg: c, value: newValueFunction(c), evaluator: reference(c), gradient: online.NewGradient(c.Model.Len()), whole: c.Method == TDLeaf || c.Lambda > 0}
	var o search.Observer
	if c.Method == TreeStrap {
		p.recorder = &nodeRecorder{value: &p.value, at: map[uint64]int32{}}
		o = p.recorder
	}
	p.fresh, err = c.Planner(p.evaluator, o)
	return p, err
}

// turn makes the moves of a round on b: one, or all of its episode.
func (p *searcher) turn(ctx context.Context, b *board) error {
	p.tally = &b.tally
	// One that has searched before finds other bounds: its table has grown, and
	// keeps other entries.
	agent, err := p.fresh()
	if err != nil {
		return err
	}
	agent.Begin(p.cfg.RandomAt(b.episode, b.Plies).Uint64())
	for moved := false; (p.whole || !moved) && b.Next(); moved = true {
		m, err := p.decide(ctx, agent, b)
		if err != nil {
			return err
		}
		b.Play(m)
		b.tally.Moves++
	}
	if b.Over() {
		b.bootstrap.ended(p, b.State, b.Truncated())
		b.tally.Ended(b.Outcome())
	}
	p.gradient.Hand(&b.learned)
	return nil
}

func (p *searcher) decide(ctx context.Context, agent search.Agent, b *board) (game.Move, error) {
	if p.cfg.Epsilon > 0 {
		if rng := p.cfg.RandomAt(b.episode, b.Plies); rng.Float64() < p.cfg.Epsilon {
			b.bootstrap.randomMove()
			p.moves = b.State.Moves(p.moves[:0])
			return p.moves[rng.IntN(len(p.moves))], nil
		}
	}
	p.recorder.reset()
	r, err := search.Whole(ctx, agent, b.State)
	if err != nil {
		return game.NoMove, err
	}
	b.bootstrap.searched(p, b.State, &r)
	return r.Move, nil
}

// learn adds a sample of the weight: x, seen with sign, of weighted sum z, should
// be worth target to player 0.
func (p *searcher) learn(x models.Vector, sign, z, target, weight float64) {
	delta := target - p.value.of(z)
	p.tally.Samples++
	p.tally.Errors += float64(delta * delta)
	p.gradient.Add(x, sign, delta*p.value.slope(z), weight)
}
