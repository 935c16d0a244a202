package reliability

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/datasets"
	"plyfit/learn"
	"plyfit/models"
)

// sharedGames assigns the games of a design to groups. The games of a group share half of their
// luck, like games that pass through the same positions. Groups contain different numbers of games,
// because some openings are followed by more games than others.
func sharedGames(rng *rand.Rand, groups int) (p playedGames, group []int) {
	game := 0
	for g := range groups {
		games := 1
		for games < 12 && rng.IntN(3) == 0 {
			games++
		}
		common := rng.NormFloat64()
		for range games {
			one := playGames(rng, 1)
			luck := math.Sqrt(0.5)*common + math.Sqrt(0.5)*one.luck[0]
			for i := range one.x {
				p.x, p.game = append(p.x, one.x[i]), append(p.game, game)
				p.luck, p.noise = append(p.luck, luck), append(p.noise, one.noise[i])
			}
			group = append(group, g)
			game++
		}
	}
	return p, group
}

// A population is a very large set of games, from which the held-out rows are a sample. It
// determines the expected loss of a model on new games.
type population struct {
	// squares contains the mean products of any two elements of (x, 1, y). The mean squared error
	// of any weights is a quadratic form with these coefficients.
	squares [6][6]float64
	wins    []float64 // probability of a win, by row
	vectors [][6]float64
}

// newPopulation draws a population with the given number of groups. If keep is true, it keeps the
// rows for entropy.
func newPopulation(label func(z, luck, noise float64) float64, truth [5]float64, groups int, keep bool) *population {
	p := &population{}
	rows := 0.0
	for rng := rand.New(rand.NewPCG(5, 5)); groups > 0; groups -= 1000 { // in batches of a thousand, because all games together would need a gigabyte
		played, _ := sharedGames(rng, min(groups, 1000))
		for _, s := range played.samples(label, truth) {
			v := vectorOf(&s)
			for a := range v {
				for b := range v {
					p.squares[a][b] += v[a] * v[b]
				}
			}
			rows++
			if !keep {
				continue
			}
			z := truth[4]
			for j := range 4 {
				z += truth[j] * v[j]
			}
			p.vectors, p.wins = append(p.vectors, v), append(p.wins, 1/(1+math.Exp(-z)))
		}
	}
	for a := range p.squares {
		for b := range p.squares[a] {
			p.squares[a][b] /= rows
		}
	}
	return p
}

// vectorOf returns (x, 1, y) for a row.
func vectorOf(s *datasets.Sample) (v [6]float64) {
	for _, t := range s.X {
		if t.Index == models.Bias {
			v[4] = 1
		} else {
			v[t.Index] = float64(t.Value)
		}
	}
	v[5] = s.Y
	return v
}

// squared returns the mean squared error of a model.
func (p *population) squared(m *models.Linear) (loss float64) {
	w := [6]float64{m.Weights[0], m.Weights[1], m.Weights[2], m.Weights[3], m.Bias, -1}
	for a := range w {
		for b := range w {
			loss += w[a] * w[b] * p.squares[a][b]
		}
	}
	return loss
}

// entropy returns the mean cross-entropy of a model, given the probability of a win at each
// position.
func (p *population) entropy(m *models.Linear) (loss float64) {
	for i := range p.vectors {
		v, hat := &p.vectors[i], m.Bias
		for j := range 4 {
			hat += m.Weights[j] * v[j]
		}
		loss += math.Max(hat, 0) + math.Log1p(math.Exp(-math.Abs(hat))) - p.wins[i]*hat
	}
	return loss / float64(len(p.vectors))
}

// TestCalibrationHeldOutInterval checks that the interval of the held-out loss contains the loss of
// the same model on new games in 93 to 97 of 100 data sets, with 20 to 400 groups of held-out
// games. With 8 or 12 groups, the interval may be wider.
func TestCalibrationHeldOutInterval(t *testing.T) {
	nightly(t)
	truth := [5]float64{0.5, -0.4, 0.6, 0.8, 0.2}
	for _, c := range []struct {
		name   string
		label  func(z, luck, noise float64) float64
		make   func(o learn.Options) learn.Learner
		expect func(p *population, m *models.Linear) float64
		groups int // number of groups in the population
	}{
		{"ridge", linearLabel, func(o learn.Options) learn.Learner { return learn.Ridge{Options: o} }, (*population).squared, 200_000},
		{"newton", wonLabel, func(o learn.Options) learn.Learner { return learn.Newton{Options: o} }, (*population).entropy, 20_000},
	} {
		p := newPopulation(c.label, truth, c.groups, c.name == "newton")
		for _, groups := range []int{8, 12, 20, 50, 100, 400} {
			n, held := 4000, 0
			for s := range n {
				rng := rand.New(rand.NewPCG(uint64(s), uint64(groups)))
				played, of := sharedGames(rng, 30+groups) // the first 30 groups are the training data
				rows := played.samples(c.label, truth)
				m := modelOfTerms(playedTerms...)
				r, err := c.make(learn.Options{
					Penalty: 1e-3,
					HeldOut: func(episode uint64) bool { return of[episode] >= 30 },
					Group:   func(episode uint64) (uint64, bool) { return uint64(of[episode]), false },
					Groups:  30 + groups,
				}).Learn(context.Background(), m, datasets.Samples(rows))
				if err != nil {
					t.Fatal(err)
				}
				want := c.expect(p, m)
				if low, high, ok := r.HeldOutInterval(); ok && low <= want && want <= high {
					held++
				}
			}
			most := 0.97
			if groups < 20 { // the interval may be wider, but not narrower
				most = 0.99
			}
			wantRate(t, fmt.Sprintf("%s, %d groups", c.name, groups), held, n, 0.93, most)
		}
	}
}
