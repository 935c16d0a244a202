package disk

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// ByEnding is the one of formats, which has them by the ending of a file's name (".csv"),
// that path is to be written in. A name that ends otherwise is an error with all endings.
func ByEnding[T any](path string, formats map[string]T) (T, error) {
	format, ok := formats[strings.ToLower(filepath.Ext(path))]
	if !ok {
		endings := slices.Sorted(maps.Keys(formats))
		last := len(endings) - 1
		return format, fmt.Errorf("%s: want a name that ends in %s or %s", path, strings.Join(endings[:last], ", "), endings[last])
	}
	return format, nil
}
