package study

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"plyfit/work"
)

// Merge adds the cells and seeds of the run folders from to those of dir, which
// need not be there, and returns how many cells dir has then. Cells of other code
// stay apart from each other. One of from may be dir.
func Merge(dir string, from []string) (cells int, err error) {
	for _, folder := range from {
		if _, err := os.Stat(filepath.Join(folder, "cells")); errors.Is(err, fs.ErrNotExist) {
			return 0, fmt.Errorf("%s: no run folder of a study: want one with cells in it", folder)
		} else if err != nil {
			return 0, err
		}
	}
	err = work.Alone(dir, func() error {
		for _, folder := range from {
			if err := mergeFolder(dir, folder); err != nil {
				return err
			}
		}
		paths, err := filepath.Glob(filepath.Join(escapeGlob(dir), "cells", "*", "*.jsonl"))
		if err != nil {
			return err
		}
		for _, path := range paths {
			keys, err := CellKeys(path)
			if err != nil {
				return err
			}
			cells += len(keys)
		}
		return nil
	})
	return cells, err
}

func mergeFolder(dir, from string) error {
	paths, err := filepath.Glob(filepath.Join(escapeGlob(from), "cells", "*", "*.jsonl"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		theirs, err := OpenStore(path)
		if err != nil {
			return err
		}
		code := filepath.Base(filepath.Dir(path))
		ours, err := OpenStore(filepath.Join(dir, "cells", code, filepath.Base(path)))
		if err != nil {
			return err
		}
		if err := ours.merge(theirs); err != nil {
			return err
		}
	}
	seeds, err := readLedger(ledgerPath(from))
	if err != nil {
		return err
	}
	for _, l := range seeds {
		if err := RecordSeeds(dir, l.By, l.Seed); err != nil {
			return err
		}
	}
	return nil
}
