//go:build !unix

package disk

// withoutWaiting is 0 because opening a file never blocks on this system.
const withoutWaiting = 0
