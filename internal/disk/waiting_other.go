//go:build !unix

package disk

// withoutWaiting is 0 where opening a file never waits.
const withoutWaiting = 0
