package fit

import (
	"hash/crc32"
	"iter"
	"testing"

	"plyfit/datasets"
)

func someRecords(ids ...string) func() iter.Seq2[*datasets.Record, error] {
	return func() iter.Seq2[*datasets.Record, error] {
		return func(yield func(*datasets.Record, error) bool) {
			for e, id := range ids {
				for ply := range 3 {
					if !yield(&datasets.Record{Episode: uint64(e), Ply: int32(ply), ID: id}, nil) {
						return
					}
				}
			}
		}
	}
}

// TestHeldOut: by name where an episode has one, by number where not.
func TestHeldOut(t *testing.T) {
	ids := []string{"g123", "", "g4", "x", "g77"}
	held, err := HeldOut{OneIn: 3, ByName: true}.held(9, nil, someRecords(ids...))
	if err != nil {
		t.Fatal(err)
	}
	for e, id := range ids {
		if id == "" {
			id = "1"
		}
		if want := crc32.ChecksumIEEE([]byte(id))%3 == 0; held(uint64(e)) != want {
			t.Errorf("episode %d (%s): held out %v, want %v", e, id, !want, want)
		}
	}
	one, err := HeldOut{OneIn: 4}.held(1, func(e uint64) (uint64, bool) { return e, true }, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for e := range uint64(10000) {
		if one(e) {
			n++
		}
	}
	if n < 2300 || n > 2700 {
		t.Errorf("%d of 10,000 held out, want one in 4", n)
	}
	for _, bad := range []HeldOut{{OneIn: 1}, {OneIn: -3}, {ByName: true}, {OneIn: 1, ByName: true}} {
		if bad.check() == nil {
			t.Errorf("no error for %v", bad)
		}
	}
}
