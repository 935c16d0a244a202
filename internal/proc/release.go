package proc

import "runtime/debug"

// source is the release reported by a build from a clone without version information.
const source = "v0.3.0-source"

// release is set by .ci/release through the linker, for example to v0.3.0.
var release string

// Release returns the release that .ci/release built. Otherwise, it returns the module version
// recorded by the go command: the version given to go install, or the commit of a clone. Without
// either, it returns [source].
func Release() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return source
}
