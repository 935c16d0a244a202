//go:build !unix

package disk

// withoutWaiting is nothing where no path of a file leads to a named pipe that waits.
const withoutWaiting = 0
