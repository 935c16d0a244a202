package reliability

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"plyfit/datasets"
	"plyfit/internal/vectors"
	"plyfit/learn"
	"plyfit/models"
)

// transitionRows contains transitions in memory.
type transitionRows []learn.Transition

func (r transitionRows) All() iter.Seq2[*learn.Transition, error] {
	return func(yield func(*learn.Transition, error) bool) {
		for i := range r {
			s := r[i]
			if !yield(&s, nil) {
				return
			}
		}
	}
}

// modelOfTerms returns a model in which each term is a block.
func modelOfTerms(names ...string) *models.Linear {
	var blocks []models.Block
	for _, n := range names {
		blocks = append(blocks, models.Block{Name: n, Len: 1})
	}
	return models.New("none", "none/calibration", blocks)
}

// playedGames is a design that resembles positions from games. The games have different lengths,
// and all rows of a game share its luck.
//
//	vary     changes from row to row
//	shift    is constant within a game
//	drift    grows during a game, at a rate that differs between games
//	rare     is 1 in some rows of one game in eight
type playedGames struct {
	x     [][4]float64
	game  []int
	luck  []float64 // luck of the row's game, normally distributed
	noise []float64 // noise of the row, normally distributed
}

var playedTerms = []string{"vary", "shift", "drift", "rare"}

func playGames(rng *rand.Rand, games int) playedGames {
	var p playedGames
	for g := range games {
		luck, shift, slope := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		rows := 4 + rng.IntN(24)
		rare := g%8 == 3
		for k := range rows {
			x := [4]float64{rng.NormFloat64(), shift, slope * float64(k) / 10}
			if rare && rng.IntN(3) == 0 || rare && k == 0 {
				x[3] = 1
			}
			p.x, p.game = append(p.x, x), append(p.game, g)
			p.luck, p.noise = append(p.luck, luck), append(p.noise, rng.NormFloat64())
		}
	}
	return p
}

func (p *playedGames) samples(label func(z, luck, noise float64) float64, truth [5]float64) datasets.Rows {
	rows := make(datasets.Rows, len(p.x))
	for i, x := range p.x {
		v := models.Vector{{Index: models.Bias, Value: 1}}
		z := truth[4]
		for j := range x {
			x[j] = float64(float32(x[j]))
			if x[j] != 0 {
				v = append(v, models.Term{Index: int32(j), Value: float32(x[j])})
			}
			z += truth[j] * x[j]
		}
		rows[i] = datasets.Sample{X: v, Y: label(z, p.luck[i], p.noise[i]), Weight: 1, Episode: uint64(p.game[i])}
	}
	return rows
}

// linearLabel returns a label with a random part. A quarter of its variance is shared within a
// game.
func linearLabel(z, luck, noise float64) float64 { return z + luck + math.Sqrt(3)*noise }

// wonLabel returns 1 with probability 1/(1+exp(-z)), and 0 otherwise. The game's luck contributes
// four fifths of the variance that determines the label.
func wonLabel(z, luck, noise float64) float64 {
	if u := distuv.UnitNormal.CDF(math.Sqrt(0.8)*luck + math.Sqrt(0.2)*noise); u < 1/(1+math.Exp(-z)) {
		return 1
	}
	return 0
}

// walks returns random walks on 0..9 with random starts. The right end is worth 1 and the left end
// 0. The value of a position is therefore the position divided by nine, no matter how long the walk
// is.
func walks(rng *rand.Rand, games int) transitionRows {
	const end = 9
	var rows transitionRows
	at := func(x, luck int) models.Vector {
		return models.Vector{{Index: models.Bias, Value: 1}, {Index: 0, Value: float32(x) / end}, {Index: 1, Value: float32(luck)}}
	}
	for g := range games {
		x, luck := 1+rng.IntN(end-1), rng.IntN(3)-1
		for x > 0 && x < end {
			r := learn.Transition{X: at(x, luck), Episode: uint64(g), Weight: 1}
			x += 2*rng.IntN(2) - 1
			luck = rng.IntN(3) - 1
			if r.Next = at(x, luck); x == end {
				r.Reward = 1
			}
			r.Reward += 0.3 * rng.NormFloat64()
			r.Terminal = x == 0 || x == end
			rows = append(rows, r)
		}
	}
	return rows
}

// covered counts, for each term, the intervals of fits and how many of them contain the truth. The
// bias is last.
type covered struct{ held, all []int }

func (c *covered) add(r *learn.Report, truth []float64, skip func(w *learn.Weight) bool) {
	for i := range r.Weights {
		w := &r.Weights[i]
		low, high, ok := w.Interval()
		if !ok || skip != nil && skip(w) {
			continue
		}
		j := int(w.Index)
		if j == int(models.Bias) {
			j = len(truth) - 1
		}
		c.all[j]++
		if low <= truth[j] && truth[j] <= high {
			c.held[j]++
		}
	}
}

