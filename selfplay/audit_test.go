package selfplay

import (
	"context"
	"slices"
	"strings"
	"testing"

	"plyfit/datasets"
)

// TestAuditRefuses: shards that cannot be those of the plan are found, with the reason:
// of another seed or unit, changed in any column but those of a search, cut, or no shard.
func TestAuditRefuses(t *testing.T) {
	made := config(t, "pig:target=30", 4)
	cfg := &made
	cfg.EpisodesPerShard, cfg.Explore = 2, 0.3
	shard := func(cfg *Config, k int) []datasets.Record {
		var all []datasets.Record
		from, to := cfg.plan().Span(k)
		p, err := newPlayer(cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		for e := from; e < to; e++ {
			records, err := p.episode(context.Background(), e)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, records...)
		}
		return all
	}
	check := cfg.examine(cfg.plan(), nil)
	right := shard(cfg, 1)
	encode := func(records []datasets.Record) []byte {
		file, err := datasets.EncodeShard(records)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	if err := check(context.Background(), 1, encode(right)); err != nil {
		t.Fatalf("the right one: %v", err)
	}
	other := *cfg
	other.Seed = 8
	change := func(f func(r []datasets.Record) []datasets.Record) []byte {
		records := slices.Clone(right)
		for i := range records {
			records[i].Outcome = slices.Clone(records[i].Outcome)
		}
		return encode(f(records))
	}
	each := func(f func(r *datasets.Record)) []byte {
		return change(func(all []datasets.Record) []datasets.Record {
			for i := range all {
				f(&all[i])
			}
			return all
		})
	}
	broken := encode(right)
	broken[len(broken)/2] ^= 1
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"another seed":    {encode(shard(&other, 1)), "does not follow from the seed"},
		"another unit":    {encode(shard(cfg, 0)), "episode 0: want those from 2 to 3"},
		"a bit":           {broken, "cut off or damaged"},
		"garbage":         {[]byte("garbage"), "want a shard with a seal"},
		"nothing":         {nil, "want a shard with a seal"},
		"no record":       {encode(nil), "its episodes end before 4"},
		"outcome":         {each(func(r *datasets.Record) { r.Outcome[0], r.Outcome[1] = r.Outcome[1], r.Outcome[0] }), "does not follow from the seed"},
		"position":        {each(func(r *datasets.Record) { r.Position = right[0].Position }), "does not follow from the seed"},
		"illegal move":    {each(func(r *datasets.Record) { r.Move, r.Made = "sideways", "sideways" }), "sideways"},
		"truncated":       {each(func(r *datasets.Record) { r.Truncated = true }), "does not follow from the seed"},
		"explored":        {each(func(r *datasets.Record) { r.Explored = false }), "does not follow from the seed"},
		"a name":          {each(func(r *datasets.Record) { r.ID = "x" }), "does not follow from the seed"},
		"half an episode": {change(func(r []datasets.Record) []datasets.Record { return r[:len(r)-1] }), "its records end before the game"},
		"turned round": {change(func(r []datasets.Record) []datasets.Record {
			slices.Reverse(r)
			return r
		}), "one after the other"},
	} {
		// Both episodes of the shard are played again, so none can escape.
		if err := check(context.Background(), 1, c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// plan is what the tests play.
func (cfg *Config) plan() datasets.Plan {
	return datasets.Plan{Game: cfg.Game.Spec, Seed: cfg.Seed, Explore: cfg.Explore, Openings: cfg.Openings, Episodes: cfg.Episodes, EpisodesPerShard: cfg.EpisodesPerShard}
}
