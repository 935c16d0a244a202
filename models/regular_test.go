//go:build unix

package models

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"plyfit/internal/vectors"
)

// TestLoadRegularFiles checks that a named pipe or a directory in place of a model or its table is
// rejected immediately.
func TestLoadRegularFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.json")
	vectors.Check(example(true).File().Save(path))
	for _, file := range []string{strings.TrimSuffix(path, ".json") + ".weights", path} {
		for want, put := range map[string]func(string, uint32) error{
			"named pipe": syscall.Mkfifo, "folder": syscall.Mkdir,
		} {
			os.Remove(file)
			vectors.Check(put(file, 0o700))
			if _, err := Load(path); err == nil || !strings.HasPrefix(err.Error(), file+": ") || !strings.Contains(err.Error(), want) {
				t.Errorf("%s in the place of %s: %v", want, filepath.Base(file), err)
			}
		}
	}
}
