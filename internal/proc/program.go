// Package proc identifies the running code ([Version], which distinguishes builds; [Release], for
// display; [Module], its import path), manages child programs and large pages, and marks errors as
// failures.
package proc

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"

	"plyfit/internal/disk"
)

// Version identifies the code by the first 12 digits of its commit, or by its release. For a build
// with uncommitted changes or without version control, it contains the program's digest:
// "COMMIT-dirty-DIGEST" or "build-DIGEST". Under go test, it is "test".
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

// executableDigest returns the digest of the running program. If the program cannot read its own
// file, it returns a name that contains the process ID.
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

// failure marks an error of a running command, such as a full disk or a crashed engine. The exit
// code then differs from the one for bad input. The two can be distinguished only where the error
// originates.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// Failure marks err as a failure and keeps its text. It returns nil if err is nil.
func Failure(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}

// Failed reports whether err, or an error that it wraps, is marked as a failure.
func Failed(err error) bool {
	var f failure
	return errors.As(err, &f)
}
