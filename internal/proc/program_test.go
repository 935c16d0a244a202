package proc

import (
	"runtime/debug"
	"testing"
)

func TestCodeVersion(t *testing.T) {
	digest := func() string { return "0123abcd" }
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "89abcdef0123456789abcdef"}
	for want, info := range map[string]*debug.BuildInfo{
		"test":                        {Path: "plyfit/internal/proc.test", Settings: []debug.BuildSetting{revision}},
		"89abcdef0123":                {Path: "plyfit/cmd/plyfit", Settings: []debug.BuildSetting{revision, {Key: "vcs.modified", Value: "false"}}},
		"89abcdef0123-dirty-0123abcd": {Path: "plyfit/cmd/plyfit", Settings: []debug.BuildSetting{revision, {Key: "vcs.modified", Value: "true"}}},
		"v1.2.3":                      {Path: "plyfit/cmd/plyfit", Main: debug.Module{Version: "v1.2.3"}},
		"build-0123abcd":              {Path: "plyfit/cmd/plyfit", Main: debug.Module{Version: "(devel)"}},
	} {
		if got := versionOf(info, digest); got != want {
			t.Errorf("version %q, want %q", got, want)
		}
	}
	if got := Version(); got != "test" {
		t.Errorf("under go test: version %q, want test", got)
	}
	if a, b := executableDigest(), executableDigest(); a != b || len(a) != 12 {
		t.Errorf("digests of one program: %q and %q", a, b)
	}
}
