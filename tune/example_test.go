package tune_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"plyfit/tune"
)

func Example() {
	dir, err := os.MkdirTemp("", "tune")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "trace.csv")
	text := "pawns,label\n"
	for range 100 { // a pawn more scores three points in four
		text += "1,1\n1,1\n1,1\n1,0\n-1,0\n-1,0\n-1,0\n-1,1\n"
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		panic(err)
	}
	table, err := tune.Open(context.Background(), path, tune.Layout{})
	if err != nil {
		panic(err)
	}
	f, err := tune.Run(context.Background(), table, tune.Options{Integers: true, HeldOut: 1 << 40})
	if err != nil {
		panic(err)
	}
	f.Write(os.Stdout, "weights.txt", "eval")
	fmt.Printf("loss %.4f\n", f.Report.Loss)
	// Output:
	// pawns 191
	// loss 0.5623
}
