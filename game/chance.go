package game

// Drawn is nature's move at the chance node s for a uniform u in [0, 1), which the moves share in
// order by their probabilities: the same u gives the same luck in every process.
func Drawn(s State, moves []Move, u float64) Move {
	c, ok := As[Chancer](s)
	if !ok {
		panic("game: Drawn at a position of a game without chance")
	}
	for _, m := range moves {
		if u -= c.Prob(m); u < 0 {
			return m
		}
	}
	return moves[len(moves)-1] // rounding: the probabilities fell short of u
}

// Mix scrambles 64 bits so that each bit of x affects each of the result: the finalizer of
// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), for games' hashes and tools' seeds.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Seed derives the seed of one stream of random numbers: parts are the run's seed, the stream's
// purpose (one of the Stream constants) and its number: round, episode, seat. Every bit of every
// part affects every bit of the result, so neighbouring seeds, rounds and episodes are unrelated.
// With seed+k round 2 of seed 1 would be round 1 of seed 2.
//
// It is a chain h <- Mix(h xor Mix(part)) from 0. Results are repeatable only with this formula.
func Seed(parts ...uint64) uint64 {
	h := uint64(0)
	for _, p := range parts {
		h = Mix(h ^ Mix(p))
	}
	return h
}

// Purposes of random streams: the second part of a [Seed]. They are listed together so that no two
// uses share a stream, and exceed every number of a pair, an episode or a study's own streams,
// which have the same place in seeds of arena and study.
const (
	StreamRound    uint64 = 1<<32 + iota // a round's data set in the main job
	StreamEpisode                        // an episode of self-play: opening, nature, exploration
	StreamPlayer                         // an agent in an episode of self-play
	StreamRelabel                        // an agent that searches a record again
	StreamLeaf                           // an agent whose line leads from a record to a leaf
	StreamPart                           // one part of a mixed agent
	StreamCurve                          // the matches of a learning curve
	StreamSeat                           // an agent in a game that is watched or played by a person
	StreamNature                         // nature in such a game
	StreamRegret                         // the agent measured against perfect play
	StreamStage                          // a later stage of training in the main job
	StreamTest                           // the data set that a trained evaluation is tested on
	StreamAccept                         // the match of a round's model against the best before it
	StreamTrial                          // the match of a trial's model against the best before it
	StreamMiddle                         // the match of a training's end against its middle
	_                                    // was taken, and keeps the others' numbers
	_                                    // of a match that is no longer played
	StreamDiagnose                       // the games, samples and matches of a diagnosis
)
