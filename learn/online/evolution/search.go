package evolution

import (
	"math/rand/v2"
	"slices"

	"plyfit/arena/stats"
	"plyfit/game"
)

// A Search optimises a few numbers, such as the parameters of an external program, using noisy
// measurements. It uses the same distribution as [Learner] but plays no games itself.
type Search struct {
	dist               *distribution
	width, least, most []float64
	rng                *rand.Rand
	z                  [][]float64 // draws of the current candidates
}

// NewSearch returns a search that begins around start. The parameter width is the size of the first
// step in each number. Each number is limited to the range between the corresponding elements of
// least and most.
func NewSearch(start, width, least, most []float64, seed uint64) *Search {
	mean := make([]float64, len(start))
	for i := range mean {
		mean[i] = start[i] / width[i]
	}
	n := population(len(start))
	return &Search{
		dist: newDistribution(mean, 1, n+n%2), width: width, least: least, most: most,
		rng: rand.New(rand.NewPCG(seed, game.Seed(seed, 1))),
	}
}

// Population returns the number of candidates in a generation.
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

// Update moves the mean towards the current candidates with the highest fitness.
func (s *Search) Update(fitness []float64) error {
	err := s.dist.follow(s.z, fitness)
	for i, x := range s.Mean() { // otherwise the mean could drift beyond the limits, where all candidates become equal
		s.dist.mean[i] = x / s.width[i]
	}
	return err
}

// Mean returns the point around which the candidates are drawn.
func (s *Search) Mean() []float64 { return s.at(s.dist.mean) }

func (s *Search) at(x []float64) []float64 {
	out := make([]float64, len(x))
	for i := range out {
		out[i] = min(s.most[i], max(s.least[i], s.width[i]*x[i]))
	}
	return out
}

// A Trial lets all candidates play the same pairs of games against the mean. It returns the
// fraction of the points that each candidate won, and the variance of these fractions that is due
// to the games.
type Trial func(generation, pairs int, mean []float64, candidates [][]float64) (points []float64, noise float64, err error)

const (
	firstPairs = 4   // pairs per candidate in the first generation
	unclear    = 1.5 // minimum ratio of the variance of points to the noise at which candidates differ clearly
	tail       = 0.5 // fraction of the games after which means are averaged
)

// Averages is the number of averaged points that [Search.Run] returns.
const Averages = 3

// Run evolves the distribution until the given number of games has been played. It returns several
// averages of the means over the last generations, longest first, and the generations at which they
// start. If the candidates in a generation do not differ clearly, later generations play more
// games.
func (s *Search) Run(games int, trial Trial) (out [][]float64, from []int, err error) {
	var means [][]float64
	var at []int // number of games played after each mean
	pairs, played := firstPairs, 0
	for k := 0; played < games; k++ {
		mean, candidates := s.Mean(), s.Draw()
		points, noise, err := trial(k, pairs, mean, candidates)
		if err == nil {
			err = s.Update(points)
		}
		if err != nil {
			return nil, nil, err
		}
		played += 2 * pairs * len(points)
		if variance(points) < unclear*noise {
			pairs += (pairs + 3) / 4
		}
		means, at = append(means, s.Mean()), append(at, played)
	}
	for f := range Averages {
		first, _ := slices.BinarySearch(at, int(float64(games)*(tail+(1-tail)*float64(f)/Averages)))
		average := make([]float64, len(s.width))
		for _, mean := range means[first:] {
			for i, x := range mean {
				average[i] += x / float64(len(means)-first)
			}
		}
		out, from = append(out, average), append(from, first)
	}
	return out, from, nil
}

func variance(points []float64) float64 {
	var m stats.Moments
	for _, x := range points {
		m.Add(x)
	}
	return m.Deviation() * m.Deviation()
}

// Noise returns the variance in the candidates' mean points that is due to the games. The slice
// points is indexed by candidate and pair. Effects common to all candidates are removed, because
// they favour none of them.
func Noise(points [][]float64) float64 {
	n, pairs := float64(len(points)), float64(len(points[0]))
	squares, mean := 0.0, make([]float64, len(points))
	for i := range points {
		for _, x := range points[i] {
			mean[i] += x / pairs
		}
	}
	for k := range points[0] {
		common := 0.0
		for i := range points {
			common += (points[i][k] - mean[i]) / n
		}
		for i := range points {
			e := points[i][k] - mean[i] - common
			squares += float64(e * e)
		}
	}
	return squares / ((n - 1) * (pairs - 1)) / pairs
}
