package datasets

import (
	"bytes"
	"fmt"
	"slices"

	"plyfit/game"
)

const (
	// mostEpisodeBytes limits the average size of an episode in a shard from another process.
	// Records of the game 2048, played by strong agents, take about 500 KB per episode.
	mostEpisodeBytes = 4 << 20
	// mostShardBytes limits the size of a shard from another process.
	mostShardBytes = 1 << 30
)

// MostBytes returns the maximum size of a shard that another process has computed for the plan.
func (r Plan) MostBytes() int64 {
	return min(int64(min(r.EpisodesPerShard, mostShardBytes))*mostEpisodeBytes, mostShardBytes)
}

// Check validates a shard that another process has computed. It returns an error if the seal is
// missing or does not match, if the episodes are not those of the shard, or if the plies of an
// episode are not in ascending order.
func (r Plan) Check(shard int, file []byte) (err error) {
	name := ShardName(shard)
	if !sealed(file) {
		return fmt.Errorf("%s: want a shard with a seal", name)
	}
	from, end := r.Span(shard)
	next, ply, row := from, int32(-1), 0
	read := readRows(name, bytes.NewReader(file), int64(len(file)), func(rec *Record) bool {
		switch again := row > 0 && rec.Episode == next-1; {
		case !again && (rec.Episode != next || next == end):
			err = fmt.Errorf("%s: row %d: episode %d: want episodes %d to %d in order", name, row, rec.Episode, from, end-1)
		case rec.Ply < 0 || again && rec.Ply <= ply:
			err = fmt.Errorf("%s: row %d: ply %d: want plies in ascending order", name, row, rec.Ply)
		case !again:
			next++
		}
		ply, row = rec.Ply, row+1
		return err == nil
	})
	switch {
	case read != nil:
		return read
	case err == nil && next != end:
		return fmt.Errorf("%s: want all episodes before %d", name, end)
	}
	return err
}

// In returns a copy of s that checks records as it reads them. All records of an episode must have
// the same outcome, and outcomes and values must be utilities of g, the world of the data set. The
// first invalid record ends the sequence with an error.
func (s *Set) In(g *game.Game) *Set {
	in := *s
	in.world = g
	return &in
}

type contract struct {
	world     *game.Game
	begun     bool
	episode   uint64
	outcome   []float64
	truncated bool
}

func (c *contract) check(r *Record) error {
	at := func(format string, args ...any) error {
		return fmt.Errorf("episode %d, ply %d: want %s", r.Episode, r.Ply, fmt.Sprintf(format, args...))
	}
	g := c.world
	if len(r.Outcome) != g.Players {
		g = g.Base()
	}
	if lo, hi := g.Min, g.Max; r.HasValue && !(r.Value >= lo && r.Value <= hi) {
		return at("a value from %v to %v (the utility range of %s), not %v", lo, hi, g.Name, r.Value)
	}
	if !r.Truncated {
		if err := g.CheckOutcome(r.Outcome); err != nil {
			return at("%v", err)
		}
	}
	if c.begun && c.episode == r.Episode {
		if !r.Truncated && !c.truncated && !slices.Equal(c.outcome, r.Outcome) {
			return at("the same outcome in all records of an episode, not %v and %v", c.outcome, r.Outcome)
		}
		if r.Truncated {
			return nil
		}
	}
	c.begun, c.episode, c.truncated = true, r.Episode, r.Truncated
	c.outcome = append(c.outcome[:0], r.Outcome...)
	return nil
}
