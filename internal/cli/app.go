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

// App holds the catalog, the streams and the state that all commands share.
type App struct {
	Catalog        catalog.Catalog
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	resumable atomic.Bool // whether the running command saves finished work and can be resumed
	forgetful atomic.Bool // whether it would do so if --out were given
	stopped   sync.Once   // ensures that the interrupt message is printed only once
}

// inWorld returns a RunE function that calls run with the world named by the first argument.
func (a *App) inWorld(run func(cmd *cobra.Command, w *catalog.World, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		w, err := a.Catalog.World(args[0])
		if err != nil {
			return err
		}
		return run(cmd, w, args)
	}
}

// modelFile reads a model file or loads a shipped model. The name of a shipped model is
// GAME/handwritten, GAME/learned, GAME/best or GAME/NAME.
func (a *App) modelFile(name string) (*models.File, error) {
	for i := range a.Catalog {
		if f, ok, err := a.Catalog[i].LoadShipped(name); ok {
			return f, err
		}
	}
	f, err := models.Load(name)
	if errors.Is(err, fs.ErrNotExist) && filepath.Ext(name) == "" { // model files have an extension, so this must be the name of a shipped model
		return nil, fmt.Errorf("%s: want a model file or a shipped model (GAME/handwritten, GAME/learned or GAME/NAME): %w", name, fs.ErrNotExist)
	}
	return f, err
}

// recorded opens the data set in dir and returns it with the world in which it was recorded. If the
// rules of the game are in an external program, the parameter spec names it. Otherwise, spec is
// empty or the recorded game.
func (a *App) recorded(dir, spec string) (*datasets.Set, *catalog.World, error) {
	data, err := datasets.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	if spec != "" {
		w, err := a.Catalog.World(spec)
		if err == nil && w.Spec != data.Game {
			err = fmt.Errorf("--game %s: the data set %s is for %s, not %s", spec, dir, data.Game, w.Spec)
		}
		return data, w, err
	}
	w, err := a.Catalog.Recorded(data.Game)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	return data, w, nil
}

// recordedFlag adds --game for commands whose games come from data sets.
func recordedFlag(cmd *cobra.Command, spec *string) {
	cmd.Flags().StringVar(spec, "game", "", "game of the data set, required only for rules:cmd=(PROGRAM)")
}

// inCheckedWorld is like inWorld. If the rules of the game are in an external program, it checks
// them first.
func (a *App) inCheckedWorld(run func(cmd *cobra.Command, w *catalog.World, args []string) error) func(*cobra.Command, []string) error {
	return a.inWorld(func(cmd *cobra.Command, w *catalog.World, args []string) error {
		if r := w.Entry.Rules; r != nil {
			if err := r.Check(); err != nil {
				return err
			}
		}
		return run(cmd, w, args)
	})
}

// programName returns the name of the command that plays in w. This is plyfit for the games in the
// catalog, and the running program's name for a user's own game.
func programName(w *catalog.World) string {
	if _, err := catalog.All().Entry(w.Entry.Name); err == nil {
		return "plyfit"
	}
	return strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
}

// Kinds returns the kinds of cluster jobs that a process with the games in c can run.
func Kinds(c catalog.Catalog) work.Kinds {
	return append(selfplay.Kinds(c.Unpack), arena.Kind(c.Unpack), study.Kind(c, ask.Find))
}

// version returns the release, the commit if known, and the Go version and platform of the binary.
// It does not include the build time.
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
