package play

import (
	"context"

	"plyfit/game"
)

// distinctDraws is how many openings are drawn for an episode before it is taken
// that all of them were had before.
const distinctDraws = 200

// Distinct chooses which of its draws each episode begins with, so that no two begin at the same
// position: agents without random choices would repeat the game. The choice depends on the
// episode's own random numbers and on earlier episodes only, so a growing data set keeps its games.
//
// After 200 draws without a new position the openings count as exhausted: later episodes begin with
// their first draw.
type Distinct struct {
	draws []uint8           // by episode
	first map[uint64]uint64 // the episode that begins at a position, by [game.BoardHash]
}

// NewDistinct draws for the episodes before end. source gives an episode's
// openings, one a call, from its first on. The error is the cause of ctx's end.
func NewDistinct(ctx context.Context, end uint64, source func(episode uint64) (draw func() game.State)) (*Distinct, error) {
	d := &Distinct{draws: make([]uint8, end), first: map[uint64]uint64{}}
	exhausted := false
	for e := range end {
		if e%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		draw := source(e)
		for {
			d.draws[e]++
			place := game.BoardHash(draw())
			if _, had := d.first[place]; !had {
				d.first[place] = e
				break
			}
			if exhausted = exhausted || d.draws[e] == distinctDraws; exhausted {
				break
			}
		}
	}
	return d, nil
}

// Draw is an episode's opening: the last of its recorded number of draws. again draws another,
// which no episode up to this one begins with while any are left.
func (d *Distinct) Draw(episode uint64, again bool, draw func() game.State) (s game.State) {
	if !again {
		for range d.draws[episode] {
			s = draw()
		}
		return s
	}
	for range distinctDraws {
		if s = draw(); d.free(s, episode) {
			break
		}
	}
	return s
}

// free reports whether no episode before e, nor e itself, begins at s.
func (d *Distinct) free(s game.State, e uint64) bool {
	by, had := d.first[game.BoardHash(s)]
	return !had || by > e
}
