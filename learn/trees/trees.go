// Package trees measures the cost of linearity. It compares bagged regression trees over the
// features of a fit ([Forest]) with least squares on the same folds.
package trees

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/learn"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/validate"
	"plyfit/models"
)

const (
	ranks             = 32
	maxForestFeatures = 512
)

type forestRow struct {
	cols    []int32
	vals    []float64
	y       float64
	episode uint64
}

// Compare fits ridge regression with o.Penalty and trees on the same folds of episodes. m provides
// the features and is not modified. The episodes that o holds out are not used.
func (f Forest) Compare(ctx context.Context, m *models.Linear, data datasets.Samples, o learn.Options) (Comparison, error) {
	var c Comparison
	f.Trees, f.Depth, f.Rows, f.Folds, f.Repeats = cmp.Or(f.Trees, 20), cmp.Or(f.Depth, 6), cmp.Or(f.Rows, 4000), cmp.Or(f.Folds, 5), cmp.Or(f.Repeats, 3)
	if err := o.Check(m); err != nil {
		return c, err
	}
	d, err := design.New(m, o.Frozen, maxForestFeatures)
	if err != nil {
		return c, err
	}
	rows, err := f.draw(ctx, m, data, d, &o)
	if err != nil {
		return c, err
	}
	episodes := map[uint64]bool{}
	for _, r := range rows {
		episodes[r.episode] = true
	}
	c.Rows, c.Episodes = len(rows), len(episodes)
	var constant, linear, forest, cost []float64
	ratio := 0.0
	for repeat := range f.Repeats {
		folds := validate.Folds{Count: f.Folds, Seed: game.Mix(game.Mix(f.Seed) + uint64(repeat))}
		for fold := range f.Folds {
			if err := ctx.Err(); err != nil {
				return c, err
			}
			var train, test []forestRow
			for _, r := range rows {
				if id, _ := (&design.Split{Group: o.Group}).GroupOf(r.episode); folds.Fold(id) == fold {
					test = append(test, r)
				} else {
					train = append(train, r)
				}
			}
			if len(train) == 0 || len(test) == 0 {
				return c, fmt.Errorf("learn: fold %d of %d is empty: too few episodes", fold+1, f.Folds)
			}
			rng := rand.New(rand.NewPCG(game.Mix(f.Seed), uint64(repeat*f.Folds+fold)))
			b, l, t, err := f.fold(rng, d, &o, train, test)
			if err != nil {
				return c, err
			}
			constant, linear, forest, cost = append(constant, b), append(linear, l), append(forest, t), append(cost, l-t)
			ratio += float64(len(test)) / float64(len(train)) / float64(f.Folds*f.Repeats)
		}
	}
	c.Constant, _ = numeric.MeanAndDeviation(constant)
	c.Linear, c.LinearSpread = numeric.MeanAndDeviation(linear)
	c.Trees, c.TreesSpread = numeric.MeanAndDeviation(forest)
	var s float64
	c.Cost, s = numeric.MeanAndDeviation(cost)
	c.Error = s * math.Sqrt(1/float64(len(cost))+ratio)
	return c, nil
}

// draw selects whole episodes by a hash of their number, up to f.Rows rows.
func (f Forest) draw(ctx context.Context, m *models.Linear, data datasets.Samples, d *design.Matrix, o *learn.Options) ([]forestRow, error) {
	var rows []forestRow
	mask := uint64(0)
	err := design.Scan(ctx, data, m, &design.Split{HeldOut: o.HeldOut}, func(s *datasets.Sample, held bool) error {
		h := game.Mix(s.Episode ^ game.Mix(f.Seed^0xf0e5))
		if held || s.Kind != game.Exact || h&mask != 0 {
			return nil
		}
		cols, vals, offset := d.Row(s.X)
		rows = append(rows, forestRow{slices.Clone(cols), slices.Clone(vals), s.Y - offset, s.Episode})
		for len(rows) > f.Rows && mask != math.MaxUint64 {
			mask = mask<<1 | 1
			rows = slices.DeleteFunc(rows, func(r forestRow) bool { return game.Mix(r.episode^game.Mix(f.Seed^0xf0e5))&mask != 0 })
		}
		return nil
	})
	if err == nil && len(rows) == 0 {
		err = design.ErrNoRows
	}
	return rows, err
}

