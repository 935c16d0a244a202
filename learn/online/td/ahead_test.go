package td

import (
	"slices"
	"testing"

	"plyfit/features"
	"plyfit/learn/online"
	"plyfit/learn/online/internal/onlinetest"
	"plyfit/models"
)

// plain is a set that hides that it knows what moves lead to.
type plain struct{ features.TupleIndexer }

// TestAhead: whether moves are looked up or played and taken back, the same games are
// learned from and the weights are the same to the bit: plain, with coherence, where
// random moves are drawn, and where moves slip.
func TestAhead(t *testing.T) {
	for world, change := range map[string]func(c *online.Task){
		"2048":         func(c *online.Task) { c.Alpha = 0.1 },
		"2048+slip=.2": func(c *online.Task) { c.Alpha, c.TC, c.Lambda, c.Epsilon = 1, true, 0.5, 0.1 },
	} {
		learned := func(hide bool) *Learner {
			return learner(t, world, "2048/4x5", func(c *online.Task) {
				c.Model.Weights[0] = 1
				c.Frozen = []int32{0, models.Bias}
				change(c)
				if hide {
					c.Set = plain{c.Set.(features.TupleIndexer)}
				}
			})
		}
		fast, slow := learned(false), learned(true)
		if fast.actors[0].ahead == nil || slow.actors[0].ahead != nil {
			t.Fatal("both look ahead in the same way")
		}
		onlinetest.Advance(t, fast, 0, 60)
		onlinetest.Advance(t, slow, 0, 60)
		if fast.Tally() != slow.Tally() || !slices.Equal(fast.cfg.Model.Table, slow.cfg.Model.Table) {
			t.Errorf("%s: %+v, want %+v and the same weights", world, fast.Tally(), slow.Tally())
		}
	}
}
