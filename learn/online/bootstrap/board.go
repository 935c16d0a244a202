package bootstrap

import (
	"context"

	"plyfit/features"
	"plyfit/game"
	"plyfit/learn/online"
	"plyfit/models"
	"plyfit/search"
)

// A board is a game in progress. Between rounds it is determined by its episode, its ply and its
// position, because the random numbers for chance and exploration are derived from the seed and the
// ply.
type board struct {
	*online.Game
	cfg       *online.Task
	episode   int
	bootstrap bootstrapper
	learned   online.Contribution // gradient of this round
	tally     online.Tally        // tally of this round
	moves     []game.Move
}

// A bootstrapper determines what is learned from the searches in an episode.
type bootstrapper interface {
	begin()
	// searched processes the result r of a search of s. p.recorder, if not nil, contains the
	// search's nodes.
	searched(p *searcher, s game.State, r *search.Result)
	// randomMove is called before a random move, for which there is no search.
	randomMove()
	// ended is called if the episode ends at s or is cut off there.
	ended(p *searcher, s game.State, truncated bool)
}

// sweep contains the searches in an episode, which are processed backwards at its end.
type sweep struct {
	lambda float64
	steps  []step
	terms  models.Vector // terms of all steps, in order
}

type step struct {
	first, last int // range in terms
	sign, z     float64
	value       float64 // value to player 0, as found by the search
	noLeaf      bool    // the value is not the evaluation of a leaf, for example at the end of a game, so there is nothing to learn
	explored    bool    // a random move follows
}

func (w *sweep) begin() { w.steps, w.terms = w.steps[:0], w.terms[:0] }

func (w *sweep) randomMove() {
	if n := len(w.steps); n > 0 {
		w.steps[n-1].explored = true
	}
}

// extract appends the features of s to the terms and assigns them to the step.
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

// Draw implements [plyfit/game/play.Luck]. It draws nature's move with the random numbers for the
// ply.
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

// A searcher is a worker that plays on one board after another.
type searcher struct {
	cfg       *online.Task
	value     valueFunction
	evaluator *features.Evaluator
	fresh     func() (search.Agent, error)
	recorder  *nodeRecorder // nil if the method does not use the nodes
	whole     bool          // whole episodes are played with the same weights
	gradient  *online.Gradient
	moves     []game.Move
	tally     *online.Tally // tally of the current board
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

// turn makes the moves of a round on the board b: a single move, or all moves of an episode.
func (p *searcher) turn(ctx context.Context, b *board) error {
	p.tally = &b.tally
	// An agent that has searched before may find different bounds, because its table has grown and
	// contains other entries.
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
	p.gradient.MoveTo(&b.learned)
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
	if l := p.recorder; l != nil {
		clear(l.at)
		l.nodes, l.terms = l.nodes[:0], l.terms[:0]
	}
	r, err := search.SearchUninterrupted(ctx, agent, b.State)
	if err != nil {
		return game.NoMove, err
	}
	b.bootstrap.searched(p, b.State, &r)
	return r.Move, nil
}

// learn adds a sample with the given weight. According to the sample, the terms x, with the given
// sign and weighted sum z, should be worth target to player 0.
func (p *searcher) learn(x models.Vector, sign, z, target, weight float64) {
	delta := target - p.value.of(z)
	p.tally.Samples++
	p.tally.Errors += float64(delta * delta)
	p.gradient.Add(x, sign, delta*p.value.slope(z), weight)
}
