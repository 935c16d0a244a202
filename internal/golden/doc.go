// Package golden records results that must not change by accident: digests of the output of
// self-play, fits, online learning, the learning loop, exports and studies for one seed; nodes,
// values and moves of searches; and results of matches.
//
// Each file in testdata contains lines of the form "what: figures", so that a diff shows what has
// changed. After an intended change, the files must be updated and the change explained in the
// commit message:
//
//	go test ./internal/golden -update
//
// The lines must be the same for every build: GOAMD64=v1, GOAMD64=v3 and arm64. On some of these,
// the compiler may fuse a product and a sum unless the source rounds the product. With -short, only
// some of the lines are checked, for emulated machines.
package golden
