package play

import (
	"context"

	"plyfit/game"
)

// An Opening draws the beginning of an episode: a number of random decisions and nature's moves.
//
// Each user of this type needs different settings. The settings must not change, because data sets,
// models and matches depend on them:
//
//   - Matches (package arena) use a fixed number of decisions, decide the last slip, and draw an
//     adversary's moves with nature's probabilities. They report a user error if 1000 openings
//     in a row end the game.
//   - Self-play and the online learners also draw the number of decisions, and draw an adversary's
//     moves uniformly. After 50 failed tries, they begin at the initial position.
//   - Studies of evaluations make one try, and use another seed if it fails.
//   - Diagnoses decide the last slip. Their games make 1000 tries and then report a failure. Their
//     pilot positions make 3 tries and then keep the initial position.
type Opening struct {
	// Least and Most are the bounds on the number of decisions. If they differ, each try draws the
	// number uniformly.
	Least, Most int
	// Tries is the maximum number of openings to draw in case they end the game.
	Tries int
	// MaxPlies is the number of calls to Play that an opening must stay below. 0 means no limit.
	MaxPlies int

	// DecideSlip includes the last decision's slip in the opening. If DecideSlip is false, the
	// opening may end with a pending move.
	DecideSlip bool
	// AdversaryByChance draws an adversary's moves with nature's probabilities. If it is false,
	// they are drawn uniformly. In both cases, they do not count as decisions.
	AdversaryByChance bool

	// Again, if not nil, is called before each try except the first.
	Again func()

	// Moves contains the moves of the last Draw, including nature's. Each Draw overwrites it.
	Moves []game.Move

	legal []game.Move
}

// Draw plays an opening from s. It takes numbers from r in the order of the moves. ok is false if
// all tries ended the game or reached the limit. In that case, s is unchanged and Moves is empty.
func (o *Opening) Draw(s game.State, r Random) (ok bool) {
	slip, _ := game.As[*game.Slip](s)
	for try := range o.Tries {
		if try > 0 && o.Again != nil {
			o.Again()
		}
		o.Moves = o.Moves[:0]
		decisions := o.Least
		if o.Most > o.Least {
			decisions += r.IntN(o.Most - o.Least + 1)
		}
		o.play(s, slip, r, decisions)
		if s.Turn() != game.Nobody && o.within() {
			return true
		}
		for range o.Moves {
			s.Undo()
		}
	}
	o.Moves = o.Moves[:0]
	return false
}

// play makes the given number of random decisions, unless the game ends earlier.
func (o *Opening) play(s game.State, slip *game.Slip, r Random, decisions int) {
	pending := func() bool {
		if slip == nil || !o.DecideSlip {
			return false
		}
		_, is := slip.Intended()
		return is
	}
	for s.Turn() != game.Nobody && o.within() && (decisions > 0 || pending()) {
		o.legal = s.Moves(o.legal[:0])
		var m game.Move
		switch {
		case s.Turn() == game.Chance:
			m = game.Drawn(s, o.legal, r.Float64())
		case !game.NatureToMove(s):
			m = o.legal[r.IntN(len(o.legal))]
			decisions--
		case o.AdversaryByChance:
			m = game.Drawn(s, o.legal, r.Float64())
		default:
			m = o.legal[r.IntN(len(o.legal))]
		}
		o.Moves = append(o.Moves, m)
		s.Play(m)
	}
}

func (o *Opening) within() bool { return o.MaxPlies == 0 || len(o.Moves) < o.MaxPlies }

// distinctDraws is the number of openings drawn for an episode before the openings are considered
// exhausted.
const distinctDraws = 200

// Distinct selects the opening of each episode so that no two episodes begin at the same position.
// Agents that make no random choices would otherwise repeat a game. The selection depends only on
// the episode's random numbers and on earlier episodes, so the games of a data set stay the same
// when it grows.
//
// If 200 draws yield no new position, the openings are considered exhausted. Each later episode
// then uses the first opening that it draws.
type Distinct struct {
	draws []uint8           // number of draws for each episode
	first map[uint64]uint64 // episode that begins at each position, by [game.BoardHash]
}

// NewDistinct draws the openings of the episodes before end. For each episode, source returns a
// function whose successive calls return the episode's openings. If ctx is cancelled, NewDistinct
// returns the cause.
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

// Draw returns the opening of an episode. It calls the function draw as many times as recorded for
// this episode. If again is true, it instead continues drawing until it finds an opening that no
// episode up to this one uses, and gives up after 200 draws.
func (d *Distinct) Draw(episode uint64, again bool, draw func() game.State) (s game.State) {
	if !again {
		for range d.draws[episode] {
			s = draw()
		}
		return s
	}
	for range distinctDraws {
		s = draw()
		if by, had := d.first[game.BoardHash(s)]; !had || by > episode {
			break
		}
	}
	return s
}
