package play

import (
	"context"

	"plyfit/game"
)

// Opening draws how an episode begins: some random decisions, nature answering.
//
// Callers differ in what they ask of it, and each keeps what it asked before
// there was one driver, since data sets, models and matches follow from it:
//
//   - matches (package arena) want a fixed number of decisions and the last slip
//     decided, draw an adversary's moves by nature's probabilities, and take it for
//     a mistake of the user's if 1000 openings in a row end the game;
//   - self-play and the learners that play draw the number of decisions, too, have
//     an adversary play uniformly, and begin at the start after 50 tries;
//   - the samples of positions of the experiments take one try, and another seed
//     if it fails.
type Opening struct {
	// Least and Most bound the number of decisions; where they differ, each try draws it uniformly.
	Least, Most int
	// Tries is how often an opening is drawn that has ended the game.
	Tries int
	// MaxPlies is how many calls of Play leave nothing to play; 0: no limit.
	MaxPlies int

	// DecideSlip has the slip of the last decision belong to the opening;
	// without it the opening may end with a move pending.
	DecideSlip bool
	// AdversaryByChance draws an adversary's moves in nature's place by nature's probabilities;
	// without it they are uniform. Either way they are no decisions.
	AdversaryByChance bool

	// Again is called before each try but the first; nil: nothing is.
	Again func()

	// Moves are those of the last Draw, nature's included. Draw overwrites them.
	Moves []game.Move

	legal []game.Move
}

// Draw plays an opening from s, drawing r's numbers in the order of the moves. ok is false if all
// tries ended the game or reached the limit: s is then unchanged, and Moves is empty.
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

// play makes so many random decisions, unless the game ends before.
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
