package arena

import (
	"fmt"

	"plyfit/game"
)

// opening is how the games of one pair begin.
type opening struct {
	start string // the position, where a list was given
	moves []game.Move
	hash  uint64 // of the position that the agents take over
}

// openingTries is how often an opening that ends the game is drawn again.
const openingTries = 1000

// start is the first position of a pair.
func (m *match) start(pair int) (game.State, string, error) {
	list := m.cfg.Openings.Positions
	if len(list) == 0 {
		return m.cfg.Game.New(), "", nil
	}
	text := list[pair%len(list)]
	s, err := m.cfg.Game.Parse(text)
	return s, text, err
}

// draw draws the opening of a pair: the same for all of its games, whatever the
// agents.
func (m *match) drawOpening(pair int) (opening, error) {
	s, text, err := m.start(pair)
	if err != nil {
		return opening{}, err
	}
	o := opening{start: text}
	plies := m.cfg.Openings.Plies
	if plies == 0 {
		o.hash = s.Hash()
		return o, nil
	}
	var buf []game.Move
	key := game.Seed(m.cfg.Seed, uint64(pair), streamOpening)
	for try := uint64(0); try < openingTries; try++ {
		o.moves = o.moves[:0]
		draws := uint64(0)
		next := func() float64 { draws++; return unit(game.Seed(key, try, draws)) }
		for decided := 0; s.Turn() != game.Nobody && (decided < plies || pendingSlip(s)) && len(o.moves) < m.cfg.Game.MaxPlies; {
			buf = s.Moves(buf[:0])
			var mv game.Move
			if game.NatureToMove(s) {
				mv = game.Drawn(s, buf, next())
			} else {
				mv = buf[int(next()*float64(len(buf)))]
				decided++
			}
			o.moves = append(o.moves, mv)
			s.Play(mv)
		}
		if s.Turn() != game.Nobody && len(o.moves) < m.cfg.Game.MaxPlies {
			o.hash = s.Hash()
			return o, nil
		}
		for range o.moves {
			s.Undo()
		}
	}
	return o, fmt.Errorf("%s: %d openings of %d random plies all ended the game: want fewer plies", m.cfg.Game.Spec, openingTries, plies)
}

// pendingSlip tells whether a move was chosen at s and not yet decided: an
// opening ends after that.
func pendingSlip(s game.State) bool {
	sl, ok := game.As[*game.Slip](s)
	if !ok {
		return false
	}
	_, pending := sl.Intended()
	return pending
}
