package table

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestThinned: of each game at most so many rows, others by another seed, and each as it
// was.
func TestThinned(t *testing.T) {
	var text strings.Builder
	text.WriteString("label,game,phase,a,b,weight\n")
	for row := range 900 {
		fmt.Fprintf(&text, "%d,g%d,%d,%d,%d,%d\n", row%2, row%30%7, row%25, row, -row%3, 1+row%2)
	}
	table, err := Open(context.Background(), write(t, "t.csv", text.String()), Layout{Group: "game", Phase: "phase", PhaseMax: 24})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for s := range table.All() {
		all[fmt.Sprint(*s)] = true
	}
	var drawn [][]string
	for seed := range uint64(2) {
		thin := table.Thinned(5, seed)
		rows, games := map[string]bool{}, map[uint64]int{}
		for s := range thin.All() {
			if text := fmt.Sprint(*s); !all[text] {
				t.Fatalf("%s is no row of the table", text)
			} else {
				rows[text] = true
			}
			games[s.Episode]++
		}
		if len(games) != 7 || len(rows) != 35 || thin.Len() != 35 || !slices.Equal(slices.Collect(maps.Values(games)), []int{5, 5, 5, 5, 5, 5, 5}) {
			t.Errorf("%d rows, %v of games, want 5 of each of 7", len(rows), games)
		}
		drawn = append(drawn, slices.Sorted(maps.Keys(rows)))
	}
	if slices.Equal(drawn[0], drawn[1]) {
		t.Error("two seeds draw the same rows")
	}
	if table.Thinned(1000, 1).Len() != 900 {
		t.Error("rows of small games went")
	}
}
