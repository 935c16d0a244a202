package models_test

import (
	"fmt"
	"os"

	"plyfit/models"
)

// written is a model file as a user would write it by hand.
const written = `{"format": "plyfit-model/1", "game": "2048", "features": "2048/basic",
  "link": "identity", "bias": 0, "terms": [{"name": "score", "weight": 1}, {"name": "empty", "weight": 10}]}`

// This example reads a model, changes a weight, and compares the result with the original.
func Example() {
	before, err := models.Read("mine.json", []byte(written))
	if err != nil {
		panic(err)
	}
	after, err := models.Read("mine.json", []byte(written))
	if err != nil {
		panic(err)
	}
	after.Terms[1].Weight = 12.5
	d, err := models.Diff(before, after)
	if err != nil {
		panic(err)
	}
	for _, t := range d.Terms {
		fmt.Printf("%s: %v -> %v\n", t.Name, t.A, t.B)
	}
	// Output:
	// bias: 0 -> 0
	// score: 1 -> 1
	// empty: 10 -> 12.5
}

// An unknown key is reported with its line and column and a list of the permitted keys.
func ExampleRead() {
	_, err := models.Read("mine.json", []byte(`{"format": "plyfit-model/1", "game": "2048", "features": "2048/basic",
  "link": "identity", "terms": [{"name": "empty", "wieght": 10}]}`))
	fmt.Println(err)
	// Output:
	// mine.json:2:51: terms[0]: want one of the keys name, se, weight, found "wieght"
}

// This example exports a model as CSV for other programs.
func ExampleExport() {
	m := models.New("nim", "nim/heaps", []models.Block{{Name: "heap", Len: 2}, {Name: "mover", Len: 1}})
	m.Weights = []float64{0.5, -0.25, 2}
	m.Bias = 1
	if err := (&models.Export{Model: m, Min: -1, Max: 1}).CSV(os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// # An evaluation of nim over the features nim/heaps, made by plyfit.
	// # Model 9c076f3990da55f7d3e44823543defcc9d2596dcb97757d2ee398047f719842d.
	// # z = bias + sum of weight*x; value = z.
	// # x is seen by the player to move (at chance nodes by the one who moved) and the
	// # value is player 0's where that is player 0; where it is player 1 of a zero-sum
	// # game, player 0's value is that of z = bias - sum of weight*x.
	// # It judges decisions: positions in which a player is to move (leaves=decision).
	// # Agrees with plyfit's own evaluator to 1e-09*max(1,|value|).
	// index,name,weight,standard_error
	// -1,bias,1,
	// 0,heap[0],0.5,
	// 1,heap[1],-0.25,
	// 2,mover,2,
}
