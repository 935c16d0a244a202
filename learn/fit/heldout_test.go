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

func TestWeigher(t *testing.T) {
	records := someRecords("", "", "") // three episodes of plies 0, 1, 2
	for _, c := range []struct {
		weigh RowWeights
		want  func(episode, ply float64) float64
	}{
		{RowWeights{Phase: 3}, func(_, ply float64) float64 { return 1 + ply }},
		{RowWeights{Horizon: 0.5}, func(_, ply float64) float64 { return math.Pow(2, ply-2) }},
		{RowWeights{Age: 0.5}, func(e, _ float64) float64 { return 0.5 + e/4 }},
		{RowWeights{Age: 0.5, Phase: 3, Quiet: 0.1}, func(e, ply float64) float64 { return (0.5 + e/4) * (1 + ply) }},
	} {
		w, err := c.weigh.weigher(3, records)
		if err != nil {
			t.Fatal(err)
		}
		for r := range records() {
			if got, want := w(r), c.want(float64(r.Episode), float64(r.Ply)); math.Abs(got-want) > 1e-12 {
				t.Errorf("%v: episode %d, ply %d weighs %v, want %v", c.weigh, r.Episode, r.Ply, got, want)
			}
		}
	}
	if w, err := (RowWeights{Quiet: 0.5}).weigher(3, records); w != nil || err != nil {
		t.Error("quietness is not for the record to tell")
	}
	for _, bad := range []RowWeights{{Phase: -1}, {Age: 2}, {Quiet: -0.5}, {Horizon: math.Inf(1)}, {Age: math.NaN()}} {
		if bad.check() == nil {
			t.Errorf("no error for %v", bad)
		}
	}
}
