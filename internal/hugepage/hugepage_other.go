//go:build !linux

package hugepage

// Ask asks for large pages under a table of at least so many bytes; this system is not
// asked.
func Ask[T any](table []T, least int) {}
