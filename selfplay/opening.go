package selfplay

import (
	"context"
	"math/rand/v2"

	"plyfit/game"
)

// openingTries is how often an opening that ends the game is drawn again before
// the episode begins at the start.
const openingTries = 50

// openingDraws is how many openings are drawn for an episode before it is taken
// that all of them were had before.
const openingDraws = 200

// openings says which of its draws each episode begins with, so that no two
// episodes begin at the same position: agents that make no random choices would
// play the same game again. What an episode begins with depends on the seed and
// on the episodes before it, and on nothing else: a data set that grows keeps
// what it has.
//
// After an episode for which openingDraws draws found nothing new the openings
// count as run out: all later episodes begin with their first draw.
type openings struct {
	draws []uint8           // by episode
	first map[uint64]uint64 // the episode that begins at a position, by [game.Place]
}

// newOpenings draws for the episodes before end.
func newOpenings(ctx context.Context, cfg *Config, end uint64) (*openings, error) {
	o := &openings{draws: make([]uint8, end), first: map[uint64]uint64{}}
	p := &player{cfg: cfg}
	out := false
	for e := range end {
		if e%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		rng := cfg.random(e)
		for {
			o.draws[e]++
			s, _ := p.opening(rng)
			place := game.Place(s)
			if _, had := o.first[place]; !had {
				o.first[place] = e
				break
			}
			if out = out || o.draws[e] == openingDraws; out {
				break
			}
		}
	}
	return o, nil
}

// free tells whether no episode before e, nor e itself, begins at s.
func (o *openings) free(s game.State, e uint64) bool {
	by, had := o.first[game.Place(s)]
	return !had || by > e
}

// random is where the random choices of episode e come from.
func (c *Config) random(e uint64) *rand.Rand {
	seed := game.Seed(c.Seed, game.StreamEpisode, e)
	return rand.New(rand.NewPCG(seed, game.Mix(seed)))
}

// begin is the position that episode e begins at, and the plies it took; again
// says how many beginnings of it were found wanting.
func (p *player) begin(e uint64, rng *rand.Rand, again int) (s game.State, plies int) {
	if p.openings == nil {
		return p.opening(rng)
	}
	if again == 0 {
		for range p.openings.draws[e] {
			s, plies = p.opening(rng)
		}
		return s, plies
	}
	for range openingDraws {
		if s, plies = p.opening(rng); p.openings.free(s, e) {
			break
		}
	}
	return s, plies
}

// opening is the start after some random decisions, and the plies it took.
func (p *player) opening(rng *rand.Rand) (s game.State, plies int) {
	limit := p.cfg.Game.MaxPlies
	for try := 0; ; try++ {
		s, plies = p.cfg.Game.New(), 0
		decisions := 0
		if p.cfg.Openings > 0 && try < openingTries {
			decisions = rng.IntN(p.cfg.Openings + 1)
		}
		for decisions > 0 && s.Turn() != game.Nobody && plies < limit {
			if s.Turn() == game.Chance {
				s.Play(p.nature(s, rng))
			} else {
				if !game.NatureToMove(s) {
					decisions--
				}
				s.Play(p.uniform(s, rng))
			}
			plies++
		}
		if s.Turn() != game.Nobody && plies < limit || try >= openingTries {
			return s, plies
		}
	}
}

// nature is a move of nature's.
func (p *player) nature(s game.State, rng *rand.Rand) game.Move {
	p.moves = s.Moves(p.moves[:0])
	return game.Drawn(s, p.moves, rng.Float64())
}

// uniform is a move drawn uniformly.
func (p *player) uniform(s game.State, rng *rand.Rand) game.Move {
	p.moves = s.Moves(p.moves[:0])
	return p.moves[rng.IntN(len(p.moves))]
}
