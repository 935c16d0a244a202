package online

import (
	"context"
	"math/rand/v2"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
	"plyfit/search"
)

// board is a game in progress. Between rounds its episode, its ply and its
// position say all of it: chance and exploration follow from seed and ply.
type board struct {
	episode   int
	ply       int
	state     game.State
	over      bool
	bootstrap bootstrapper
	learned   contribution // in this round
	tally     Tally        // likewise
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
	// wholeEpisodes reports whether episodes are to be played from beginning to end with
	// the same weights.
	wholeEpisodes() bool
}

func newBootstrapper(c *SearchingOptions) bootstrapper {
	switch c.Bootstrap {
	case TDLeaf:
		return &tdleaf{lambda: c.Lambda}
	case RootStrap:
		return &rootstrap{lambda: c.Lambda, weight: 1}
	}
	return &treestrap{rootstrap{lambda: c.Lambda, weight: c.Root}}
}

// reset begins the next episode on b.
func (l *Searching) reset(b *board) {
	b.episode, b.over = l.started, false
	l.started++
	b.state, b.ply = l.cfg.Opening(l.cfg.Random(b.episode), nil)
	b.bootstrap.begin()
}

// at is the source of random numbers at a ply of an episode: the same in every
// process, whatever came before.
func (t *Task) at(episode, ply int) *rand.Rand {
	seed := game.Mix(game.Mix(game.Mix(t.Seed)+uint64(episode)) + uint64(ply) + 1)
	return rand.New(rand.NewPCG(seed, game.Mix(seed)))
}

// searcher is a worker: it plays on one board after the other.
type searcher struct {
	cfg       *SearchingOptions
	value     valueFunction
	evaluator *features.Evaluator
	fresh     func() (search.Agent, error)
	recorder  *nodeRecorder // nil: the method does not want it
	gradient  gradient
	moves     []game.Move
	tally     *Tally // of the board that it plays on
}

func newSearcher(c *SearchingOptions) (p *searcher, err error) {
	p = &searcher{cfg: c, value: newValueFunction(c), evaluator: reference(&c.Task)}
	p.gradient.grow(c.Model.Len())
	var o search.Observer
	if c.Bootstrap == TreeStrap {
		p.recorder = newNodeRecorder(&p.value)
		o = p.recorder
	}
	p.fresh, err = c.Agent(p.evaluator, o)
	return p, err
}

// turn makes the moves of a round on b.
func (p *searcher) turn(ctx context.Context, b *board) error {
	c, s := p.cfg, b.state
	p.tally = &b.tally
	// One that has searched before finds other bounds: its table has grown, and
	// keeps other entries.
	agent, err := p.fresh()
	if err != nil {
		return err
	}
	agent.Begin(c.at(b.episode, b.ply).Uint64())
	whole := b.bootstrap.wholeEpisodes()
	for moved := false; s.Turn() != game.Nobody && b.ply < c.Game.MaxPlies && (whole || !moved); b.ply++ {
		rng := c.at(b.episode, b.ply)
		p.moves = s.Moves(p.moves[:0])
		switch {
		case s.Turn() == game.Chance:
			s.Play(game.Drawn(s, p.moves, rng.Float64()))
			continue
		case c.Epsilon > 0 && rng.Float64() < c.Epsilon:
			b.bootstrap.randomMove()
			s.Play(p.moves[rng.IntN(len(p.moves))])
		default:
			p.recorder.reset()
			r, err := agent.Search(ctx, s)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			b.bootstrap.searched(p, s, &r)
			s.Play(r.Move)
		}
		b.tally.Moves++
		moved = true
	}
	if s.Turn() == game.Nobody || b.ply >= c.Game.MaxPlies {
		p.end(b)
	}
	p.gradient.hand(&b.learned)
	return nil
}

// end counts an episode that is over.
func (p *searcher) end(b *board) {
	s, t := b.state, &b.tally
	truncated := s.Turn() != game.Nobody
	b.over = true
	b.bootstrap.ended(p, s, truncated)
	t.Episodes++
	if truncated {
		t.Truncated++
		return
	}
	u := s.Utility(0)
	t.Sum += u
	t.Squares += float64(u * u)
	if p.cfg.Goal != nil && p.cfg.Goal(game.Base(s)) {
		t.Goals++
	}
}

// learn adds a sample of the weight: x, seen with sign, of weighted sum z, should
// be worth target to player 0.
func (p *searcher) learn(x models.Vector, sign, z, target, weight float64) {
	delta := target - p.value.of(z)
	p.tally.Samples++
	p.tally.Errors += float64(delta * delta)
	p.gradient.add(x, sign, delta*p.value.slope(z), weight)
}
