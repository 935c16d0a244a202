//go:build !js

package work

// Yield lets other goroutines of this process run if it has only a single thread. This is the case
// in WebAssembly, where a long computation would otherwise delay requests and timers until it ends.
// On all other platforms, Yield does nothing.
func Yield() {}
