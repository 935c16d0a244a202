package online

import "math"

// coherence is the share of its step that TC (temporal coherence: Beal and Smith, "Temporal
// coherence and prediction decay in TD learning", IJCAI 1999; in this form Jaskowski, "Mastering
// 2048", 2016) leaves a weight whose changes so far have this sum and this sum of sizes: all of it
// while they agree, less and less when they come and go. The change that it is to make joins them.
func coherence[F float32 | float64](sum, total *F, change float64) float64 {
	share := 1.0
	if *total > 0 {
		share = math.Abs(float64(*sum)) / float64(*total)
	}
	*sum += F(change)
	*total += F(math.Abs(change))
	return share
}
