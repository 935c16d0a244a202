package game

// Drawn returns the move that nature makes at the chance node s, given a uniform random number u in
// [0, 1). The moves divide [0, 1) into consecutive intervals whose lengths are their probabilities,
// so the same u selects the same move in every process.
func Drawn(s State, moves []Move, u float64) Move {
	c, ok := As[Chancer](s)
	if !ok {
		panic("game: Drawn called in a game without chance")
	}
	for _, m := range moves {
		if u -= c.Prob(m); u < 0 {
			return m
		}
	}
	return moves[len(moves)-1] // rounding: the probabilities sum to slightly less than 1
}

// Mix scrambles 64 bits so that each bit of x affects each bit of the result. It is the finalizer
// of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). Games use it for hashes, and other packages
// use it for seeds.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Seed derives the seed for one stream of random numbers. Its parts are the seed of the run, the
// purpose of the stream (one of the Stream constants) and numbers such as the round, episode or
// seat. Every bit of every part affects every bit of the result, so neighbouring seeds, rounds and
// episodes have unrelated streams. With a simple sum such as seed+round, by contrast, round 2 of
// seed 1 would use the same numbers as round 1 of seed 2.
//
// The formula is h <- Mix(h xor Mix(part)), starting from 0. It must not change, because earlier
// results could then no longer be reproduced.
func Seed(parts ...uint64) uint64 {
	h := uint64(0)
	for _, p := range parts {
		h = Mix(h ^ Mix(p))
	}
	return h
}

// Purposes of random streams, used as the second part of a [Seed]. They are listed in one place so
// that no two uses share a stream. The packages arena and study use pair numbers, episode numbers
// or stream numbers of their own in the same position. The values here are larger than all of those
// numbers.
const (
	StreamRound    uint64 = 1<<32 + iota // data set of a round in the main job
	StreamEpisode                        // opening, nature and exploration of a self-play episode
	StreamPlayer                         // agent in a self-play episode
	StreamRelabel                        // agent that searches recorded positions again
	StreamLeaf                           // agent that searches from a recorded position to the leaf of its principal variation
	StreamPart                           // part of a mixed agent
	StreamCurve                          // matches of a learning curve
	StreamSeat                           // agent in a game that a person watches or plays
	StreamNature                         // nature in a game that a person watches or plays
	StreamRegret                         // agent that is compared with perfect play
	StreamStage                          // later stage of training in the main job
	StreamTest                           // data set for testing a trained evaluation
	StreamAccept                         // match of a round's model against the best earlier model
	StreamTrial                          // match of a trial's model against the best earlier model
	StreamMiddle                         // match of the final model of a training run against its middle model
	_                                    // formerly used; reserved so that the other numbers stay the same
	_                                    // formerly used by a match that no longer exists
	StreamDiagnose                       // games, samples and matches of a diagnosis
)
