package calibration

import (
	"math"
	"testing"

	"plyfit/internal/vectors"
)

// samples is the number of samples to draw: short ones, or full ones in the long
// form.
func samples(short, full int) int {
	if vectors.Long() {
		return full
	}
	return short
}

// wantRate fails the test where a rate that was counted in n samples lies
// outside [low, high] by more than three of its standard errors, which is what
// chance explains.
func wantRate(t *testing.T, what string, count, n int, low, high float64) {
	t.Helper()
	rate := float64(count) / float64(n)
	t.Logf("%s: %.2f%% of %d", what, 100*rate, n)
	below, above := 3*math.Sqrt(low*(1-low)/float64(n)), 3*math.Sqrt(high*(1-high)/float64(n))
	if rate < low-below || rate > high+above {
		t.Errorf("%s: %.2f%% of %d, want %v%% to %v%%", what, 100*rate, n, 100*low, 100*high)
	}
}
