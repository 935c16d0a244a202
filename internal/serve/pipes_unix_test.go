//go:build unix

package serve

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"plyfit/datasets"
	"plyfit/internal/vectors"
)

// TestPipesInThePlaceOfFiles checks that named pipes and folders in place of files do not block a
// request. The page must still list the runs and must report the problem.
func TestPipesInThePlaceOfFiles(t *testing.T) {
	runs, models := t.TempDir(), t.TempDir()
	within := func(names ...string) string {
		path := filepath.Join(append([]string{runs}, names...)...)
		vectors.Check(os.MkdirAll(filepath.Dir(path), 0o755))
		return path
	}
	for _, pipe := range []string{
		within("pipe.jsonl"), within("training", logName), within("study", cellsName, "one.jsonl"), within("games", datasets.ManifestFile), within("told", reportName),
		filepath.Join(models, "model.json"),
	} {
		vectors.Check(syscall.Mkfifo(pipe, 0o600))
	}
	for _, folder := range []string{within("folder.jsonl", "x"), within("logged", logName, "x")} {
		vectors.Check(os.MkdirAll(folder, 0o755))
	}
	v := visit(t, Config{Runs: runs, Limits: Limits{Models: models}})
	v.client.Timeout = 20 * time.Second
	v.want("/models", nil)
	list := v.want("/runs", nil)
	for _, name := range []string{"training", "study", "games", "told", "logged"} {
		if !strings.Contains(list, name) {
			t.Errorf("%s is not in the list", name)
		}
	}
	if got := strings.Count(list, "; want a regular file"); got != 3 {
		t.Errorf("%d runs report the problem, want 3: %s", got, list)
	}
	for path, want := range map[string]string{
		"/replay?name=pipe.jsonl": "no match", "/report?name=told": "no report",
		"/model?game=chess&name=" + url.QueryEscape(filepath.Join(models, "model.json")): "want a model file",
	} {
		if code, text, _ := v.ask(path, nil); code != http.StatusNotFound || !strings.Contains(text, want) {
			t.Errorf("%s: %d %.300s, want %q", path, code, text, want)
		}
	}
}
