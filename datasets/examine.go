package datasets

import (
	"errors"
	"fmt"
	"slices"
)

const (
	// mostEpisodeBytes is how much the records of an episode may take in a shard: a
	// game of 2048 by strong agents takes some 500 KB.
	mostEpisodeBytes = 4 << 20
	// mostShardBytes is how large a shard may be that another process has made.
	mostShardBytes = 1 << 30
)

// MostBytes is how large a shard of the plan may be that another process has made.
func (r Plan) MostBytes() int64 {
	return min(int64(min(r.EpisodesPerShard, mostShardBytes))*mostEpisodeBytes, mostShardBytes)
}

// Examine reads a shard that another process has made, and hands its records to each. It
// is an error where the shard is none of ours, or not this one of the plan: without an
// intact seal, with other episodes than the shard's, plies that do not ascend, outcomes
// that change within an episode, or explored moves where the plan has none.
func (r Plan) Examine(shard int, file []byte, each func(*Record) error) error {
	from, to := r.Span(shard)
	var last Record
	first := true
	err := EachSealed(ShardName(shard), file, func(rec *Record) error {
		err := r.follows(rec, &last, from, to, first)
		if err == nil {
			err = each(rec)
		}
		last, first = *rec, false
		return err
	})
	if err == nil && (first || last.Episode != to-1) {
		err = fmt.Errorf("%s: its episodes end before %d", ShardName(shard), to)
	}
	return err
}

// EachSealed calls each for the records of a shard in memory, in order, until it returns
// an error. A shard without an intact seal is an error. name is for messages.
func EachSealed(name string, file []byte, each func(*Record) error) error {
	if !sealed(file) {
		return fmt.Errorf("%s: want a shard with a seal", name)
	}
	row := 0
	var bad error
	if err := EachRecordOf(name, file, func(rec *Record) bool {
		bad = each(rec)
		row++
		return bad == nil
	}); err != nil {
		return err
	}
	if bad != nil {
		return fmt.Errorf("%s: row %d: %w", name, row-1, bad)
	}
	return nil
}

// follows says what keeps a record from coming after another one in the shard of the
// episodes [from, to).
func (r Plan) follows(rec, last *Record, from, to uint64, first bool) error {
	switch {
	case rec.Episode < from || rec.Episode >= to:
		return fmt.Errorf("episode %d: want those from %d to %d", rec.Episode, from, to-1)
	case first && rec.Episode != from || !first && rec.Episode != last.Episode && rec.Episode != last.Episode+1:
		return fmt.Errorf("episode %d: want one after the other from %d", rec.Episode, from)
	case rec.Explored && r.Explore == 0:
		return errors.New("a random move: the plan has none")
	case rec.Ply < 0:
		return fmt.Errorf("ply %d: want at least 0", rec.Ply)
	case first || rec.Episode != last.Episode:
		return nil
	case rec.Ply <= last.Ply:
		return fmt.Errorf("ply %d after %d", rec.Ply, last.Ply)
	case rec.Truncated != last.Truncated || rec.ID != last.ID || !slices.Equal(rec.Outcome, last.Outcome):
		return errors.New("an outcome that changes within the episode")
	}
	return nil
}
