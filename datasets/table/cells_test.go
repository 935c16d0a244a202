package table

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/datasets"
)

// TestCells: whatever shape takes least, blocks hold what the rows have.
func TestCells(t *testing.T) {
	for name, c := range map[string]struct {
		cell  string  // how a number is written
		zeros float64 // share of cells that are 0
		later float64 // that beyond the first block
		dense bool
	}{
		"numbers":         {"%.4f", 0, 0, true},
		"whole numbers":   {"%.0f", 0.1, 0.1, true},
		"few":             {"%.4f", 0.9, 0.9, false},
		"few whole":       {"%.0f", 0.9, 0.9, false},
		"fewer and fewer": {"%.4f", 0, 0.7, true},
	} {
		for _, phase := range []string{"", "phase"} {
			rng := rand.New(rand.NewPCG(4, 4))
			var text strings.Builder
			text.WriteString("label,phase,a,b,c,d\n")
			const rows = 2*datasets.BlockRows + 17
			for row := range rows {
				fmt.Fprintf(&text, "%d,%d", row%2, row%25)
				for range 4 {
					zeros := c.zeros
					if row >= datasets.BlockRows {
						zeros = c.later
					}
					if rng.Float64() < zeros {
						text.WriteString(",0")
						continue
					}
					fmt.Fprintf(&text, ","+c.cell, 1+9*rng.Float64())
				}
				text.WriteByte('\n')
			}
			skip := []string{"phase"}
			if phase != "" {
				skip = nil
			}
			table, err := Open(context.Background(), write(t, "t.csv", text.String()), Layout{Phase: phase, PhaseMax: 24, Skip: skip})
			if err != nil {
				t.Fatal(err)
			}
			n, width := table.Rows()
			if n != rows || (width > 0) != c.dense {
				t.Errorf("%s, phase %q: %d rows of width %d, want %d, dense: %v", name, phase, n, width, rows, c.dense)
			}
			if width == 0 {
				continue
			}
			row, scratch := 0, make([]float32, datasets.BlockRows*width)
			for s := range table.All() {
				cells := table.Cells(row/datasets.BlockRows, scratch)[row%datasets.BlockRows*width:][:width]
				want := make([]float32, width)
				for _, x := range s.X {
					want[x.Index] = x.Value
				}
				if fmt.Sprint(cells) != fmt.Sprint(want) {
					t.Fatalf("%s, phase %q: row %d is %v, want %v", name, phase, row, cells, want)
				}
				row++
			}
		}
	}
}
