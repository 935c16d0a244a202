package cli

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"plyfit/datasets"
	"plyfit/datasets/intake"
	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/internal/settings"
	"plyfit/internal/text"
	"plyfit/learn/fit"
)

func (a *App) datasetExportCommand() *cobra.Command {
	var c fit.Options
	var out, format, world string
	exported := slices.DeleteFunc(settings.Of(&c), func(s settings.Setting) bool {
		return !slices.Contains([]string{"features", "label", "leaves"}, s.Name)
	})
	cmd := &cobra.Command{
		Use:   "export DIR -o FILE",
		Short: "Export the samples of a fit as CSV, or positions as EPD",
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "" && format != epd {
				return fmt.Errorf("--format %s: want %s; for a table, use a name that ends in .csv", format, epd)
			}
			positions := format == epd || filepath.Ext(out) == "."+epd
			if !positions && filepath.Ext(out) != ".csv" {
				return fmt.Errorf("--out %s: want a name that ends in .csv or .epd", out)
			}
			data, w, err := a.recorded(args[0], world)
			if err != nil {
				return err
			}
			if positions {
				if flag := changed(cmd, exported); flag != "" {
					return fmt.Errorf("--%s: applies only to tables; positions are written as recorded, with their results", flag)
				}
				return a.exportPositions(w.Game, data, out)
			}
			c.Leaves = cmp.Or(c.Leaves, w.Recipe().Leaves)
			rows, set, err := fit.Rows(cmd.Context(), w, data, c)
			if err != nil {
				return err
			}
			return runFailure(disk.Write(out, func(f io.Writer) error { return fit.WriteTable(cmd.Context(), f, set, rows) }))
		},
	}
	recordedFlag(cmd, &world)
	outFileFlag(cmd, &out, "file to write, with a name that ends in .csv or .epd")
	cmd.Flags().StringVar(&format, "format", "", "epd: write positions with results even if the file name does not end in .epd")
	bindFlags(cmd, exported, "")
	WorkersFlag(cmd, &c.Workers)
	return cmd
}

// epd is both the name and the file extension of a position format.
const epd = "epd"

// exportPositions writes the positions of a data set to the file out. It then prints the number of
// omitted positions.
func (a *App) exportPositions(g *game.Game, data *datasets.Set, out string) error {
	left := 0
	err := disk.Write(out, func(f io.Writer) (err error) {
		if left, err = intake.WriteEPD(f, g, data.In(g).Records()); err == nil && int64(left) == data.Manifest.Records {
			err = fmt.Errorf("%s: no positions to write, because all %d come from unfinished games", data.Dir, left)
		}
		return err
	})
	if err != nil {
		return runFailure(err)
	}
	if left > 0 {
		fmt.Fprintf(a.Stderr, "left out %s from unfinished games, which have no result\n", text.Counted(left, "position"))
	}
	return nil
}
