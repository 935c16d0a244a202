package table

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plyfit/models"
)

// TestReorder: a file whose columns come in another order than their numbers has the rows of
// one that is in order, whether most cells are 0 or few, and columns come late or at once.
func TestReorder(t *testing.T) {
	for name, late := range map[string]int{"at once": 0, "late": 400} {
		for _, step := range []int{1, 7} {
			var mixed, sorted strings.Builder
			for row := range 600 {
				var cells []string
				for c := 0; c < 20; c += step {
					if row >= late || c < 8 {
						cells = append(cells, fmt.Sprintf("%d:%d", c+1, row%9+c+1))
					}
				}
				fmt.Fprintln(&sorted, "1", strings.Join(cells, " "))
				slices.Reverse(cells)
				fmt.Fprintln(&mixed, "1\u00a0", strings.Join(cells, " \t"))
			}
			open := func(text string) *Table {
				path := filepath.Join(t.TempDir(), "x.libsvm")
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				table, err := Open(context.Background(), path, Layout{})
				if err != nil {
					t.Fatal(err)
				}
				return table
			}
			got, want := open(mixed.String()), open(sorted.String())
			if !slices.Equal(got.Columns, want.Columns) || !slices.Equal(got.places, want.places) {
				t.Errorf("%s, each %d: columns %v, want %v, or other hashes", name, step, got.Columns, want.Columns)
			}
			var rows []models.Vector
			for _, x := range want.rows() {
				rows = append(rows, slices.Clone(x))
			}
			for row, x := range got.rows() {
				if !slices.Equal(x, rows[row]) {
					t.Fatalf("%s, each %d: row %d is %v, want %v", name, step, row, x, rows[row])
				}
			}
		}
	}
}
