package proc

import (
	"reflect"
	"runtime/debug"
	"strings"
)

// source is the release of a build from a clone without version information.
const source = "v0.3.0-source"

// release is set by .ci/release through the linker, such as v0.3.0.
var release string

// Release is the release that .ci/release built, or else the main module's version by the go
// command: that of go install, or in a clone the commit; without either it is [source].
func Release() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return source
}

type here struct{}

// Module is the path of plyfit's module, as go.mod has it.
func Module() string {
	return strings.TrimSuffix(reflect.TypeFor[here]().PkgPath(), "/internal/proc")
}
