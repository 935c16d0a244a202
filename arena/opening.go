package arena

import (
	"fmt"

	"plyfit/game"
	"plyfit/game/play"
)

type opening struct {
	start string // the position, where a list was given
	moves []game.Move
	hash  uint64 // of the position that the agents take over
}

// openingTries is how many openings in a row may end the game before a match fails.
const openingTries = 1000

func (m *match) start(pair int) (game.State, string, error) {
	list := m.cfg.Openings.Positions
	if len(list) == 0 {
		return m.cfg.Game.New(), "", nil
	}
	text := list[pair%len(list)]
	s, err := m.cfg.Game.Parse(text)
	return s, text, err
}

// drawOpening draws a pair's opening: the same for all of its games, whatever the agents.
func (m *match) drawOpening(pair int) (opening, error) {
	s, text, err := m.start(pair)
	if err != nil {
		return opening{}, err
	}
	plies := m.cfg.Openings.Plies
	if plies == 0 {
		return opening{start: text, hash: s.Hash()}, nil
	}
	random := &openingRandom{key: game.Seed(m.cfg.Seed, uint64(pair), streamOpening)}
	o := play.Opening{
		Least: plies, Most: plies, Tries: openingTries, MaxPlies: m.cfg.Game.MaxPlies,
		DecideSlip: true, AdversaryByChance: true,
		Again: random.again,
	}
	if !o.Draw(s, random) {
		return opening{}, fmt.Errorf("%s: %d openings of %d random plies all ended the game: want fewer plies", m.cfg.Game.Spec, openingTries, plies)
	}
	return opening{start: text, moves: o.Moves, hash: s.Hash()}, nil
}

// openingRandom are random numbers of a pair's opening, from the pair, try and place in it alone.
type openingRandom struct{ key, try, drawn uint64 }

func (r *openingRandom) again() { r.try, r.drawn = r.try+1, 0 }

func (r *openingRandom) Float64() float64 {
	r.drawn++
	return unit(game.Seed(r.key, r.try, r.drawn))
}

func (r *openingRandom) IntN(n int) int { return int(r.Float64() * float64(n)) }