// TestCalibrationWeights checks that the intervals of weights contain the truth in 93 to 97 of 100
// data sets. If only a few games support a weight, the interval may be wider, but not narrower.
func TestCalibrationWeights(t *testing.T) {
	nightly(t)
	truth := []float64{0.5, -0.4, 0.6, 0.8, 0.2}
	small := learn.Options{Penalty: 1e-6}
	for _, c := range []struct {
		name string
		fit  func(rng *rand.Rand, games int) (learn.Report, error)
		// terms, and weights with the bias last
		names []string
		truth []float64
	}{
		{"ridge", sampled(learn.Ridge{}, linearLabel, truth), playedTerms, truth},
		{"newton", sampled(learn.Newton{Options: small}, wonLabel, truth), playedTerms, truth},
		{"lstd 0", walked(learn.LSTD{}), []string{"place", "luck"}, []float64{1, 0, 0}},
		{"lstd 0.7", walked(learn.LSTD{Lambda: 0.7}), []string{"place", "luck"}, []float64{1, 0, 0}},
		{"lstd 1", walked(learn.LSTD{Lambda: 1}), []string{"place", "luck"}, []float64{1, 0, 0}},
	} {
		for _, games := range []int{20, 100} {
			n := 4000
			k := len(c.truth)
			count := covered{make([]int, k), make([]int, k)}
			for s := range n {
				r := vectors.Must(c.fit(rand.New(rand.NewPCG(uint64(s), uint64(games))), games))
				count.add(&r, c.truth, nil)
			}
			for j, name := range append(append([]string(nil), c.names...), "bias") {
				most := 0.97
				if name == "rare" || games < 50 { // of 20 games, only 3 contain the term
					most = 1
				}
				wantRate(t, fmt.Sprintf("%s, %d games, %s", c.name, games, name), count.held[j], count.all[j], 0.93, most)
			}
		}
	}
}

// sampled returns a function that fits samples of played games.
func sampled(l learn.Learner, label func(z, luck, noise float64) float64, truth []float64) func(rng *rand.Rand, games int) (learn.Report, error) {
	return func(rng *rand.Rand, games int) (learn.Report, error) {
		p := playGames(rng, games)
		return l.Learn(context.Background(), modelOfTerms(playedTerms...), p.samples(label, [5]float64(truth)))
	}
}

func walked(l learn.LSTD) func(rng *rand.Rand, games int) (learn.Report, error) {
	return func(rng *rand.Rand, games int) (learn.Report, error) {
		return l.Learn(context.Background(), modelOfTerms("place", "luck"), walks(rng, games))
	}
}

// TestCalibrationShrunkWeights checks that, under a strong penalty, the intervals of weights that
// are not marked as shrunk are still correct.
func TestCalibrationShrunkWeights(t *testing.T) {
	nightly(t)
	truth := []float64{0.5, -0.4, 0.6, 0.8, 0.2}
	for _, penalty := range []float64{1e-3, 1e-2, 3e-2} {
		for _, c := range []struct {
			name  string
			l     learn.Learner
			label func(z, luck, noise float64) float64
		}{
			{"ridge", learn.Ridge{Options: learn.Options{Penalty: penalty}}, linearLabel},
			{"newton", learn.Newton{Options: learn.Options{Penalty: penalty}}, wonLabel},
		} {
			fit := sampled(c.l, c.label, truth)
			plain := covered{make([]int, 5), make([]int, 5)}
			said := 0
			for s := range 3000 {
				r := vectors.Must(fit(rand.New(rand.NewPCG(uint64(s), 77)), 100))
				plain.add(&r, truth, func(w *learn.Weight) bool {
					shrunk := strings.HasPrefix(w.Note, "shrunk")
					if shrunk {
						said++
					}
					return shrunk
				})
			}
			held, all := 0, 0
			for j := range plain.all {
				held, all = held+plain.held[j], all+plain.all[j]
			}
			t.Logf("%s, penalty %v: %d weights called shrunk", c.name, penalty, said)
			wantRate(t, fmt.Sprintf("%s, penalty %v, other weights", c.name, penalty), held, all, 0.93, 0.97)
		}
	}
}

// TestCalibrationManyWeights checks the intervals from the sandwich estimator, which is used if the
// jackknife would take too long for the number of columns.
func TestCalibrationManyWeights(t *testing.T) {
	nightly(t)
	const columns, games = 240, 1000
	names := make([]string, columns)
	truth := make([]float64, columns+1)
	for j := range names {
		names[j], truth[j] = fmt.Sprint("t", j), float64(j%5)/10
	}
	common := covered{make([]int, columns+1), make([]int, columns+1)}
	for s := range 60 {
		rng := rand.New(rand.NewPCG(uint64(s), 240))
		var rows datasets.Rows
		for g := range games {
			luck := rng.NormFloat64()
			for range 10 {
				v := models.Vector{{Index: models.Bias, Value: 1}}
				y := luck + rng.NormFloat64()
				for j := range names {
					if (g*7+j*13)%(5+j/4) == 0 && rng.IntN(2) == 0 { // in one game in 5 to 64
						v = append(v, models.Term{Index: int32(j), Value: 1})
						y += truth[j]
					}
				}
				rows = append(rows, datasets.Sample{X: v, Y: y, Weight: 1, Episode: uint64(g)})
			}
		}
		r := vectors.Must(learn.Ridge{}.Learn(context.Background(), modelOfTerms(names...), rows))
		common.add(&r, truth, nil)
	}
	for _, part := range []struct{ from, to int }{{0, 40}, {40, 120}, {120, 240}} {
		held, all := 0, 0
		for j := part.from; j < part.to; j++ {
			held, all = held+common.held[j], all+common.all[j]
		}
		wantRate(t, fmt.Sprintf("terms of one game in %d to %d", 5+part.from/4, 5+part.to/4), held, all, 0.93, 0.97)
	}
}

// TestCalibrationNoIntervals checks that fits that select columns, or that stop early because of
// the held-out rows, print no intervals.
func TestCalibrationNoIntervals(t *testing.T) {
	truth := []float64{0.5, -0.4, 0.6, 0.8, 0.2}
	for _, l := range []learn.Learner{learn.ElasticNet{Options: learn.Options{Penalty: 0.01}}, learn.LBFGS{}} {
		r := vectors.Must(sampled(l, wonLabel, truth)(rand.New(rand.NewPCG(1, 1)), 40))
		for _, w := range r.Weights {
			if low, high, ok := w.Interval(); ok {
				t.Errorf("%T: %s has an interval, %v to %v", l, w.Name, low, high)
			}
		}
	}
}
