package evolution

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"plyfit/game"
)

// Search evolves a few numbers by what is seen of them, noise and all: the weights of a program that
// plays by itself. It is the distribution of [Learner] without its games.
type Search struct {
	dist               *distribution
	width, least, most []float64
	rng                *rand.Rand
	z                  [][]float64 // of the candidates of now
}

// NewSearch begins about start. width is a first step along each number, which stays from least to
// most.
func NewSearch(start, width, least, most []float64, seed uint64) *Search {
	mean := make([]float64, len(start))
	for i := range mean {
		mean[i] = start[i] / width[i]
	}
	return &Search{
		dist: newDistribution(mean, 1, even(population(len(start)))), width: width, least: least, most: most,
		rng: rand.New(rand.NewPCG(seed, game.Seed(seed, 1))),
	}
}

// Population is the number of candidates of a generation.
func (s *Search) Population() int { return 2 * len(s.dist.weights) }

// Draw draws the candidates of a generation.
func (s *Search) Draw() (candidates [][]float64) {
	s.z = s.z[:0]
	for range s.Population() {
		z, x := make([]float64, len(s.width)), make([]float64, len(s.width))
		s.dist.draw(s.rng, z, x)
		s.z = append(s.z, z)
		candidates = append(candidates, s.at(x))
	}
	return candidates
}

// Update moves the mean towards the candidates of now that are fittest.
func (s *Search) Update(fitness []float64) error {
	order := make([]int, len(s.z))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(fitness[b], fitness[a]) })
	best := make([][]float64, len(order))
	for i, k := range order {
		best[i] = s.z[k]
	}
	err := s.dist.update(best)
	for i, x := range s.Mean() { // else it would wander beyond the limits, where all candidates are alike
		s.dist.mean[i] = x / s.width[i]
	}
	return err
}

// Mean is where candidates are drawn about.
func (s *Search) Mean() []float64 { return s.at(s.dist.mean) }

func (s *Search) at(x []float64) []float64 {
	out := make([]float64, len(x))
	for i := range out {
		out[i] = min(s.most[i], max(s.least[i], s.width[i]*x[i]))
	}
	return out
}

func even(n int) int { return n + n%2 }
