// Package reliability contains only tests, which check plyfit's guarantees under stress.
//
// Some tests disturb the command and check the files that it leaves: they kill processes, damage
// files and change the clock. docs/results/reliability.md reports the results. Other tests are
// simulations, which check the printed figures. For example, 95% intervals must contain the truth
// in about 95 of 100 samples, sequential tests must keep their error rates, and a held-out loss
// must agree with the loss on new games. A simulation draws many samples from a known truth, runs
// the shipped code on each, and counts.
//
// The long forms of the tests, and all simulations, run with PLYFIT_LONG=1 go test -timeout 0.
package reliability
