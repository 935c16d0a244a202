package selfplay

import (
	"context"
	"math/rand/v2"
	"sync"

	"plyfit/game"
	"plyfit/game/play"
)

// openingTries is how often an opening that ends the game is drawn again before
// the episode begins at the start.
const openingTries = 50

// openings are those of all episodes before end, which players share. They are drawn
// once, when the first is asked for.
type openings struct {
	cfg *Config
	end uint64

	mu    sync.Mutex
	drawn *play.Distinct
}

func (o *openings) get(ctx context.Context) (*play.Distinct, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.drawn != nil {
		return o.drawn, nil
	}
	p := &player{cfg: o.cfg, opening: o.cfg.opening()}
	var err error
	o.drawn, err = play.NewDistinct(ctx, o.end, func(e uint64) func() game.State {
		p.dice.Random, p.number = o.cfg.random(e), e
		return p.draw
	})
	return o.drawn, err
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
