// Package reliability holds no code, only tests of what plyfit promises under strain.
//
// They treat the command badly and look at what it leaves: processes killed, files damaged, clocks
// that jump. docs/results/reliability.md has what they found. And they simulate, so that printed
// figures are what they say: 95% intervals contain the truth in 95 of 100 samples, sequential tests
// err as often as they promise, a held-out loss is that of fresh games. A simulation draws many
// samples from a known truth, has the shipped code work on each, and counts.
//
// Long forms, and all simulations, run with PLYFIT_LONG=1 go test -timeout 0.
package reliability
