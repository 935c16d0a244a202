// Package proc has properties of the process: its code ([Version], which distinguishes builds;
// [Release], for people; [Module], its import path), CPU time, large pages, and the mark of errors
// that are failures.
package proc

import (
	"fmt"
	"os"
	"plyfit/internal/disk"
	"runtime/debug"
	"strings"
	"sync"
)

// Version identifies the code: the first 12 digits of its commit, or its release. For a build with
// uncommitted changes or without version control it includes the program's digest:
// "COMMIT-dirty-DIGEST", "build-DIGEST". Under go test it is "test".
var Version = sync.OnceValue(func() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return versionOf(info, executableDigest)
})

func versionOf(info *debug.BuildInfo, digest func() string) string {
	if strings.HasSuffix(info.Path, ".test") {
		return "test"
	}
	var revision string
	var modified bool
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	const digits = 12
	switch {
	case len(revision) >= digits && modified:
		return revision[:digits] + "-dirty-" + digest()
	case len(revision) >= digits:
		return revision[:digits]
	case info.Main.Version != "" && info.Main.Version != "(devel)":
		return info.Main.Version
	}
	return "build-" + digest()
}

// executableDigest is the running program's digest. A program that cannot read itself gets a unique
// name.
func executableDigest() string {
	path, err := os.Executable()
	if err == nil {
		path, err = disk.Digest(path)
	}
	if err != nil {
		return fmt.Sprintf("unknown-%d", os.Getpid())
	}
	return path[:12]
}
