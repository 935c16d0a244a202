package tune

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"plyfit/arena"
	"plyfit/game"
	"plyfit/internal/atomicfile"
)

// kept are the n openings of a file, which is made where it is not there or has fewer.
func kept(path string, g *game.Game, n int, make func() ([]string, error)) ([]string, error) {
	list, err := arena.ReadOpenings(path, g)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if len(list) < n {
		if list, err = make(); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, err
		}
		err := atomicfile.Write(path, func(w io.Writer) error {
			for _, p := range list {
				if _, err := fmt.Fprintln(w, p); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return list[:min(n, len(list))], nil
}
