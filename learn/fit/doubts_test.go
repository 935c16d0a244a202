package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/datasets/table"
	"plyfit/models"
)

// TestDoubts checks the three lines about a fit: the only weight with little support, the change in
// the loss, and the factor by which the starting sums are stretched.
func TestDoubts(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var text strings.Builder
	text.WriteString("game,phase,much,rare,label\n")
	for i := range 6000 {
		much, rare := random.NormFloat64()*100, 0.0
		if i%200 == 0 {
			rare = 1
		}
		label := 0
		if random.Float64() < 1/(1+math.Exp(-CentipawnScale*much)) {
			label = 1
		}
		fmt.Fprintf(&text, "%d,%d,%.3f,%g,%d\n", i/10, i%13, much, rare, label)
	}
	start := &models.Weights{Columns: []models.Weight{{Name: "much", Middlegame: 2, Endgame: 2}, {Name: "rare", Middlegame: 90, Endgame: 90}}}
	for _, skip := range [][]string{nil, {"phase"}} {
		layout := table.Layout{Group: "game", Skip: skip}
		if skip == nil {
			layout.Phase, layout.PhaseMax = "phase", 12
		}
		doubts := fitted(t, text.String(), layout, setup{start: start}, Options{Penalty: Determined, HeldOut: HeldOut{OneIn: 5}}).Doubts()
		if len(doubts) != 3 || !strings.Contains(doubts[0], "rare ") || strings.Contains(doubts[0], "much") || !strings.Contains(doubts[1], "from the start: ") || !strings.Contains(doubts[2], "sums are 0.49 ") {
			t.Errorf("it doubts %q, want the weight of rare and sums that are half as large", doubts)
		}
	}
	if doubts := fitted(t, text.String(), table.Layout{Group: "game"}, setup{}, Options{Penalty: Determined}).Doubts(); doubts != nil {
		t.Errorf("without a start it doubts %q", doubts)
	}
}
