package tune

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"plyfit/arena"
	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/work"
)

// kept are the n openings of a file, which is made where it is missing or has fewer.
func kept(path string, g *game.Game, n int, make func() ([]string, error)) (list []string, err error) {
	err = work.Alone(filepath.Dir(path), func() error {
		if list, err = arena.ReadOpenings(path, g, nil); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if len(list) < n {
			if list, err = make(); err != nil {
				return err
			}
			err := disk.Write(path, func(w io.Writer) error {
				for _, p := range list {
					if _, err := fmt.Fprintln(w, p); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		list = list[:min(n, len(list))]
		return nil
	})
	return list, err
}
