// Package optimiser moves the weights of a model while it learns: the step sizes,
// their decay, temporal coherence and averages that all online learners share.
//
//  1. A task's settings say how far the weights move.
//  2. [Weights] takes a step for each position, as temporal differences want it:
//     sparse, and in tables of millions of weights.
//  3. [Gradient] adds up what many positions say, from several workers in one order,
//     and [Descent] takes one step for all of them.
//  4. [Average] is the mean of the weights over time.
//
// All of them tell what they would go on with to an [online.Encoder].
package optimiser

import "math"

// coherence is the share of its step that TC (temporal coherence: Beal and Smith, "Temporal
// coherence and prediction decay in TD learning", IJCAI 1999; in this form Jaskowski,
// "Mastering 2048", 2016) leaves a weight whose changes so far have this sum and this sum
// of sizes: all of it while they agree, less and less when they come and go. The change
// that it is to make joins them.
func coherence[F float32 | float64](sum, total *F, change float64) float64 {
	share := 1.0
	if *total > 0 {
		share = math.Abs(float64(*sum)) / float64(*total)
	}
	*sum += F(change)
	*total += F(math.Abs(change))
	return share
}
