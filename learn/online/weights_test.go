package online

import (
	"bufio"
	"bytes"
	"math"
	"slices"
	"strconv"
	"testing"

	"plyfit/features"
	"plyfit/internal/dense"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// TestDecay checks that alpha is halved after Decay episodes and reduced to a third after twice as
// many. It tests dense weights, tables and averages.
func TestDecay(t *testing.T) {
	for _, table := range []bool{false, true} {
		m := models.New("g", "g/s", []models.Block{{Name: "w", Len: 3, Table: table, Label: strconv.Itoa}})
		w := NewWeights(&Task{Model: m, Training: features.Training{Alpha: 0.5, Decay: 10, Average: 1}})
		at, mean := 0.0, 0.0
		for e := range 41 {
			w.Episode(e)
			before := m.Weight(1)
			w.Add(1, 1)
			at += 0.5 / (1 + float64(e)/10)
			mean += at / 41
			want := map[int]float64{0: 0.5, 10: 0.25, 20: 0.5 / 3, 40: 0.1}
			if step, ok := want[e]; ok && math.Abs(m.Weight(1)-before-step) > 1e-6 {
				t.Errorf("table %v: episode %d moves by %v, want %v", table, e, m.Weight(1)-before, step)
			}
		}
		if got := w.Averaged().Weight(1); math.Abs(got-mean) > 1e-5 {
			t.Errorf("table %v: average %v, want %v", table, got, mean)
		}
	}
}

// TestBounded checks a position whose vector has twice the mean length. With bounded steps the
// position's value must move by Alpha times its error, and otherwise it must overshoot.
func TestBounded(t *testing.T) {
	for bounded, want := range map[bool]float64{false: 4, true: 1} {
		m := models.New("g", "g/s", []models.Block{{Name: "w", Len: 2, Label: strconv.Itoa}})
		w := NewWeights(&Task{Model: m, Training: features.Training{Alpha: 1, Bounded: bounded}})
		w.Update(models.Vector{{Index: 0, Value: 1}}, 0) // in the first episode, the mean length is that of the first vector
		w.Update(models.Vector{{Index: 1, Value: 2}}, 1)
		if moved := 2 * m.Weights[1]; moved != want {
			t.Errorf("bounded %v: the sum moves by %v, want %v", bounded, moved, want)
		}
	}
}

// TestCoherence checks the step after the changes 1, 1 and -1. Their sum is a third of the sum of
// their absolute values, so the step must be reduced to a third, or by its exponential. It tests
// dense weights, individual table weights and AddAll.
func TestCoherence(t *testing.T) {
	for i, way := range []string{"dense", "table", "all", "dense", "table", "all"} {
		b, want := 0.0, 1./3
		if i >= 3 {
			b, want = 2.7, math.Exp(2.7*(1./3-1))
		}
		m := models.New("g", "g/s", []models.Block{{Name: "w", Len: 1, Table: way != "dense", Label: strconv.Itoa}})
		w := NewWeights(&Task{Model: m, Training: features.Training{TC: true, Alpha: 1, Coherence: b}})
		last := 0.0
		for _, change := range []float64{1, 1, -1, 1} {
			last = m.Weight(0)
			if way == "all" {
				w.AddAll([]int32{0}, change, false)
			} else {
				w.Add(0, change)
			}
		}
		if moved := m.Weight(0) - last; math.Abs(moved-want) > 1e-6 {
			t.Errorf("coherence %v, %s: moved by %v, want %v", b, way, moved, want)
		}
	}
}

// TestDescentDecay checks that a step is halved after Decay episodes and reduced to a third after
// twice as many, whatever the number of earlier steps.
func TestDescentDecay(t *testing.T) {
	m := models.New("g", "g/s", []models.Block{{Name: "w", Len: 2, Label: strconv.Itoa}})
	d := NewDescent(&Task{Model: m, Frozen: []int32{models.Bias}, Training: features.Training{Alpha: 0.5, Decay: 100}})
	for _, c := range []struct {
		episodes int
		want     float64
	}{{0, 0.5}, {0, 0.5}, {100, 0.25}, {200, 0.5 / 3}} {
		g := NewGradient(m.Len())
		g.Add(models.Vector{{Index: 1, Value: 2}}, 1, 3, 1) // the gradient is always the same, so Adam moves the weight by alpha
		before := m.Weights[1]
		if _, ok := d.Take(m, g, c.episodes); !ok {
			t.Fatal("diverged")
		}
		if step := m.Weights[1] - before; math.Abs(step-c.want) > 1e-8 {
			t.Errorf("after %d episodes a step of %v, want %v", c.episodes, step, c.want)
		}
	}
	if m.Bias != 0 {
		t.Errorf("a frozen bias moved to %v", m.Bias)
	}
}

// TestSingles checks that a list, including its blocks of zeros, is restored bit for bit into
// memory that has other contents. The mark of a block must be 0 or 1.
func TestSingles(t *testing.T) {
	xs := make([]float32, 5*dense.Block+7)
	xs[3], xs[2*dense.Block-1], xs[len(xs)-1] = 1.5, float32(math.Copysign(0, -1)), -3
	var b bytes.Buffer
	written := &Snapshot{w: bufio.NewWriter(&b)}
	written.Singles(xs)
	vectors.Check(written.w.Flush())
	if most := 4*(2*dense.Block+7) + 8*8; b.Len() > most {
		t.Errorf("%d bytes; want at most %d for the blocks that are not zeros", b.Len(), most)
	}
	read := func() ([]float32, error) {
		got := slices.Repeat([]float32{7}, len(xs))
		s := &Snapshot{r: bufio.NewReader(bytes.NewReader(b.Bytes()))}
		s.Singles(got)
		return got, s.err
	}
	got := vectors.Must(read())
	for i, x := range xs {
		if math.Float32bits(got[i]) != math.Float32bits(x) {
			t.Fatalf("number %d: %v, want %v", i, got[i], x)
		}
	}
	b.Bytes()[8] = 2
	if _, err := read(); err == nil {
		t.Error("a block marked 2 is read")
	}
}
