//go:build !linux

package proc

// HugePages asks for large pages under a table of at least so many bytes; this system is not
// asked.
func HugePages[T any](table []T, least int) {}
