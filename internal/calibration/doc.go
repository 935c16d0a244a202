// Package calibration holds simulations that keep the figures which plyfit
// prints to what they say: 95% intervals contain the truth in 95 of 100 samples,
// sequential tests err as often as they promise, a loss said to be held out is
// that of fresh games. It has no code but its tests.
//
// A simulation draws many samples from a known truth, has the shipped code work
// on each, and counts. It takes minutes:
//
//	PLYFIT_LONG=1 go test ./internal/calibration -timeout 2h
package calibration
