//go:build !linux

package optimiser

// hugePages asks for large pages; this system is not asked.
func hugePages[T any]([]T) {}
