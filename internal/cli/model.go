package cli

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/features/tuples"
	"plyfit/internal/disk"
	"plyfit/internal/proc"
	"plyfit/internal/terminal"
	"plyfit/models"
)

func (a *App) modelCommand() *cobra.Command {
	return Group("model", "Show, compare, test, score, copy, halve, calibrate and export models",
		a.modelShowCommand(), a.modelDiffCommand(), a.modelTestCommand(), a.modelScoreCommand(), a.modelCopyCommand(),
		a.modelHalveCommand(), a.modelCalibrateCommand(), a.modelExportCommand())
}

func (a *App) modelShowCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show MODEL",
		Short: "Show the weights of a model and their provenance",
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := a.modelFile(args[0])
			if err != nil {
				return err
			}
			if asJSON {
				data, err := f.Bytes()
				if err != nil {
					return err
				}
				_, err = a.Stdout.Write(data)
				return proc.Failure(err)
			}
			return terminal.PrintModel(a.Stdout, f)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the model file")
	return cmd
}

func (a *App) modelDiffCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two models of a game, term by term",
		RunE: func(cmd *cobra.Command, args []string) error {
			fa, err := a.modelFile(args[0])
			if err != nil {
				return err
			}
			fb, err := a.modelFile(args[1])
			if err != nil {
				return err
			}
			d, err := models.Diff(fa, fb)
			if err != nil {
				return err
			}
			if asJSON {
				return WriteJSON(a.Stdout, d)
			}
			return terminal.PrintDifference(a.Stdout, d)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (a *App) modelCopyCommand() *cobra.Command {
	return a.modelFrom(&cobra.Command{
		Use:   "copy MODEL -o FILE",
		Short: "Copy a model and its tables",
	}, func(m *models.File) (*models.File, error) { return m, nil })
}

func (a *App) modelHalveCommand() *cobra.Command {
	return a.modelFrom(&cobra.Command{
		Use:   "halve MODEL -o FILE",
		Short: "Convert the tables of a model to 16-bit weights",
	}, (*models.File).Halved)
}

// modelFrom completes cmd so that it reads the model in its argument and writes the result of
// derive.
func (a *App) modelFrom(cmd *cobra.Command, derive func(*models.File) (*models.File, error)) *cobra.Command {
	var out string
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		m, err := a.modelFile(args[0])
		if err != nil {
			return err
		}
		if m, err = derive(m); err != nil {
			return err
		}
		return runFailure(m.Save(out))
	}
	outModelFlag(cmd, &out, "model file to write")
	return cmd
}

func (a *App) modelExportCommand() *cobra.Command {
	var format, out, variant string
	cmd := &cobra.Command{
		Use:   "export MODEL -o FILE",
		Short: "Export a model as JSON, CSV, Go, C, Python or JavaScript",
		RunE: func(cmd *cobra.Command, args []string) error {
			write, err := exportFormat(format, out)
			if err != nil {
				return err
			}
			if err := disk.Check(out); err != nil {
				return err
			}
			w, set, m, err := a.bound(args[0], variant)
			if err != nil {
				return err
			}
			e := &models.Export{Model: m, Min: w.Base().Min, Max: w.Base().Max, Path: out, Board: tuples.Board(w.Base(), set)}
			if out == "" {
				if len(m.Table) > 0 && (format == "py" || format == "js") {
					return fmt.Errorf("--format %s: want -o FILE, because the weights of the tables of %s are in a second file", format, args[0])
				}
				return proc.Failure(write(e, a.Stdout))
			}
			return runFailure(disk.Write(out, func(w io.Writer) error { return write(e, w) }))
		},
	}
	cmd.Flags().StringVarP(&format, "format", "f", "", "format: json, csv, go, c, py or js; default: taken from the name of -o, or json")
	cmd.Flags().StringVarP(&out, "out", "o", "", "file to write; default: standard output")
	cmd.Flags().StringVar(&variant, "game", "", "game and options that the model was made for; default: the standard game")
	return cmd
}

// exportFormat returns the writer for the named export format. If name is empty, the extension of
// path selects the format.
func exportFormat(name, path string) (func(*models.Export, io.Writer) error, error) {
	switch write, ok := models.ExportFormats["."+name]; {
	case ok && name != "h":
		return write, nil
	case name != "":
		return nil, fmt.Errorf("--format %q: want json, csv, go, c, py or js", name)
	case path == "":
		return (*models.Export).JSON, nil
	}
	write, err := disk.ByEnding(path, models.ExportFormats)
	if err != nil {
		err = fmt.Errorf("%w, or --format", err)
	}
	return write, err
}

// bound loads a model and binds it to its game and feature set. If variant is empty, the game is
// that of the model file.
func (a *App) bound(name, variant string) (*catalog.World, features.Set, *models.Linear, error) {
	f, err := a.modelFile(name)
	if err != nil {
		return nil, nil, nil, err
	}
	variant = cmp.Or(variant, f.Game)
	w, err := a.Catalog.World(variant)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("model %s: %w", name, err)
	}
	set, m, err := w.Bind(name, f)
	return w, set, m, err
}
