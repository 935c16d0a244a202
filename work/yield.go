//go:build !js

package work

// Yield lets other work of this process go on, where it has one thread alone: in WebAssembly, which
// otherwise hears of no request and no timer before a computation ends. Elsewhere it does nothing.
func Yield() {}
