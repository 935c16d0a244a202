package reliability

import (
	"math"
	"testing"

	"plyfit/internal/vectors"
)

// nightly skips a simulation unless PLYFIT_LONG is set. With fewer samples, it could not detect an
// error.
func nightly(t *testing.T) {
	t.Helper()
	if !vectors.Long() {
		t.Skip("simulates for minutes: set PLYFIT_LONG=1")
	}
}

// wantRate fails the test if a rate counted in n samples is outside [low, high] by more than three
// standard errors.
func wantRate(t *testing.T, what string, count, n int, low, high float64) {
	t.Helper()
	rate := float64(count) / float64(n)
	t.Logf("%s: %.2f%% of %d", what, 100*rate, n)
	below, above := 3*math.Sqrt(low*(1-low)/float64(n)), 3*math.Sqrt(high*(1-high)/float64(n))
	if rate < low-below || rate > high+above {
		t.Errorf("%s: %.2f%% of %d, want %v%% to %v%%", what, 100*rate, n, 100*low, 100*high)
	}
}
