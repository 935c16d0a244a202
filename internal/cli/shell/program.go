package shell

import (
	"os"
	"path/filepath"
	"strings"

	"plyfit/catalog"
)

// Program is the command by which this program is called to play in a world: plyfit,
// but for games of one's own, which only the program that has them knows.
func Program(w *catalog.World) string {
	if _, err := catalog.All().Entry(w.Entry.Name); err == nil {
		return "plyfit"
	}
	return strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
}
