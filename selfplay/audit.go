package selfplay

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/search"
)

// What other processes hand in as a shard is believed only where it can be one. Of each
// shard some episodes are played again as they are recorded, without the searches:
// openings, luck and random moves follow from the seed, positions, moves made and
// outcomes from the decisions. So one who lies can only have decided otherwise, or
// thought otherwise of a position, than the agents would; that is found where a shard is
// worked out twice.

const (
	// mostSampled is one in how many episodes is played again.
	mostSampled = 32
	// leastSampled is how many of them at least, if there are so many.
	leastSampled = 2
)

// examine checks a shard, or says what is wrong with it.
type examine func(ctx context.Context, shard int, file []byte) error

// examine is how shards of self-play are checked.
func (cfg *Config) examine(plan datasets.Plan, drawn *openings) examine {
	return func(ctx context.Context, shard int, file []byte) error {
		// They stand together, so that the others need not be unpacked.
		from, to := plan.Span(shard)
		n := to - from
		sampled := min(n, max(leastSampled, n/mostSampled))
		first := from + rand.Uint64N(n-sampled+1)
		var episode []datasets.Record
		again := func() error {
			if len(episode) == 0 {
				return nil
			}
			e := episode[0].Episode
			if err := cfg.again(ctx, drawn, e, episode); err != nil {
				return fmt.Errorf("episode %d: %w", e, err)
			}
			episode = episode[:0]
			return nil
		}
		err := plan.Examine(shard, file, first, first+sampled, func(r *datasets.Record) error {
			if len(episode) > 0 && episode[0].Episode != r.Episode {
				if err := again(); err != nil {
					return err
				}
			}
			episode = append(episode, *r)
			return nil
		})
		if err == nil {
			if err = again(); err != nil {
				err = fmt.Errorf("%s: %w", datasets.ShardName(shard), err)
			}
		}
		return err
	}
}

// again plays an episode as it is recorded, and compares.
func (cfg *Config) again(ctx context.Context, drawn *openings, e uint64, records []datasets.Record) error {
	p := emptyPlayer(cfg, drawn)
	f := &follower{player: p, records: records}
	for range cfg.Game.Players {
		p.seats = append(p.seats, f)
	}
	played, err := p.episode(ctx, e)
	if err != nil {
		return err
	}
	for i := range min(len(played), len(records)) {
		if !reflect.DeepEqual(played[i], records[i]) {
			return fmt.Errorf("record %d does not follow from the seed and the decisions: at ply %d, position %s, outcome %v, it would be at ply %d, %s, %v",
				i, records[i].Ply, records[i].Position, records[i].Outcome, played[i].Ply, played[i].Position, played[i].Outcome)
		}
	}
	if len(played) != len(records) {
		return fmt.Errorf("%d records, its decisions lead to %d", len(records), len(played))
	}
	return nil
}

// follower decides as is recorded.
type follower struct {
	player  *player
	records []datasets.Record
}

var _ search.Agent = (*follower)(nil)

// Begin implements [search.Agent].
func (f *follower) Begin(uint64) {}

// errEnds says that an episode goes on where its records end.
var errEnds = errors.New("its records end before the game")

// Search implements [search.Agent].
func (f *follower) Search(_ context.Context, s game.State) (search.Result, error) {
	i := len(f.player.game.records)
	if game.NatureToMove(s) {
		return f.nature(s, i)
	}
	if f.player.cfg.Adjudicate != "" && (i == len(f.records) || s.String() != f.records[i].Position) {
		// A proof has ended the episode here, or this beginning of it.
		last := &f.records[len(f.records)-1]
		return search.Result{Move: s.Moves(nil)[0], Value: last.Outcome[s.Turn()], Nodes: 1, Exact: true}, nil
	}
	if i >= len(f.records) {
		return search.Result{}, errEnds
	}
	r := &f.records[i]
	m, err := f.player.cfg.Game.ParseMove(s, r.Move)
	found := search.Result{Move: m, Value: r.Value, Depth: int(r.Depth), Exact: r.Proven}
	if r.HasValue {
		found.Nodes = 1
	}
	return found, err
}

// nature is the move of an adversary, whose moves are not recorded: one that leads on to
// the next record, or to the outcome.
func (f *follower) nature(s game.State, next int) (search.Result, error) {
	arrives := func() bool { return s.Turn() == game.Nobody && f.endsSo(s) }
	if next < len(f.records) {
		arrives = func() bool { return s.String() == f.records[next].Position }
	} else if f.records[len(f.records)-1].Truncated {
		return search.Result{Move: s.Moves(nil)[0]}, nil
	}
	for _, m := range s.Moves(nil) {
		if leads(s, m, arrives) {
			return search.Result{Move: m}, nil
		}
	}
	return search.Result{}, errors.New("no move of the adversary leads to what is recorded next")
}

// leads reports whether a move, and others of nature after it, arrive somewhere.
func leads(s game.State, m game.Move, arrives func() bool) bool {
	s.Play(m)
	defer s.Undo()
	if arrives() {
		return true
	}
	if !game.NatureToMove(s) {
		return false
	}
	for _, next := range s.Moves(nil) {
		if leads(s, next, arrives) {
			return true
		}
	}
	return false
}

// endsSo reports whether the game has ended with the recorded outcome.
func (f *follower) endsSo(s game.State) bool {
	for p, u := range f.records[len(f.records)-1].Outcome {
		if s.Utility(game.Player(p)) != u {
			return false
		}
	}
	return true
}

// examine is how shards that were searched again are checked: they have the records of
// the data set, but for what a search says.
func (cfg *RelabelConfig) examine() examine {
	return func(_ context.Context, shard int, file []byte) error {
		name := datasets.ShardName(shard)
		var source []datasets.Record
		err := datasets.EachRecord(filepath.Join(cfg.From, name), func(r *datasets.Record) bool {
			source = append(source, unsearched(r))
			return true
		})
		if err != nil {
			return err
		}
		err = datasets.EachSealed(name, file, func(r *datasets.Record) error {
			if len(source) == 0 || !reflect.DeepEqual(unsearched(r), source[0]) {
				return fmt.Errorf("episode %d, ply %d: is not the record of the data set", r.Episode, r.Ply)
			}
			source = source[1:]
			return nil
		})
		if err == nil && len(source) > 0 {
			err = fmt.Errorf("%s: %d records of the data set are not there", name, len(source))
		}
		return err
	}
}

// unsearched is a record without what a search says.
func unsearched(r *datasets.Record) datasets.Record {
	x := *r
	x.Value, x.HasValue, x.Depth, x.Proven = 0, false, 0, false
	return x
}
