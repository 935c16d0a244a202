package table_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"plyfit/datasets/table"
)

// The rows of a table are samples with features and a label.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "mine.csv")
	if err := os.WriteFile(path, []byte("mobility,threats,label\n3,0,0.5\n1,2,-1\n"), 0o644); err != nil {
		panic(err)
	}
	rows, err := table.Open(context.Background(), path, table.Layout{Unit: table.Utility})
	if err != nil {
		panic(err)
	}
	for s, err := range rows.All() {
		if err != nil {
			panic(err)
		}
		for _, t := range s.X {
			fmt.Printf("%s=%v ", rows.Columns[t.Index], t.Value)
		}
		fmt.Println("label", s.Y)
	}
	// Output:
	// mobility=3 label 0.5
	// mobility=1 threats=2 label -1
}
