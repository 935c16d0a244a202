package datasets

import (
	"iter"
	"math/rand/v2"
	"reflect"
	"testing"

	"plyfit/game"
	"plyfit/models"
)

// counted are samples that count their passes.
type counted struct {
	rows   []Sample
	passes int
}

func (c *counted) All() iter.Seq2[*Sample, error] {
	return func(yield func(*Sample, error) bool) {
		c.passes++
		for i := range c.rows {
			s := c.rows[i]
			if !yield(&s, nil) {
				return
			}
		}
	}
}

// TestKept: samples come back as they were, from memory and from a file, and
// are made once; a pass that ends early keeps nothing.
func TestKept(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var rows []Sample
	for i := range 30000 {
		s := Sample{Y: rng.NormFloat64(), Weight: 1, Kind: game.Bound(rng.IntN(3)), Episode: uint64(i / 7), Ply: int32(i % 7), Explored: i%3 == 0, Truncated: i%5 == 0}
		if i%2 == 0 {
			s.Weight = rng.Float64()
		}
		s.X = models.Vector{{Index: models.Bias, Value: 1}}
		for range rng.IntN(9) {
			v := float32(1)
			if i%4 != 0 {
				v = rng.Float32()
			}
			s.X = append(s.X, models.Term{Index: rng.Int32N(1000), Value: v})
		}
		rows = append(rows, s)
	}
	for _, limit := range []int64{keepInMemory, 300_000, 0} {
		c := &counted{rows: rows}
		k := Keep(c)
		k.limit = limit
		for range k.All() {
			break
		}
		for pass := range 3 {
			i := 0
			for s, err := range k.All() {
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(*s, rows[i]) {
					t.Fatalf("limit %d, pass %d: sample %d is %+v, want %+v", limit, pass, i, *s, rows[i])
				}
				i++
			}
			if i != len(rows) {
				t.Fatalf("limit %d: %d samples", limit, i)
			}
		}
		if c.passes != 2 || (k.file != nil) != (limit < keepInMemory) {
			t.Errorf("limit %d: %d passes, file %v", limit, c.passes, k.file != nil)
		}
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	}
	// Without room for a file the samples are made anew.
	t.Setenv("TMPDIR", "/nowhere")
	c := &counted{rows: rows}
	k := Keep(c)
	k.limit = 0
	for range 2 {
		n := 0
		for range k.All() {
			n++
		}
		if n != len(rows) {
			t.Errorf("%d samples", n)
		}
	}
	if c.passes != 2 {
		t.Errorf("%d passes", c.passes)
	}
}
