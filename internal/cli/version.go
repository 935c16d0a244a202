package cli

import (
	"runtime"
	"runtime/debug"
	"strings"

	"plyfit/internal/program"
)

// version is what the binary was made of: its release, the commit where it is
// known, and Go. The time of the build is no part of it.
func version() string {
	parts := []string{program.Release()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				parts = append(parts, s.Value[:min(12, len(s.Value))])
			case s.Key == "vcs.modified" && s.Value == "true":
				parts = append(parts, "modified")
			}
		}
	}
	return strings.Join(append(parts, runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH), " ")
}
