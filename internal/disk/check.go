package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plyfit/internal/text"
)

// Check reports in advance what prevents a file at path: a missing folder, or a folder of that
// name. "" is valid.
func Check(path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s: is a folder: want the name of a file", path)
	}
	info, err := os.Stat(filepath.Dir(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no folder %s: want a name in one that is there", path, filepath.Dir(path))
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s: %s is not a folder", path, filepath.Dir(path))
	}
	return nil
}

// Within reports whether path, which exists, lies in a folder. Links are followed.
func Within(folder, path string) bool {
	for _, p := range []*string{&folder, &path} {
		real, err := filepath.EvalSymlinks(*p)
		if err != nil {
			return false
		}
		if *p, err = filepath.Abs(real); err != nil {
			return false
		}
	}
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// ByEnding is the format for path by its extension (".csv"). Another extension is an error that
// lists all.
func ByEnding[T any](path string, formats map[string]T) (T, error) {
	format, ok := formats[strings.ToLower(filepath.Ext(path))]
	if !ok {
		return format, fmt.Errorf("%s: want a name that ends in %s", path, text.Or(slices.Sorted(maps.Keys(formats))))
	}
	return format, nil
}
