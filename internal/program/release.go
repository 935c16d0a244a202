package program

import (
	"reflect"
	"runtime/debug"
	"strings"
)

// release is what .ci/release built this program as, such as v0.3.0; the linker sets it.
var release string

// Release is the version of the program: the release that it was built as, or what the go
// command tells of the main module, which is the version that go install took.
func Release() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

type here struct{}

// Module is the path of plyfit's module, as go.mod has it. It stands nowhere else, so that
// internal/modulepath can change it.
func Module() string {
	return strings.TrimSuffix(reflect.TypeFor[here]().PkgPath(), "/internal/program")
}
