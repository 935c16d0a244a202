package datasets

import (
	"bytes"
	"fmt"
	"slices"

	"plyfit/game"
)

const (
	// mostEpisodeBytes limits an episode's records in a shard: 2048 by strong agents takes some
	// 500 KB.
	mostEpisodeBytes = 4 << 20
	// mostShardBytes is how large a shard may be that another process has made.
	mostShardBytes = 1 << 30
)

// MostBytes is how large a shard of the plan may be that another process has made.
func (r Plan) MostBytes() int64 {
	return min(int64(min(r.EpisodesPerShard, mostShardBytes))*mostEpisodeBytes, mostShardBytes)
}

// Check finds fault with another process's shard: no intact seal, other episodes than the shard's,
// or plies that do not ascend.
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
			err = fmt.Errorf("%s: row %d: episode %d: want those from %d to %d in their order", name, row, rec.Episode, from, end-1)
		case rec.Ply < 0 || again && rec.Ply <= ply:
			err = fmt.Errorf("%s: row %d: ply %d: want one that is larger than those before", name, row, rec.Ply)
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
		return fmt.Errorf("%s: its episodes end before %d", name, end)
	}
	return err
}

// In is the set with checks as records are read: an episode has one outcome, and outcomes and
// values are utilities of g, the set's world. The first faulty record ends the sequence with an
// error.
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
		return at("a value within %v and %v, the utilities of %s, not %v", lo, hi, g.Name, r.Value)
	}
	if !r.Truncated {
		if err := g.CheckOutcome(r.Outcome); err != nil {
			return at("%v", err)
		}
	}
	if c.begun && c.episode == r.Episode {
		if !r.Truncated && !c.truncated && !slices.Equal(c.outcome, r.Outcome) {
			return at("one outcome in all records of an episode, not %v and %v", c.outcome, r.Outcome)
		}
		if r.Truncated {
			return nil
		}
	}
	c.begun, c.episode, c.truncated = true, r.Episode, r.Truncated
	c.outcome = append(c.outcome[:0], r.Outcome...)
	return nil
}
