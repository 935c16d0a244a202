package cli

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/internal/disk"
	"plyfit/internal/progress"
	"plyfit/internal/protocol/uci"
	"plyfit/internal/text"
	"plyfit/learn/tune"
	"plyfit/selfplay"
)

// positionsName is the name of the positions file in the folder of tune selfplay.
const positionsName = "positions.csv"

func (a *App) tuneSelfplayCommand() *cobra.Command {
	var m matchedFlags
	var g tune.Games
	cmd := &cobra.Command{
		Use:   "selfplay ENGINE -o DIR",
		Short: "Let an engine play games against itself and write quiet positions",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := m.check(); err != nil {
				return err
			}
			w, err := a.Catalog.World(m.game)
			if err != nil {
				return err
			}
			if g.Dir == "" {
				return fmt.Errorf("--out: want a folder")
			}
			engine, err := w.Agent(args[0], catalog.AgentOptions{})
			if err != nil {
				return err
			}
			g.Game, g.Engine, g.Book = w.Game, engine.Factory, m.book
			return a.tuneSelfplay(cmd, w, g, m)
		},
	}
	m.add(cmd)
	outFlag(cmd, &g.Dir, "folder for the games and positions")
	wholeFlag(cmd, &g.Games, "games", "", 1000, 1, "total number of games; to add games, run the command again with a larger number")
	answerFlags(cmd, &m.asJSON, "print a summary as one JSON object", &m.quiet)
	runFlags(cmd, &g.Seed, &g.Workers)
	return cmd
}

func (a *App) tuneSelfplay(cmd *cobra.Command, w *catalog.World, g tune.Games, m matchedFlags) error {
	a.resumable.Store(true)
	book := progress.New(a.Stderr, "openings", int64(g.Games), m.quiet)
	g.Book.Progress = func(found int) { book.Set(int64(found)) }
	bar := progress.New(a.Stderr, "games of "+g.Engine.Name, int64(g.Games), m.quiet)
	g.Played = func(n int) { bar.Set(int64(n)) }
	manifest, err := g.Play(cmd.Context())
	book.Finish()
	bar.Finish()
	if err != nil {
		return runFailure(err)
	}
	e, err := w.Evaluation("")
	if err != nil {
		return err
	}
	set, err := datasets.Open(filepath.Join(g.Dir, tune.GamesName))
	if err != nil {
		return runFailure(err)
	}
	path := filepath.Join(g.Dir, positionsName)
	var written selfplay.Written
	err = disk.Write(path, func(out io.Writer) (err error) {
		written, err = selfplay.WritePositions(cmd.Context(), out, w.Game, e.New(), w.Game.Dialect(uci.Protocol).FEN, set.Records(), 0)
		return err
	})
	if err != nil {
		return runFailure(err)
	}
	if m.asJSON {
		return WriteJSON(a.Stdout, struct {
			selfplay.Written
			Games int    `json:"games"`
			File  string `json:"file"`
		}{written, manifest.Episodes, path})
	}
	return a.printf("%s: used %s from %s of %d games; left out %d that do not lead to a quiet position and %d that are repeated within a game\n",
		path, text.Counted(written.Rows, "position"), text.Counted(written.Records, "record"), manifest.Episodes, written.Noisy, written.Repeated)
}
