package optimiser

import (
	"math"
	"strconv"
	"testing"

	"plyfit/features"
	"plyfit/learn/online"
	"plyfit/models"
)

// TestDescentDecay: a step is halved after so many episodes and a third after twice as
// many, whatever the number of steps before.
func TestDescentDecay(t *testing.T) {
	m := models.New("g", "g/s", []models.Block{{Name: "w", Len: 2, Label: strconv.Itoa}})
	d := NewDescent(&online.Task{Model: m, Frozen: []int32{models.Bias}, Training: features.Training{Step: Plain, Alpha: 0.5, Decay: 100}})
	for _, c := range []struct {
		episodes int
		want     float64
	}{{0, 0.5}, {0, 0.5}, {100, 0.25}, {200, 0.5 / 3}} {
		g := NewGradient(m.Len())
		g.Add(models.Vector{{Index: 1, Value: 2}}, 1, 3, 1) // 2 * 3
		before := m.Weights[1]
		if _, ok := d.Take(m, g, c.episodes); !ok {
			t.Fatal("diverged")
		}
		if step := m.Weights[1] - before; math.Abs(step-6*c.want) > 1e-12 {
			t.Errorf("after %d episodes a step of %v, want %v", c.episodes, step, 6*c.want)
		}
	}
	if m.Bias != 0 {
		t.Errorf("a frozen bias moved to %v", m.Bias)
	}
}
