//go:build !linux

package proc

// HugePages does nothing on this system.
func HugePages[T any](table []T, least int, now bool) {}
