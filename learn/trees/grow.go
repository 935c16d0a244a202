//go:build !js

package trees

import (
	"fmt"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/trees"
)

// grow fits a regression tree of the given maximum depth to labelled rows, and returns the tree's
// predictions for a second set of rows.
func grow(rows [][]float64, labels []float64, asked [][]float64, depth int) ([]float64, error) {
	tree := trees.NewDecisionTreeRegressor("mse", int64(depth))
	if err := tree.Fit(grid(rows, labels)); err != nil {
		return nil, err
	}
	return tree.Predict(grid(asked, make([]float64, len(asked)))), nil
}

// grid copies rows and labels into a golearn table.
func grid(rows [][]float64, labels []float64) *base.DenseInstances {
	g := base.NewDenseInstances()
	specs := make([]base.AttributeSpec, len(rows[0])+1)
	for c := range specs {
		specs[c] = g.AddAttribute(base.NewFloatAttribute(fmt.Sprintf("c%03d", c)))
	}
	label := specs[len(rows[0])]
	if err := g.AddClassAttribute(label.GetAttribute()); err != nil {
		panic("golearn: " + err.Error())
	}
	if err := g.Extend(len(rows)); err != nil {
		panic("golearn: " + err.Error())
	}
	for i, row := range rows {
		for c, v := range row {
			g.Set(specs[c], i, base.PackFloatToBytes(v))
		}
		g.Set(label, i, base.PackFloatToBytes(labels[i]))
	}
	return g
}
