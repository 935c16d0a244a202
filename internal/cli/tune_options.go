package cli

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/datasets"
	"plyfit/internal/list"
	"plyfit/internal/report"
	"plyfit/internal/text"
	"plyfit/learn/fit"
	"plyfit/learn/tune"
)

func (a *App) tuneOptionsCommand() *cobra.Command {
	var o tune.Options
	var f raceFlags
	var m matchedFlags
	var widths, options string
	cmd := &cobra.Command{
		Use:   "options ENGINE -o DIR",
		Short: "Tune a UCI engine through its options, without its source code",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			o.Engine.Spec = args[0]
			if options != "" {
				o.Patterns = strings.Split(options, ",")
			}
			if o.Widths, err = readWidths(widths); err != nil {
				return err
			}
			if err := errors.Join(m.check(), f.read(cmd, &o.Race, o.Engine.File)); err != nil {
				return err
			}
			if o.World, err = a.Catalog.World(m.game); err != nil {
				return err
			}
			if _, err := o.World.Entrant(args[0], ""); err != nil {
				return err
			}
			var files []string
			if from := o.Positions; from != "" {
				for _, name := range []string{"", datasets.ManifestFile, filepath.Join(tune.GamesName, datasets.ManifestFile)} {
					if info, err := os.Stat(filepath.Join(from, name)); err == nil && !info.IsDir() {
						files = []string{filepath.Join(from, name)}
					}
				}
				if files == nil {
					return fmt.Errorf("--positions %s: want a file with positions or a folder written by plyfit tune selfplay", from)
				}
			}
			if o.Settings, err = resultInputs(cmd, files...); err != nil {
				return err
			}
			o.Settings["engine"] = args[0]
			o.Name, o.Book, o.Games.Book = "eval", m.book, m.book
			o.Fit = fit.Options{Integers: true, Penalty: fit.Determined, Scale: fit.Scale{Prior: true}, Seed: o.Seed, Workers: o.Workers}
			return race(a, cmd, &f, &o.Race, o.Run, a.printTuned)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&options, "options", "", "comma-separated option names, such as 'Material,King*' with a wildcard; default: all integer options")
	flags.StringVar(&o.Positions, "positions", "", "folder written by plyfit tune selfplay, or .pgn, .epd or .csv file with results; default: self-play")
	wholeFlag(cmd, &o.Games.Games, "games", "", 500, 1, "number of self-play games")
	wholeFlag(cmd, &o.Rows, "rows", "", 6000, 1, "maximum number of positions, sampled from all games")
	flags.StringVar(&widths, "widths", "25,50,100", "comma-separated widths of the prior, as percentages of each option's default")
	m.add(cmd)
	f.add(cmd, &o.Race, 50, &o.Engine.File, "weights.csv")
	runFlags(cmd, &o.Seed, &o.Workers)
	return cmd
}

func (a *App) printTuned(t *tune.Tuned) error {
	names := list.Map(t.Candidates, func(c *tune.Candidate) string { return c.Name })
	table := report.Table{Head: append([]string{"option", "now", "changed", "linear"}, names...)}
	var reasons []string
	out := map[string][]string{}
	for _, x := range t.Options {
		changed, linear := fmt.Sprintf("%.0f%%", 100*x.Changed), fmt.Sprintf("%.0f%%", 100*x.Linear)
		switch {
		case x.Out == "":
			line := []string{x.Name, fmt.Sprint(x.Now), changed, linear}
			for _, name := range names {
				line = append(line, fmt.Sprint(x.Values[name]))
			}
			table.Rows = append(table.Rows, line)
			continue
		case out[x.Out] == nil:
			reasons = append(reasons, x.Out)
		}
		name := x.Name
		if x.Changed > 0 {
			name += " (" + changed + ", " + linear + ")"
		}
		out[x.Out] = append(out[x.Out], name)
	}
	if err := a.printBlocks(table); err != nil {
		return err
	}
	skipped := ""
	for _, reason := range slices.Sorted(maps.Keys(t.Skipped)) {
		skipped += fmt.Sprintf("; without a score (%s): %d", reason, t.Skipped[reason])
	}
	notes := report.List{fmt.Sprintf("Used %s from %s%s; left out %d that do not lead to a quiet position, %d that are repeated within a game, and %d from unfinished games",
		text.Counted(t.Rows, "position"), text.Counted(t.Drawn.Records+t.Drawn.CutOff, "record"), skipped, t.Drawn.Noisy, t.Drawn.Repeated, t.Drawn.CutOff)}
	for _, reason := range reasons {
		notes = append(notes, reason+": "+strings.Join(out[reason], ", "))
	}
	if err := a.printBlocks(notes); err != nil {
		return err
	}
	if err := a.printRace(t.Outcome); err != nil {
		return err
	}
	return a.printf("%s\n", strings.Join(t.Set, "\n"))
}
