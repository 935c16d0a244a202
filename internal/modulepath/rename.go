package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

var moduleLine = regexp.MustCompile(`(?m)^module (\S+)$`)

// Rename has the modules in the folder root go by another path, and counts the files that
// it changed. Packages are told from other words by their rooms: of "plyfit/NAME" only
// those are changed whose NAME is a folder of the root, and not as parts of longer paths.
func Rename(root, path string) (changed int, err error) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return 0, err
	}
	found := moduleLine.FindSubmatch(mod)
	if found == nil {
		return 0, errors.New("go.mod has no line that begins with module")
	}
	old := string(found[1])
	if old == path {
		return 0, fmt.Errorf("the module is called %s already", path)
	}
	text, err := substitution(root, old, path)
	if err != nil {
		return 0, err
	}
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		before, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		after := before
		switch {
		case filepath.Ext(name) == ".pgo":
			after, err = profile(before, text)
		case utf8.Valid(before):
			after = text(before)
			if filepath.Ext(name) == ".go" && !bytes.Equal(before, after) {
				after, err = format.Source(after) // imports are sorted by path
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if bytes.Equal(before, after) {
			return nil
		}
		changed++
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(name, after, info.Mode().Perm())
	})
	return changed, err
}

// substitution is what turns a text from one path of the module to another.
func substitution(root, old, path string) (func([]byte) []byte, error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	var rooms []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			rooms = append(rooms, regexp.QuoteMeta(e.Name()))
		}
	}
	if len(rooms) == 0 {
		return nil, errors.New("no folders beside go.mod")
	}
	slices.Sort(rooms)
	from := regexp.QuoteMeta(old)
	to := strings.ReplaceAll(path, "$", "$$")
	// What stands before a name that is no part of a longer one.
	const alone = `(^|[^A-Za-z0-9_./~$@-])`
	packages := regexp.MustCompile(`(?m)` + alone + from + `(/(?:` + strings.Join(rooms, "|") + `)(?:[^A-Za-z0-9_-]|$))`)
	// Lines of go.mod, and the commands that edit one.
	modules := regexp.MustCompile(`(?m)(^module |^require |^replace |^\t|-replace )` + from + `($| v\d| =>|=)`)
	return func(text []byte) []byte {
		if !bytes.Contains(text, []byte(old)) {
			return text // most are, and models are long
		}
		text = packages.ReplaceAll(text, []byte("${1}"+to+"${2}"))
		return modules.ReplaceAll(text, []byte("${1}"+to+"${2}"))
	}, nil
}
