// Package proc is about the process: the code at work in it ([Version], so that what
// different builds made is not taken for one, [Release] for people, [Module] where others
// import it from), the time and the pages that the system gives it, and which errors end it
// as a failure.
package proc

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
)

// Version names the code that measures: the first 12 digits of the commit
// that it was built from, or its release where it is of one. Where neither is all of the truth, by changes that were not committed
// or a build that was not told, the program's own digest stands for it:
// "COMMIT-dirty-DIGEST" and "build-DIGEST". Under go test it is "test".
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

// executableDigest is that of the program at work. A program that cannot read
// itself gets a name that no other run has.
func executableDigest() string {
	h := sha256.New()
	path, err := os.Executable()
	if err == nil {
		var f *os.File
		if f, err = os.Open(path); err == nil {
			_, err = io.Copy(h, f)
			f.Close()
		}
	}
	if err != nil {
		return fmt.Sprintf("unknown-%d", os.Getpid())
	}
	return fmt.Sprintf("%x", h.Sum(nil))[:12]
}
