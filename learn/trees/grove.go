package trees

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/sjwhitworth/golearn/trees"

	"plyfit/datasets"
	"plyfit/learn"
	"plyfit/learn/internal/design"
	"plyfit/models"
)

// Grove is a [Forest] that has been fitted: what the same features say when they
// are not summed. It is slow, and for one goroutine.
type Grove struct {
	design  *design.Matrix
	edges   [][]float64
	trees   []*trees.CARTDecisionTreeRegressor
	centers []float64 // of the labels that each tree was fitted to
	rows    []forestRow
}

// Fit grows the trees on all rows that f.Rows leaves room for; o's held-out
// episodes take no part. m gives features and frozen weights, and is not changed.
func (f Forest) Fit(ctx context.Context, m *models.Linear, data datasets.Samples, o learn.Options) (*Grove, error) {
	defaults(&f.Trees, 20)
	defaults(&f.Depth, 6)
	defaults(&f.Rows, 4000)
	if err := o.Check(m); err != nil {
		return nil, err
	}
	d, err := design.New(m, o.Frozen, maxForestFeatures)
	if err != nil {
		return nil, err
	}
	rows, err := f.draw(ctx, m, data, d, &o)
	if err != nil {
		return nil, err
	}
	g := &Grove{design: d, edges: ranksOf(rows, d.Width())}
	rng := rand.New(rand.NewPCG(design.Mix(f.Seed), 0x960e))
	byEpisode := map[uint64][]forestRow{}
	for _, r := range rows {
		byEpisode[r.episode] = append(byEpisode[r.episode], r)
	}
	episodes := slices.Sorted(maps.Keys(byEpisode))
	for range f.Trees {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tree, center, err := f.grow(rng, byEpisode, episodes, g.edges)
		if err != nil {
			return nil, err
		}
		g.trees, g.centers = append(g.trees, tree), append(g.centers, center)
	}
	return g, nil
}

// grow is one tree, fitted to whole episodes drawn with replacement.
func (f Forest) grow(rng *rand.Rand, byEpisode map[uint64][]forestRow, episodes []uint64, edges [][]float64) (*trees.CARTDecisionTreeRegressor, float64, error) {
	var bag []forestRow
	for range episodes {
		bag = append(bag, byEpisode[episodes[rng.IntN(len(episodes))]]...)
	}
	// Labels about their mean: golearn's tree answers 0 where nothing splits.
	center := 0.0
	for _, r := range bag {
		center += r.y / float64(len(bag))
	}
	tree := trees.NewDecisionTreeRegressor("mse", int64(f.Depth))
	if err := tree.Fit(rankedGrid(bag, edges, center)); err != nil {
		return nil, 0, fmt.Errorf("learn: trees: %w", err)
	}
	return tree, center, nil
}

// Predict appends to dst what the grove says of each vector, bias column
// included, in the label's units.
func (g *Grove) Predict(x []models.Vector, dst []float64) []float64 {
	g.rows = g.rows[:0]
	begin := len(dst)
	for _, v := range x {
		cols, vals, offset := g.design.Row(v)
		g.rows = append(g.rows, forestRow{cols: append([]int32(nil), cols...), vals: append([]float64(nil), vals...)})
		dst = append(dst, offset)
	}
	grid := rankedGrid(g.rows, g.edges, 0)
	n := float64(len(g.trees))
	for k, tree := range g.trees {
		for i, p := range tree.Predict(grid) {
			dst[begin+i] += (g.centers[k] + p) / n
		}
	}
	return dst
}
