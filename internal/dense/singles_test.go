package dense

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/internal/vectors"
)

// TestPut checks that the bytes equal those of encoding/binary, and that a single non-finite number
// at any index is detected.
func TestPut(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	odd := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}
	for n := range 40 {
		xs := make([]float32, n)
		for i := range xs {
			xs[i] = math.Float32frombits(rng.Uint32() &^ lowest) // any sign and size, but never an infinity or NaN
		}
		want := vectors.Must(binary.Append(nil, binary.LittleEndian, xs))
		got := make([]byte, 4*n)
		if !PutSingles(got, xs) || !bytes.Equal(got, want) {
			t.Errorf("%d numbers: other bytes, or not finite", n)
		}
		for i := range xs {
			kept := xs[i]
			for _, x := range odd {
				xs[i] = x
				if PutSingles(got, xs) {
					t.Errorf("%v at %d of %d passes", x, i, n)
				}
			}
			xs[i] = kept
		}
	}
}

// TestOdd checks that the first non-finite number is found at four indices, and that a negative
// zero among zeros is detected.
func TestOdd(t *testing.T) {
	xs := make([]float32, 3*Block+5)
	for i := range xs {
		xs[i] = math.MaxFloat32
	}
	if at := NotFinite(xs); at != -1 {
		t.Errorf("all finite: %d", at)
	}
	var zeros [43]float32
	for at := range zeros {
		before := Zero(zeros[:])
		if zeros[at] = float32(math.Copysign(0, -1)); !before || Zero(zeros[:]) || !Zero(zeros[:at]) {
			t.Errorf("a negative zero at %d passes for zero", at)
		}
		zeros[at] = 0
	}
	for _, at := range []int{len(xs) - 1, 2 * Block, Block + 3, 0} {
		xs[at] = float32(math.Inf(-1))
		if got := NotFinite(xs); got != at {
			t.Errorf("first at %d: %d", at, got)
		}
	}
}
