package fit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/datasets/table"
)

// labelled are samples of tic-tac-toe's terms; the labels of episodes that turned
// tells are the opposite.
func labelled(t *testing.T, turned func(episode uint64) bool) *table.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	b.WriteString("label,episode,twos,ones,centre,corners,edges\n")
	for e := range 120 {
		for range 3 {
			var x [5]int
			z := rng.NormFloat64()
			for j := range x {
				x[j] = rng.IntN(5) - 2
				z += 0.3 * float64(x[j]) / float64(j+1)
			}
			y := 1
			if z < 0 {
				y = -1
			}
			if turned(uint64(e)) {
				y = -y
			}
			fmt.Fprintf(&b, "%d,%d,%d,%d,%d,%d,%d\n", y, e, x[0], x[1], x[2], x[3], x[4])
		}
	}
	path := filepath.Join(t.TempDir(), "samples.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	rows, err := table.Open(t.Context(), path, table.Layout{Unit: table.Utility})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestHeldOutRowsChooseNothing: not the weights, the penalty nor the scale, whatever their labels are.
func TestHeldOutRowsChooseNothing(t *testing.T) {
	w, err := catalog.All().World("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, c := range []Options{
		{Method: Ridge, Auto: true}, {Method: Elastic, Auto: true}, {Method: Newton, Auto: true},
		{Method: LBFGS, Auto: true, Steps: 20},
	} {
		t.Run(fmt.Sprintf("%s, auto %v", c.Method, c.Auto), func(t *testing.T) {
			a, err := RunTable(ctx, w, labelled(t, func(uint64) bool { return false }), c)
			if err != nil {
				t.Fatal(err)
			}
			b, err := RunTable(ctx, w, labelled(t, a.Held), c)
			if err != nil {
				t.Fatal(err)
			}
			if a.Report.HeldOutLoss == b.Report.HeldOutLoss || a.Report.HeldOutRows == 0 {
				t.Fatalf("held-out losses %v and %v, of %d rows", a.Report.HeldOutLoss, b.Report.HeldOutLoss, a.Report.HeldOutRows)
			}
			if a.Options.Penalty != b.Options.Penalty || !slices.Equal(a.Model.Weights, b.Model.Weights) || a.Model.Bias != b.Model.Bias {
				t.Errorf("held-out labels chose: penalty %v and %v, weights %v and %v", a.Options.Penalty, b.Options.Penalty, a.Model.Weights, b.Model.Weights)
			}
			// Weights also move with training labels: the test can fail.
			d, err := RunTable(ctx, w, labelled(t, func(e uint64) bool { return !a.Held(e) && e%2 == 0 }), c)
			if err != nil {
				t.Fatal(err)
			}
			if slices.Equal(a.Model.Weights, d.Model.Weights) {
				t.Error("training labels choose nothing either")
			}
		})
	}
}
