//go:build !linux

package grade

// endAll does nothing here; use a sandbox.
func endAll(string) {}
