// Package golden writes down what must not move: the digests of what self-play,
// fits, online learning, the loop, exports and studies make from one seed, the
// nodes, values and moves of the searches, and the tallies of matches.
//
// Each file of testdata holds lines "what: figures", so that a diff tells what
// moved. Anyone who moves one on purpose rewrites them and says why:
//
//	go test ./internal/golden -update
//
// The same lines hold on every build: for GOAMD64=v1 and v3 and for arm64, where the compiler is
// free to fuse a product and a sum that the source does not round apart. With -short a part of the
// lines is checked, for machines that are emulated.
package golden
