//go:build !linux

package grade

// endAll does nothing here: a sandbox does it.
func endAll(string) {}
