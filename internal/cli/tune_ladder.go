package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/internal/settings"
	"plyfit/internal/spec"
	"plyfit/learn/tune"
	"plyfit/models"
)

type ladderFlags struct {
	raceFlags
	fit    fitFlags
	match  matchedFlags
	widths string
}

func (a *App) tuneLadderCommand() *cobra.Command {
	var f ladderFlags
	var l tune.Ladder
	cmd := &cobra.Command{
		Use:   "ladder TABLE ENGINE --start WEIGHTS -o DIR",
		Short: "Fit weights with several widths of the prior and select one by matches",
		RunE: func(cmd *cobra.Command, args []string) error {
			l.Engine.Spec = args[1]
			if err := f.read(cmd, &l); err != nil {
				return err
			}
			var err error
			if l.World, err = a.Catalog.World(f.match.game); err != nil {
				return err
			}
			if l.Table, err = f.fit.columns(cmd.Context(), args[0], false); err != nil {
				return err
			}
			files := slices.DeleteFunc([]string{f.fit.Start, f.fit.Fit.PriorName}, func(path string) bool { return path == "" || path == "none" })
			if l.Settings, err = resultInputs(cmd, files...); err != nil {
				return err
			}
			l.Settings["table"], l.Settings["engine"] = l.Table.Digest, args[1]
			l.Fit, l.Name, l.Seed, l.Workers = f.fit.Fit, f.fit.Name, f.fit.Fit.Seed, f.fit.Fit.Workers
			return race(a, cmd, &f.raceFlags, &l.Race, l.Run, a.printRace)
		},
	}
	f.fit.bind(cmd, slices.DeleteFunc(settings.Of(&f.fit), func(s settings.Setting) bool {
		return s.For() == forGame || s.Name == "prior-width" // set by the ladder itself
	}), "")
	flags := cmd.Flags()
	f.match.add(cmd)
	f.raceFlags.add(cmd, &l.Race, 50, &l.Engine.File, "weights.h")
	flags.Lookup("scale").Usage = "link scale: a number, or the word start to fit the scale to the starting weights; default: start"
	flags.StringVar(&l.Engine.Build, "build", "", "command that builds ENGINE's program, with {} for the weight file, such as make WEIGHTS={}")
	flags.StringVar(&f.widths, "widths", "3,6,12,25,50", "comma-separated widths of the prior")
	return cmd
}

func (f *ladderFlags) read(cmd *cobra.Command, l *tune.Ladder) error {
	if f.fit.Start == "" {
		return errors.New("--start: want a .csv or .json file with the engine's current weights")
	}
	if f.fit.Scale == "" { // without this, a narrow prior would mainly limit the scale
		f.fit.Scale = "start"
	}
	if err := f.match.check(); err != nil {
		return err
	}
	l.Book = f.match.book
	var err error
	if l.Widths, err = readWidths(f.widths); err != nil {
		return err
	}
	return cmp.Or(f.raceFlags.read(cmd, &l.Race, l.Engine.File), models.CheckWeights(l.Engine.File, f.fit.Name))
}

func readWidths(text string) (list []float64, err error) {
	for _, word := range strings.Split(text, ",") {
		width, ok := spec.Decimal(strings.TrimSpace(word))
		if !ok || width <= 0 {
			return nil, fmt.Errorf("--widths %s: want comma-separated numbers above 0", text)
		}
		list = append(list, width)
	}
	return list, nil
}
