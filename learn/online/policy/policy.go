// Package policy learns which moves to choose rather than what positions are worth, by
// the gradient of what a player gets who chooses by the weights.
//
// The journey of a round:
//
//  1. Actors play its episodes, one side by the weights of now and the other by
//     earlier ones with noise, and keep each decision with the gradient of its
//     logarithm.
//  2. [Learner] adds up what the outcomes say of the decisions, less a baseline that
//     is learned beside.
//  3. At its end the weights take one step along the natural gradient.
package policy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"plyfit/features"
	"plyfit/internal/dense"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/online"
	"plyfit/learn/online/optimiser"
	"plyfit/models"
)

// Learner learns to choose where temporal differences learn to value: the weights follow the
// gradient of what a player gets who chooses by them, whether or not their sums
// come near to what positions are worth. Few weights that cannot tell the worth
// of a position may still order moves well.
//
// The learner draws its moves with probabilities
//
//	pi(m) = exp(theta'x_m) / sum exp(theta'x_k),   theta = Sharp times the weights,
//
// x_m being the features, in the mover's favour, of the position that m leads to.
// After a game that ended with outcome G, each of its drawn moves counts with
//
//	A = G - V(s),   psi = grad log pi(m) = x_m - sum pi(k) x_k
//
// (REINFORCE: Williams, Machine Learning 8, 1992), V being a baseline of the same
// features, learned from the outcomes beside it. No value stands in for the
// outcome: a bootstrapped A follows V's own mistakes, back to what TD finds. The
// weights move by the natural gradient, F^-1 sum A psi with F the mean of psi psi'
// (Kakade, NIPS 2001; Peters and Schaal, "Natural actor-critic", 2008), as far as
// changes what is chosen by a set measure.
//
// The other side plays by earlier weights, those of every eighth round since the
// start being as likely, with noise. Who learns only from its own equal never
// meets what others would do to it.
type Learner struct {
	cfg          online.Task
	scale        online.Scale
	theta        *models.Linear
	critic       *optimiser.Weights
	actors       []*actor
	trajectories []trajectory
	free         int // weights that are not frozen

	gradient  []float64         // sum of A psi over decisions, older ones fading
	decisions float64           // decisions in it
	fisher    []float64         // sum of psi psi', lower triangle, of every eighth decision, older ones fading
	sampled   float64           // decisions in it
	seen      int64             // all decisions so far
	past      [][]float64       // theta of every eighth round
	begun     int64             // rounds
	average   optimiser.Average // of theta, a sample a round
	tally     online.Tally
}

// Constants of the method. What the gradient remembers is worth some twenty rounds;
// shorter memories left 288 weights of othello with more noise than gradient.
const (
	policyMomentum = 0.95 // of the gradient from round to round
	policyFading   = 0.9  // of F
	policyRidge    = 0.01 // added to F's diagonal, of its mean
	policyBaseline = 0.05 // V's step size, as TD's Alpha
	policySure     = 20   // theta'x of a won end
	policyPast     = 8    // rounds between the selves that are kept to play against
	policyStretch  = 4    // episodes that the other side plays by the same noise, half of them first
	policySkip     = 1e-4 // moves less probable than that are left out of psi
	policyWidest   = 2048 // weights: F is their square
)

var _ online.Learner = (*Learner)(nil)

// New makes a learner.
func New(c online.Task) (*Learner, error) {
	if err := check(&c); err != nil {
		return nil, err
	}
	n := len(c.Model.Weights)
	p := &Learner{
		cfg: c, scale: online.NewScale(&c), theta: c.Model.Clone(),
		gradient: make([]float64, n), fisher: make([]float64, n*n), average: optimiser.Average{Mean: make([]float64, n)},
	}
	p.theta.Bias = 0 // the same for all moves
	for i := range p.theta.Weights {
		p.theta.Weights[i] *= c.Sharp
	}
	p.critic = optimiser.NewWeights(&online.Task{Model: c.Model.Clone(), Frozen: c.Frozen, Training: features.Training{Alpha: policyBaseline}})
	frozen := make([]bool, n)
	p.free = n
	for _, i := range c.Frozen {
		if i != models.Bias {
			frozen[i] = true
			p.free--
		}
	}
	for range max(1, c.Workers) {
		p.actors = append(p.actors, newActor(&p.cfg, &p.scale, p.theta, frozen))
	}
	p.trajectories = make([]trajectory, 4*len(p.actors))
	return p, nil
}

