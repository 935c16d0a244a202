package cli

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// version is what the binary was made of: the module's version, the commit where it is
// known, and Go. The time of the build is no part of it.
func version() string {
	parts := []string{"unknown"}
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			parts[0] = info.Main.Version
		}
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
