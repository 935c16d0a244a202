// Package evolution learns only from the results of games. A generation is a population of
// candidates drawn around a mean. Each candidate plays the same few games, and the mean moves
// towards the candidates with the best results.
//
// A generation proceeds as follows:
//
//  1. A distribution (CMA-ES) draws the candidates. The axes are scaled so that a step of 1 has a
//     similar effect for each weight, according to the spread of its feature in a sample of random
//     play.
//  2. Actors play the games of the candidates, one candidate per worker at a time. All candidates
//     of a generation have the same openings and the same luck, which differ between generations.
//     In two-player games the opponent is the current mean or the mean of an earlier generation,
//     and each opening is played from both seats.
//  3. The distribution moves. The resulting model is its mean, or an average of its means over the
//     last generations, rather than the candidate with the best result.
package evolution

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"plyfit/internal/elementary"
	"plyfit/learn/online"
	"plyfit/models"
	"plyfit/search"
	"plyfit/work"
)

// Learner applies the evolution strategy with covariance matrix adaptation to the utility of games
// (Hansen and Ostermeier 2001; for evaluations of board games, Jaskowski and Szubert,
// "Coevolutionary CMA-ES for knowledge-free learning of game position evaluation", IEEE TCIAIG
// 2016).
type Learner struct {
	cfg   online.Task
	scale online.Scale
	axes  *axes
	dist  *distribution

	past    [][]float64    // stored means, along the axes: one for every pastEvery generations
	average online.Average // average of the means, one sample per generation
	tally   online.Tally
}

// population returns Hansen's default population size for n weights: 4 + 3 ln n, rounded down.
func population(n int) int { return 4 + int(3*elementary.Log(float64(n))) }

const (
	pastEvery = 5      // number of generations between stored means
	mostFree  = 100000 // maximum number of weights to search
)

var _ online.Learner = (*Learner)(nil)

// New returns a learner. Alpha is the standard deviation of the candidates in the first generation,
// along each weight's axis, in units of that axis.
func New(c online.Task) (*Learner, error) {
	if err := c.CheckOpposed("evolution"); err != nil {
		return nil, err
	}
	if len(c.Model.Table) > 0 || len(c.Model.Weights) > mostFree {
		return nil, fmt.Errorf("%s: evolution supports at most %d weights and no tables", c.Model.Features, mostFree)
	}
	l := &Learner{scale: online.NewScale(&c), axes: newAxes(&c)}
	n := len(l.axes.free)
	switch {
	case n == 0:
		return nil, errors.New("evolution needs at least one weight that is not frozen")
	case c.Game.Base().Players == 2 && c.Batch%2 != 0:
		return nil, fmt.Errorf("batch=%d: want an even number, because each opening is played from both seats", c.Batch)
	}
	c.Population = cmp.Or(c.Population, population(n))
	l.cfg = c
	mean := make([]float64, n)
	for k, i := range l.axes.free {
		mean[k] = online.Weight(c.Model, i) / l.axes.scale[k]
	}
	l.dist = newDistribution(mean, c.Alpha, c.Population)
	l.average.Mean = make([]float64, n)
	return l, nil
}

// Generation returns the number of episodes in a generation.
func (l *Learner) Generation() int { return l.cfg.Population * l.cfg.Batch }

type candidate struct {
	z, x    []float64 // random normal numbers, and the resulting point
	fitness float64   // mean utility in the candidate's episodes, in scaled units
	tally   online.Tally
}

// Advance implements [online.Learner]. It returns an error if the episodes do not form whole
// generations.
func (l *Learner) Advance(ctx context.Context, from, to int) error {
	size := l.Generation()
	if from%size != 0 || to%size != 0 {
		return fmt.Errorf("evolution: episodes %d to %d: want whole generations of %d", from, to, size)
	}
	for g := from / size; g < to/size; g++ {
		if err := l.generation(ctx, g); err != nil {
			return err
		}
	}
	return nil
}

func (l *Learner) generation(ctx context.Context, g int) error {
	if g%pastEvery == 0 {
		l.past = append(l.past, slices.Clone(l.dist.mean))
	}
	n := len(l.dist.mean)
	rng := l.cfg.Random(-2 - g) // -1 is used for initial weights
	population := make([]candidate, l.cfg.Population)
	for k := range population {
		c := &population[k]
		c.z, c.x = make([]float64, n), make([]float64, n)
		l.dist.draw(rng, c.z, c.x)
	}
	r := &round{Learner: l, number: g, opponents: l.opponents(rng)}
	if err := r.play(ctx, population); err != nil {
		return err
	}
	var z [][]float64
	var fitness []float64
	for _, c := range population {
		l.tally.Add(c.tally)
		z, fitness = append(z, c.z), append(fitness, c.fitness)
	}
	if err := l.dist.follow(z, fitness); err != nil {
		return err
	}
	if from := l.cfg.AverageFrom(); from >= 0 && (g+1)*l.Generation() > from {
		l.average.Add(func(i int) float64 { return l.dist.mean[i] })
	}
	return online.CheckWeights(l.at(l.dist.mean), &l.tally, l.cfg.Alpha)
}

func (r *round) play(ctx context.Context, population []candidate) error {
	own := func() (*actor, error) {
		w := &actor{round: r, game: online.NewGame(&r.cfg), zero: search.Zero(r.cfg.Game), known: map[*models.Linear]search.Agent{}}
		w.game.Luck = &w.dice
		return w, nil
	}
	return work.Each(ctx, r.cfg.Workers, len(population), own, func(ctx context.Context, w *actor, k int) error { return w.play(ctx, &population[k]) }, nil)
}

// at returns the model at the point x, which is given in the coordinates of the axes.
func (l *Learner) at(x []float64) *models.Linear {
	m := l.cfg.Model.Clone()
	for k, i := range l.axes.free {
		w := l.axes.scale[k] * x[k]
		if i == m.Len() {
			m.Bias = w
		} else {
			m.Weights[i] = w
		}
	}
	return m
}

func (l *Learner) Model() *models.Linear {
	if l.average.Samples > 0 {
		return l.at(l.average.Mean)
	}
	return l.at(l.dist.mean)
}

func (l *Learner) Tally() online.Tally { return l.tally }

func (l *Learner) Persist(s *online.Snapshot) error {
	s.Tally(&l.tally)
	if err := l.dist.persist(s); err != nil {
		return err
	}
	s.Floats(l.average.Mean)
	s.Numbers(&l.average.Samples)
	if s.Reading() {
		l.past = nil
		for g := int64(0); g < l.dist.generations && s.Reading(); g += pastEvery {
			mean := make([]float64, len(l.dist.mean))
			s.Floats(mean)
			l.past = append(l.past, mean)
		}
		return nil
	}
	s.Floats(l.past...) // one list for each stored generation
	return nil
}