// check finds a task that the method cannot learn.
func check(c *online.Task) error {
	if err := c.CheckOpposed("policy"); err != nil {
		return err
	}
	switch n := len(c.Model.Weights); {
	case c.Game != c.Game.Base() || c.Game.Players != 2:
		return fmt.Errorf("%s: policy wants a game of two, as it is", c.Game.Spec)
	case c.Leaves != "" && c.Leaves != c.Model.Leaves:
		return fmt.Errorf("leaves=%s: policy learns afterstates", c.Leaves)
	case c.Model.Link.Kind != models.Tanh && c.Model.Link.Kind != models.Logistic:
		return errors.New("policy wants a model with a link, logistic or tanh")
	case len(c.Model.Table) > 0 || n > policyWidest:
		return fmt.Errorf("%s: policy wants at most %d weights, none of them in tables", c.Model.Features, policyWidest)
	}
	return nil
}

// Advance implements [online.Learner].
func (p *Learner) Advance(ctx context.Context, from, to int) error {
	for e := from; e < to; e += p.cfg.Batch {
		end := min(e+p.cfg.Batch, to)
		if p.begun%policyPast == 0 {
			p.past = append(p.past, slices.Clone(p.theta.Weights))
		}
		p.begun++
		for _, w := range p.actors {
			w.begin(p.past)
		}
		for first := e; first < end; first += len(p.trajectories) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			trajectories := p.trajectories[:min(len(p.trajectories), end-first)]
			p.play(first, trajectories)
			for i := range trajectories {
				p.critic.Episode(first + i)
				p.learn(&trajectories[i])
			}
		}
		if err := p.step(e, end); err != nil {
			return err
		}
	}
	return nil
}

// play plays episodes side by side.
func (p *Learner) play(first int, trajectories []trajectory) {
	var wait sync.WaitGroup
	for k, w := range p.actors {
		wait.Go(func() {
			for i := k; i < len(trajectories); i += len(p.actors) {
				w.play(first+i, &trajectories[i])
			}
		})
	}
	wait.Wait()
}

// learn adds an episode to the round, and to the baseline.
func (p *Learner) learn(t *trajectory) {
	p.tally.Moves += int64(t.moves)
	p.tally.Ended(t.outcome)
	if t.outcome.Truncated {
		return
	}
	outcome, n := p.scale.Of(t.outcome.Utility), len(p.gradient)
	for k := range t.decisions {
		s := &t.decisions[k]
		s.value = p.scale.Value(p.critic.Model.Dot(t.terms[s.from:s.to]))
		advantage := (outcome - s.value) * float64(1-2*t.learner)
		psi := t.psi[k*n : k*n+n]
		for i, x := range psi {
			p.gradient[i] += float64(advantage * x)
		}
		p.decisions++
		if p.seen++; p.seen%8 == 0 {
			p.sampled++
			for i, x := range psi {
				if x != 0 {
					row := p.fisher[i*n : i*n+i+1]
					for j := range row {
						row[j] += float64(x * psi[j])
					}
				}
			}
		}
	}
	for _, s := range t.decisions {
		delta := outcome - s.value
		p.tally.Samples++
		p.tally.Errors += float64(delta * delta * p.scale.Unit() * p.scale.Unit())
		p.critic.Update(t.terms[s.from:s.to], delta*p.scale.Slope(s.value))
	}
}

