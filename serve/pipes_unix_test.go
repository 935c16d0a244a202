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
)

// Named pipes and folders in the place of files keep nobody: the list of runs is there,
// and the page of each such run says in one line what is wrong, or that it is no run.
func TestPipesInThePlaceOfFiles(t *testing.T) {
	runs, models := t.TempDir(), t.TempDir()
	within := func(names ...string) string {
		path := filepath.Join(append([]string{runs}, names...)...)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, pipe := range []string{
		within("pipe.jsonl"), within("training", logName), within("study", cellsName, "one.jsonl"), within("games", datasets.ManifestFile), within("told", reportName),
		filepath.Join(models, "model.json"),
	} {
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{within("folder.jsonl", "x"), within("logged", logName, "x")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
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
	for path, want := range map[string]string{
		"/run?name=training": "named pipe: want a regular file", "/run?name=study": "named pipe: want a regular file", "/run?name=games": "named pipe: want a regular file",
		"/run?name=logged": "folder: want a regular file",
	} {
		if text := v.want(path, nil); !strings.Contains(text, want) {
			t.Errorf("%s: %.2000s, want %q", path, text, want)
		}
	}
	for path, want := range map[string]string{
		"/run?name=pipe.jsonl": "no run", "/run?name=folder.jsonl": "no run", "/replay?name=pipe.jsonl": "no match", "/report?name=told": "no report",
		"/model?game=chess&name=" + url.QueryEscape(filepath.Join(models, "model.json")): "want a model file",
	} {
		if code, text, _ := v.ask(path, nil); code != http.StatusNotFound || !strings.Contains(text, want) {
			t.Errorf("%s: %d %.300s, want %q", path, code, text, want)
		}
	}
}
