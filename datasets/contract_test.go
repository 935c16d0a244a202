package datasets

import (
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/connect4"
)

// TestContract: records that break the contract of a data set end the reading, and those
// that keep it do not.
func TestContract(t *testing.T) {
	g, err := connect4.New(new(game.Options))
	if err != nil {
		t.Fatal(err)
	}
	row := func(episode uint64, truncated bool, value float64, outcome ...float64) Record {
		return Record{Episode: episode, Outcome: outcome, Truncated: truncated, Value: value, HasValue: value != 0}
	}
	for want, records := range map[string][]Record{
		"":                            {row(0, false, 1, 1, -1), row(0, false, -0.5, 1, -1), row(1, true, 0, 0, 0), row(2, false, 0, 0, 0), row(3, true, 0, 7, 7)},
		"utilities of connect4, from": {row(0, false, 0, 1, -1), row(1, false, 0, 50, -50)},
		"whose sum is 0":              {row(0, false, 0, 1, 1)},
		"for each of 2 players":       {row(0, false, 0, 1)},
		"one outcome in all records":  {row(0, false, 0, 1, -1), row(0, false, 0, -1, 1)},
		"a value within -1 and 1":     {row(0, false, 1.5, 1, -1)},
	} {
		c, got := contract{world: g}, ""
		for i := range records {
			if err := c.check(&records[i]); err != nil {
				got = err.Error()
				break
			}
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	set, err := Open("testdata/ds-outrange")
	if err != nil {
		t.Fatal(err)
	}
	for _, err = range set.In(g).Records() {
	}
	if err == nil || !strings.Contains(err.Error(), "shard-00000.parquet: episode 0, ply 9: want utilities of connect4") {
		t.Errorf("outcomes of 50 in connect four: %v", err)
	}
}
