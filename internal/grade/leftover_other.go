//go:build !linux

package grade

// endAll does nothing on this system. Use a sandbox instead.
func endAll(string) {}
