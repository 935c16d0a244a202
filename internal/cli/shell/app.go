// Package shell is what all commands share.
//
//  1. [App] is what a command is made from: the games, and where it reads and writes.
//
//  2. [Exactly], [WholeFlag], [SeedFlag] and their like read arguments and flags;
//     what they refuse is told in one line.
//
//  3. [Bind] makes flags of settings that stand in a struct; [Given] and [Repeated] read
//     them.
//
//  4. [WriteJSON] and the methods of App print results.
//
//  5. [RunFailure] tells what went wrong in a run from what was wrong with its input.
package shell

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync/atomic"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/models"
)

// App is what every command needs.
type App struct {
	Catalog        catalog.Catalog
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	Resumable atomic.Bool // the command at work keeps what it has finished
}

// InWorld is the run of a command in the world that its first argument names.
func (a *App) InWorld(run func(cmd *cobra.Command, w *catalog.World, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		w, err := a.Catalog.World(args[0])
		if err != nil {
			return err
		}
		return run(cmd, w, args)
	}
}

// ModelFile reads a model file, or a shipped one: GAME/handwritten, GAME/learned,
// GAME/best or GAME/NAME.
func (a *App) ModelFile(name string) (*models.File, error) {
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
