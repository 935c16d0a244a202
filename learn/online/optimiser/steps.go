// Package optimiser moves the weights of a model while it learns: the step sizes,
// their decay, temporal coherence and averages that all online learners share.
//
//  1. A task's settings say how far the weights move; a step of [Descent] is by one of
//     several rules ([Adam] and its like).
//  2. [Weights] takes a step for each position, as temporal differences want it:
//     sparse, and in tables of millions of weights.
//  3. [Gradient] adds up what many positions say, from several workers in one order,
//     and [Descent] takes one step for all of them.
//  4. [Average] is the mean of the weights over time.
//
// All of them tell what they would go on with to an [online.Encoder].
package optimiser

import "math"

// Rules by which a weight moves by a gradient g: the Step of a task's settings.
const (
	// Plain is alpha g.
	Plain = "plain"
	// TC is alpha g times |sum of g|/sum of |g|, a step of its own for each weight: full
	// while its changes agree, less and less when they come and go (temporal coherence:
	// Beal and Smith, "Temporal coherence and prediction decay in TD learning", IJCAI
	// 1999; in this form Jaskowski, "Mastering 2048", 2016).
	TC = "tc"
	// AdaGrad is alpha g/sqrt(sum of g^2) (Duchi, Hazan and Singer 2011).
	AdaGrad = "adagrad"
	// Adam is alpha m/sqrt(v), m and v decaying means of g and g^2 (Kingma and
	// Ba 2015): about alpha where the samples agree, whatever a feature's units.
	Adam = "adam"
)

// coherence is the share of its step that TC leaves a weight whose changes so far have
// this sum and this sum of sizes. The change that it is to make joins them.
func coherence[F float32 | float64](sum, total *F, change float64) float64 {
	share := 1.0
	if *total > 0 {
		share = math.Abs(float64(*sum)) / float64(*total)
	}
	*sum += F(change)
	*total += F(math.Abs(change))
	return share
}
