package learn_test

import (
	"context"
	"fmt"
	"iter"

	"plyfit/datasets"
	"plyfit/learn"
	"plyfit/models"
)

// games is a data set in memory with four positions from each of 200 games. A position's value to
// the mover is twice the mobility plus 0.5, plus noise.
type games struct{}

func (games) All() iter.Seq2[*datasets.Sample, error] {
	return func(yield func(*datasets.Sample, error) bool) {
		for g := range 200 {
			luck := float64(g%5-2) / 10
			for ply := range 4 {
				mobility := float32((g*7+ply*3)%11) - 5
				s := &datasets.Sample{
					X:       models.Vector{{Index: models.Bias, Value: 1}, {Index: 0, Value: mobility}},
					Y:       0.5 + 2*float64(mobility) + luck,
					Weight:  1,
					Episode: uint64(g),
				}
				if !yield(s, nil) {
					return
				}
			}
		}
	}
}

func note(w learn.Weight) string {
	if w.Note == "" {
		return ""
	}
	return ": " + w.Note
}

func ExampleRidge() {
	m := models.New("connect4", "connect4/example", []models.Block{
		{Name: "mobility", Len: 1},
		{Name: "threats", Len: 1}, // this feature never occurs in the data
	})
	report, err := learn.Ridge{Options: learn.Options{HeldOut: learn.SplitEvery(5, 1)}}.Learn(context.Background(), m, games{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range report.Weights {
		fmt.Printf("%-8s %5.2f ± %.2f%s\n", w.Name, w.Value, w.Error, note(w))
	}
	fmt.Printf("held out: %.3f, a constant %.1f\n", report.HeldOutLoss, report.Constant.HeldOutLoss)
	for _, n := range report.Notes {
		fmt.Println(n)
	}
	// Output:
	// bias      0.51 ± 0.01
	// mobility  2.00 ± 0.00
	// threats   0.00 ± 0.00: never occurs in the training rows
	// held out: 0.024, a constant 39.8
	// never occur in the training rows, keep the prior weight: threats
}
