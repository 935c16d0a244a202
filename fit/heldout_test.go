package fit

import (
	"hash/crc32"
	"iter"
	"math"
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
	held, err := heldOut("crc32:3", 9, nil, someRecords(ids...))
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
	one, err := heldOut("4", 1, nil, nil)
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
	for _, bad := range []string{"1", "0", "crc32", "crc32:1", "x", "-3", "5.5"} {
		if _, err := heldOut(bad, 1, nil, nil); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

func TestWeigher(t *testing.T) {
	records := someRecords("", "", "") // three episodes of plies 0, 1, 2
	for _, c := range []struct {
		weigh map[string]float64
		want  func(episode, ply float64) float64
	}{
		{map[string]float64{"phase": 3}, func(_, ply float64) float64 { return 1 + ply }},
		{map[string]float64{"horizon": 0.5}, func(_, ply float64) float64 { return math.Pow(2, ply-2) }},
		{map[string]float64{"age": 0.5}, func(e, _ float64) float64 { return 0.5 + e/4 }},
		{map[string]float64{"age": 0.5, "phase": 3, "quiet": 0.1}, func(e, ply float64) float64 { return (0.5 + e/4) * (1 + ply) }},
	} {
		w, err := weigher(c.weigh, 3, records)
		if err != nil {
			t.Fatal(err)
		}
		for r := range records() {
			if got, want := w(r), c.want(float64(r.Episode), float64(r.Ply)); math.Abs(got-want) > 1e-12 {
				t.Errorf("%v: episode %d, ply %d weighs %v, want %v", c.weigh, r.Episode, r.Ply, got, want)
			}
		}
	}
	if w, err := weigher(map[string]float64{"quiet": 0.5}, 3, records); w != nil || err != nil {
		t.Error("quietness is not for the record to tell")
	}
	for _, bad := range []map[string]float64{{"phase": 0}, {"age": 2}, {"quiet": 0}, {"horizon": math.Inf(1)}, {"luck": 1}, {"age": math.NaN()}} {
		if checkWeigh(bad) == nil {
			t.Errorf("no error for %v", bad)
		}
	}
}
