package proc

import (
	"reflect"
	"runtime/debug"
	"strings"
)

// source is what a build from a clone calls itself where the go command does not know.
const source = "v0.3.0-source"

// release is what .ci/release built this program as, such as v0.3.0; the linker sets it.
var release string

// Release is the version of the program: the release that it was built as, or what the go
// command tells of the main module, which is the version that go install took and, in a
// clone, the commit. Where it was not told of a commit, the version is [source].
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
