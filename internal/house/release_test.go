package house

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"plyfit/internal/vectors"
)

// TestReleaseIsDeclaredOnce checks that CHANGELOG.md, the program and the Python package have the
// version in CITATION.cff, and that CHANGELOG.md also has the date.
func TestReleaseIsDeclaredOnce(t *testing.T) {
	read := func(name string) string {
		text := vectors.Must(os.ReadFile(filepath.Join(root, filepath.FromSlash(name))))
		return string(text)
	}
	citation := read("CITATION.cff")
	found := regexp.MustCompile(`(?m)^version: (\d+\.\d+\.\d+)\ndate-released: (\d{4}-\d\d-\d\d)$`).FindStringSubmatch(citation)
	if found == nil {
		t.Fatal("CITATION.cff: want lines version: N.N.N and date-released: YYYY-MM-DD")
	}
	version, date := found[1], found[2]
	if head := regexp.MustCompile(`(?m)^## (\d.*)$`).FindStringSubmatch(read("CHANGELOG.md")); head == nil || head[1] != version+" ("+date+")" {
		t.Errorf("CHANGELOG.md: the newest release is %q, want ## %s (%s)", head, version, date)
	}
	if declared := regexp.MustCompile(`(?m)^__version__ = "(.*)"$`).FindStringSubmatch(read("python/plyfit/__init__.py")); declared == nil || declared[1] != version {
		t.Errorf("python/plyfit/__init__.py: version %q, want %s", declared, version)
	}
	if told := regexp.MustCompile(`(?m)^const source = "v(.*)-source"$`).FindStringSubmatch(read("internal/proc/release.go")); told == nil || told[1] != version {
		t.Errorf("internal/proc/release.go: version %q, want %s", told, version)
	}
	for _, page := range []string{"README.md", "python/README.md"} {
		for _, told := range regexp.MustCompile(`plyfit-v?(\d+\.\d+\.\d+)-`).FindAllStringSubmatch(read(page), -1) {
			if told[1] != version {
				t.Errorf("%s names plyfit %s, want %s", page, told[1], version)
			}
		}
	}
}
