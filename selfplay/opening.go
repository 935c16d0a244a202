package selfplay

import (
	"context"
	"math/rand/v2"

	"plyfit/game"
	"plyfit/game/play"
	"plyfit/work"
)

// openingTries is how often an opening that ends the game is drawn again before
// the episode begins at the start.
const openingTries = 50

// openings are those of all episodes before end, which players share. They are drawn
// once, when get is first called.
type openings struct {
	end uint64
	get func(context.Context) (*play.Distinct, error)
}

func newOpenings(cfg *Config, end int) *openings {
	o := &openings{end: uint64(end)}
	o.get = work.Once(func(ctx context.Context) (*play.Distinct, error) {
		p := &player{cfg: cfg, opening: cfg.opening()}
		return play.NewDistinct(ctx, o.end, func(e uint64) func() game.State {
			p.dice.Random, p.number = cfg.random(e), e
			return p.draw
		})
	})
	return o
}

// random is where the random choices of episode e come from.
func (c *Config) random(e uint64) *rand.Rand {
	seed := game.Seed(c.Seed, game.StreamEpisode, e)
	return rand.New(rand.NewPCG(seed, game.Mix(seed)))
}

// opening is how the episodes begin.
func (c *Config) opening() play.Opening {
	return play.Opening{Most: c.Openings, Tries: openingTries, MaxPlies: c.Game.MaxPlies}
}

// begin is the position that episode e begins at; again says that another
// beginning of it was found wanting. Its plies are those of p.opening.
func (p *player) begin(e uint64, again bool) game.State {
	if p.distinct == nil {
		return p.draw()
	}
	return p.distinct.Draw(e, again, p.draw)
}

// draw is the start of the episode after some random decisions.
func (p *player) draw() game.State {
	s := p.cfg.start(p.number)
	p.opening.Draw(s, p.dice.Random) // the start itself where every try ended the game
	return s
}
