package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// TestStart walks the page of a release and those for a student's, a researcher's and a teacher's first ten
// minutes: their commands work in an empty folder, in their order, and print what stands below them.
// (An engine author's page is docs/tune.md, walked by TestPageTune; a hobbyist's is
// docs/tutorial/README.md, walked by TestDiceTutorial.)
func TestStart(t *testing.T) {
	if testing.Short() {
		t.Skip("learns, plays matches and studies")
	}
	for _, name := range []string{"start/begin", "grade"} {
		t.Run(name, func(t *testing.T) {
			page, err := os.ReadFile(filepath.FromSlash(name + ".md"))
			if err != nil {
				t.Fatal(err)
			}
			dir, walked := t.TempDir(), 0
			blocks := regexp.MustCompile("(?s)```sh\n(.*?)```(?:\n\n```text\n(.*?)```)?").FindAllStringSubmatch(string(page), -1)
			for _, b := range blocks {
				cmd := exec.Command("sh", "-e", "-c", b[1])
				cmd.Dir = dir
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%s%v\n%s", b[1], err, out)
				}
				if b[2] != "" && string(out) != b[2] {
					t.Errorf("%sprints\n%s\nthe page says\n%s", b[1], out, b[2])
				}
				walked++
			}
			if walked < 4 {
				t.Errorf("%d blocks of commands: want at least 4", walked)
			}
		})
	}
}