// step moves the weights at the end of a round of episodes [from, to).
func (p *Learner) step(from, to int) error {
	n := len(p.gradient)
	if p.sampled > 0 {
		trace := 0.0
		for i := range n {
			trace += p.fisher[i*n+i]
		}
		f := make([]float64, n*n) // its lower triangle
		for i := range n {
			for j := range i {
				f[i*n+j] = p.fisher[i*n+j] / p.sampled
			}
			f[i*n+i] = (p.fisher[i*n+i] + policyRidge*trace/float64(max(1, p.free))) / p.sampled
		}
		g := make([]float64, n)
		for i, x := range p.gradient {
			g[i] = x / p.decisions
		}
		if l := numeric.Cholesky(f, n, 0); trace > 0 && len(l.Kept) == n {
			u := l.Solve(g)
			// Moving by c u changes a decision by c^2 u'Fu/2 nats, and u'Fu = u'g.
			alpha := p.cfg.StepSize(float64(from))
			if q := dense.Dot(u, g); q > 0 {
				for i := range n {
					p.theta.Weights[i] += float64(alpha / math.Sqrt(q) * u[i])
				}
			}
		}
	}
	fade(p.gradient, policyMomentum)
	fade(p.fisher, policyFading)
	p.decisions *= policyMomentum
	p.sampled *= policyFading
	if from := p.cfg.AverageFrom(); from >= 0 && to > from {
		p.average.Add(func(i int) float64 { return p.theta.Weights[i] })
	}
	if err := online.CheckWeights(p.critic.Model, &p.tally, p.cfg.Alpha); err != nil {
		return err
	}
	return online.CheckWeights(p.theta, &p.tally, p.cfg.Alpha)
}

func fade(xs []float64, by float64) {
	for i := range xs {
		xs[i] *= by
	}
}

// Model implements [online.Learner]. Its sums order moves; they are no estimate of what
// positions are worth. They are a quarter as long as the baseline's: divided by
// Sharp they grow with every round, until the link takes all good moves for
// certain wins and cannot tell them apart (an othello model that scored 80% so
// scored 28%, and at the baseline's full length 78%).
func (p *Learner) Model() *models.Linear {
	m := p.cfg.Model.Clone()
	m.Bias = 0
	weights := p.theta.Weights
	if p.average.Samples > 0 {
		weights = p.average.Mean
	}
	scale := 1 / p.cfg.Sharp
	if own, base := dense.Norm(weights), dense.Norm(p.critic.Model.Weights); own > 0 && base > 0 {
		scale = base / own / 4
	}
	for i, x := range weights {
		m.Weights[i] = x * scale
	}
	return m
}

// Tally implements [online.Learner].
func (p *Learner) Tally() online.Tally { return p.tally }

// Snapshot implements [online.Learner].
func (p *Learner) Snapshot(w io.Writer) error {
	e := online.NewEncoder(w)
	e.Tally(p.tally)
	e.Floats(p.theta.Weights)
	p.critic.Encode(e)
	e.Floats(p.gradient)
	e.Float(p.decisions)
	e.Floats(p.fisher)
	e.Float(p.sampled)
	e.Int(p.seen)
	e.Floats(p.average.Mean)
	e.Int(p.average.Samples)
	e.Int(p.begun)
	for _, weights := range p.past {
		e.Floats(weights)
	}
	return e.Err()
}

// Restore implements [online.Learner].
func (p *Learner) Restore(r io.Reader) error {
	d := online.NewDecoder(r)
	p.tally = d.Tally()
	d.Floats(p.theta.Weights)
	p.critic.Decode(d)
	d.Floats(p.gradient)
	p.decisions = d.Float()
	d.Floats(p.fisher)
	p.sampled = d.Float()
	p.seen = d.Int()
	d.Floats(p.average.Mean)
	p.average.Samples = d.Int()
	p.begun = d.Int()
	p.past = nil
	for i := int64(0); i < p.begun && !d.Failed(); i += policyPast {
		weights := make([]float64, len(p.average.Mean))
		d.Floats(weights)
		p.past = append(p.past, weights)
	}
	return d.Err()
}
