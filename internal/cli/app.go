package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/internal/proc"
	"plyfit/models"
	"plyfit/selfplay"
	"plyfit/study"
	"plyfit/study/ask"
	"plyfit/work"
)

// App is what every command needs.
type App struct {
	Catalog        catalog.Catalog
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	resumable atomic.Bool // the command at work keeps what it has finished
	forgetful atomic.Bool // it would with --out
	stopped   sync.Once   // that a signal has ended it is printed
}

// inWorld is the run of a command in the world that its first argument names.
func (a *App) inWorld(run func(cmd *cobra.Command, w *catalog.World, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		w, err := a.Catalog.World(args[0])
		if err != nil {
			return err
		}
		return run(cmd, w, args)
	}
}

// modelFile reads a model file, or a shipped model: GAME/handwritten, GAME/learned, GAME/best or
// GAME/NAME.
func (a *App) modelFile(name string) (*models.File, error) {
	for i := range a.Catalog {
		if f, ok, err := a.Catalog[i].LoadShipped(name); ok {
			return f, err
		}
	}
	f, err := models.Load(name)
	if errors.Is(err, fs.ErrNotExist) && filepath.Ext(name) == "" { // which no file of models is called, but what is shipped
		return nil, fmt.Errorf("%s: want a model file, or GAME/handwritten, GAME/learned or GAME/NAME where it is shipped: %w", name, fs.ErrNotExist)
	}
	return f, err
}

// recorded opens a data set, with the world that it is of.
func (a *App) recorded(dir string) (*datasets.Set, *catalog.World, error) {
	data, err := datasets.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	w, err := a.Catalog.Recorded(data.Game)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	return data, w, nil
}

// programName is the command that plays in a world: plyfit, or for a user's own game the program
// that has it.
func programName(w *catalog.World) string {
	if _, err := catalog.All().Entry(w.Entry.Name); err == nil {
		return "plyfit"
	}
	return strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
}

// Kinds are the kinds of jobs that a process with these games can do for others.
func Kinds(c catalog.Catalog) work.Kinds {
	return append(selfplay.Kinds(c.Unpack), arena.Kind(c.Unpack), study.Kind(c, ask.Find))
}

// version is the binary's release, commit if known, and Go version. The build time is no part of
// it.
func version() string {
	parts := []string{proc.Release()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				parts = append(parts, s.Value[:min(12, len(s.Value))])
			case s.Key == "vcs.modified" && s.Value == "true":
				parts = append(parts, "modified")
			}
		}
	}
	return strings.Join(append(parts, runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH), " ")
}