// fold fits models to the training rows and returns the mean squared errors of three predictions on
// the test rows: the mean of the training labels, ridge regression, and trees.
func (f Forest) fold(rng *rand.Rand, d *design.Matrix, o *learn.Options, train, test []forestRow) (constant, linear, forest float64, err error) {
	n := d.Width()
	prior := d.Priors(o.Prior)
	g, s := numeric.NewGram(n), &design.Sums{}
	mean := 0.0
	for _, r := range train {
		y := r.y
		for k, c := range r.cols {
			y -= float64(r.vals[k] * prior[c])
		}
		g.Add(r.cols, r.vals, 1, y)
		s.Yy += float64(y * y)
		s.Weight++
		s.Rows++
		mean += r.y / float64(len(train))
	}
	s.Xx, s.Xy = g.Sum()
	_, w := s.Ridge(d, o.Penalty)
	for _, r := range test {
		z := 0.0
		for k, c := range r.cols {
			z += float64(r.vals[k] * (w[c] + prior[c]))
		}
		linear += (r.y - z) * (r.y - z) / float64(len(test))
		constant += (r.y - mean) * (r.y - mean) / float64(len(test))
	}

	edges := ranksOf(train, n)
	asked := ranked(test, edges)
	sum := make([]float64, len(test))
	byEpisode := map[uint64][]forestRow{}
	for _, r := range train {
		byEpisode[r.episode] = append(byEpisode[r.episode], r)
	}
	episodes := slices.Sorted(maps.Keys(byEpisode))
	for range f.Trees {
		var bag []forestRow
		for range episodes {
			bag = append(bag, byEpisode[episodes[rng.IntN(len(episodes))]]...)
		}
		// Subtract the mean, because golearn's tree returns 0 if there is no split.
		center := 0.0
		for _, r := range bag {
			center += r.y / float64(len(bag))
		}
		labels := list.Map(bag, func(r forestRow) float64 { return r.y - center })
		predicted, err := grow(ranked(bag, edges), labels, asked, f.Depth)
		if err != nil {
			return 0, 0, 0, fmt.Errorf("learn: trees: %w", err)
		}
		for i, p := range predicted {
			sum[i] += center + p
		}
	}
	for i, r := range test {
		e := r.y - sum[i]/float64(f.Trees)
		forest += e * e / float64(len(test))
	}
	return constant, linear, forest, nil
}

// ranksOf returns the thresholds that divide every column into at most 32 ranks.
func ranksOf(rows []forestRow, columns int) [][]float64 {
	values := make([][]float64, columns)
	for c := range values {
		values[c] = make([]float64, len(rows))
	}
	for i, r := range rows {
		for k, c := range r.cols {
			values[c][i] += r.vals[k]
		}
	}
	edges := make([][]float64, columns)
	for c, v := range values {
		slices.Sort(v)
		distinct := slices.Compact(slices.Clone(v))
		if len(distinct) <= ranks {
			edges[c] = distinct[1:]
			continue
		}
		for k := 1; k < ranks; k++ {
			edges[c] = append(edges[c], v[k*len(v)/ranks])
		}
		edges[c] = slices.Compact(edges[c])
	}
	return edges
}

// ranked returns the ranks of the values in the rows' columns.
func ranked(rows []forestRow, edges [][]float64) [][]float64 {
	grid := make([][]float64, len(rows))
	x := make([]float64, len(edges))
	for i, r := range rows {
		clear(x)
		for k, c := range r.cols {
			x[c] += r.vals[k]
		}
		grid[i] = make([]float64, len(x))
		for c, v := range x {
			grid[i][c] = float64(numeric.Rank(edges[c], v))
		}
	}
	return grid
}

// Forest configures bagged regression trees (Breiman 1996), as implemented by golearn. They are a
// baseline that does not assume linearity. They are slow and suitable for a few thousand rows.
//
// Episodes are drawn with replacement. golearn's own bagging is not used, because it votes on
// classes, separates rows of the same episode, and has a random source that cannot be seeded.
// Features are first reduced to 32 ranks, because golearn's trees try every threshold in linear
// time.
type Forest struct {
	Trees   int    // number of trees; 0 means 20
	Depth   int    // maximum depth of a tree; 0 means 6
	Rows    int    // maximum number of rows, drawn as whole training episodes; 0 means 4,000
	Folds   int    // number of folds; 0 means 5
	Repeats int    // number of different divisions into folds; 0 means 3
	Seed    uint64 // seed for drawing episodes and folds
}

// Comparison measures the cost of linearity by mean squared errors on the same folds.
type Comparison struct {
	Rows     int `json:"rows"`
	Episodes int `json:"episodes"`
	// Constant, Linear and Trees are means over folds and repeats.
	Constant     float64 `json:"constant"`
	Linear       float64 `json:"linear"`
	Trees        float64 `json:"trees"`
	LinearSpread float64 `json:"linear_spread"` // standard deviation over folds and repeats
	TreesSpread  float64 `json:"trees_spread"`
	// Cost is Linear - Trees. It is positive if trees are more accurate. Error is its standard
	// error according to Nadeau and Bengio (2003), which takes into account that folds share
	// training rows: sqrt((1/J + test/train) s^2).
	Cost  float64 `json:"cost"`
	Error float64 `json:"error"`
}
