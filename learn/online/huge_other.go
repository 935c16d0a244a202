//go:build !linux

package online

// hugePages asks for large pages; this system is not asked.
func hugePages([]float32) {}
