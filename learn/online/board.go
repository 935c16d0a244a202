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
	episode int
	ply     int
	state   game.State
	over    bool
	lesson  lesson
	learned contribution // in this round
	tally   Tally        // likewise
}

// lesson draws from the searches of an episode what is to be learned.
type lesson interface {
	begin()
	// searched tells of a search of s; p.heard has heard its nodes.
	searched(p *pupil, s game.State, r *search.Result)
	// explored tells that a random move comes next, without a search.
	explored()
	// ended tells that the episode is over at s, or was cut off there.
	ended(p *pupil, s game.State, truncated bool)
	// wholeGames tells that episodes are to be played from beginning to end with
	// the same weights.
	wholeGames() bool
}

func newLesson(c *SearchingConfig) lesson {
	switch c.Lesson {
	case TDLeaf:
		return &tdleaf{lambda: c.Lambda}
	case RootStrap:
		return &rootstrap{lambda: c.Lambda, weight: 1}
	}
	return &treestrap{rootstrap{lambda: c.Lambda, weight: c.Root}}
}

// seat begins the next episode on b.
func (l *Searching) seat(b *board) {
	b.episode, b.over = l.started, false
	l.started++
	b.state, b.ply = l.cfg.Open(l.cfg.Random(b.episode), nil)
	b.lesson.begin()
}

// at is the source of random numbers at a ply of an episode: the same in every
// process, whatever came before.
func (t *Task) at(episode, ply int) *rand.Rand {
	seed := game.Mix(game.Mix(game.Mix(t.Seed)+uint64(episode)) + uint64(ply) + 1)
	return rand.New(rand.NewPCG(seed, game.Mix(seed)))
}

// pupil is a worker: it plays on one board after the other.
type pupil struct {
	cfg       *SearchingConfig
	eye       eye
	evaluator *features.Evaluator
	fresh     func() (search.Agent, error)
	heard     *listener // nil: the lesson does not want it
	gradient  gradient
	moves     []game.Move
	tally     *Tally // of the board that it plays on
}

func newPupil(c *SearchingConfig) (p *pupil, err error) {
	p = &pupil{cfg: c, eye: newEye(c), evaluator: reference(&c.Task)}
	p.gradient.grow(c.Model.Len())
	var o search.Observer
	if c.Lesson == TreeStrap {
		p.heard = newListener(&p.eye)
		o = p.heard
	}
	p.fresh, err = c.Agent(p.evaluator, o)
	return p, err
}

// turn makes the moves of a round on b.
func (p *pupil) turn(ctx context.Context, b *board) error {
	c, s := p.cfg, b.state
	p.tally = &b.tally
	// One that has searched before finds other bounds: its table has grown, and
	// keeps other entries.
	agent, err := p.fresh()
	if err != nil {
		return err
	}
	agent.Begin(c.at(b.episode, b.ply).Uint64())
	whole := b.lesson.wholeGames()
	for moved := false; s.Turn() != game.Nobody && b.ply < c.Game.MaxPlies && (whole || !moved); b.ply++ {
		rng := c.at(b.episode, b.ply)
		p.moves = s.Moves(p.moves[:0])
		switch {
		case s.Turn() == game.Chance:
			s.Play(game.Drawn(s, p.moves, rng.Float64()))
			continue
		case c.Epsilon > 0 && rng.Float64() < c.Epsilon:
			b.lesson.explored()
			s.Play(p.moves[rng.IntN(len(p.moves))])
		default:
			p.heard.forget()
			r, err := agent.Search(ctx, s)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			b.lesson.searched(p, s, &r)
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
func (p *pupil) end(b *board) {
	s, t := b.state, &b.tally
	truncated := s.Turn() != game.Nobody
	b.over = true
	b.lesson.ended(p, s, truncated)
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
func (p *pupil) learn(x models.Vector, sign, z, target, weight float64) {
	delta := target - p.eye.value(z)
	p.tally.Samples++
	p.tally.Errors += float64(delta * delta)
	p.gradient.add(x, sign, delta*p.eye.slope(z), weight)
}
