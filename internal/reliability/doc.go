// Package reliability holds no code, only tests that treat the plyfit command
// badly and look at what it leaves: processes killed, files damaged, disks full,
// clocks that jump. The short forms run with all tests; the long ones are asked for:
//
//	PLYFIT_LONG=1 go test ./internal/reliability -timeout 0
//
// docs/results/reliability.md tells what they found.
package reliability
