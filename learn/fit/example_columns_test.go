package fit_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"plyfit/datasets/table"
	"plyfit/learn/fit"
)

// This example fits a table with a result and a single column, the number of pawns by which a side
// is ahead.
func ExampleRunColumns() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "trace.csv")
	text := "pawns,label\n"
	for range 100 { // a side that is a pawn ahead scores three points in four games
		text += "1,1\n1,1\n1,1\n1,0\n-1,0\n-1,0\n-1,0\n-1,1\n"
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		panic(err)
	}
	rows, err := table.Open(context.Background(), path, table.Layout{})
	if err != nil {
		panic(err)
	}
	f, err := fit.RunColumns(context.Background(), rows, fit.Options{Integers: true, HeldOut: fit.HeldOut{OneIn: 1 << 30}})
	if err != nil {
		panic(err)
	}
	f.Weights().Write(os.Stdout, "weights.txt", "eval")
	fmt.Printf("loss %.4f\n", f.Report.Loss)
	// Output:
	// pawns 191
	// loss 0.5623
}
