package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"sort"

	"github.com/spf13/cobra"

	"plyfit/internal/atomicfile"
	"plyfit/internal/failure"
	"plyfit/models"
	"plyfit/report"
)

func (a *app) modelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "Show, compare, average, calibrate and export models",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.modelShowCommand(), a.modelDiffCommand(), a.modelMeanCommand(), a.modelCalibrateCommand(), a.modelExportCommand())
	return cmd
}

// modelFile reads a model file, or GAME/handwritten and GAME/learned, the
// shipped ones.
func (a *app) modelFile(name string) (*models.File, error) {
	for i := range a.catalog {
		e := &a.catalog[i]
		for _, kind := range []string{"handwritten", "learned"} {
			if name == e.Name+"/"+kind && e.Ships(kind) {
				return models.LoadFS(e.Models, kind+"/"+e.Name+".json")
			}
		}
	}
	f, err := models.Load(name)
	if errors.Is(err, fs.ErrNotExist) && filepath.Ext(name) == "" { // which no file of models is called, but what is shipped
		return nil, fmt.Errorf("%s: want a model file, or GAME/handwritten or GAME/learned where it is shipped: %w", name, fs.ErrNotExist)
	}
	return f, err
}

func (a *app) modelShowCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show MODEL",
		Short: "Show the weights of a model and their provenance",
		Long:  "Show the weights of a model and their provenance. MODEL is a file, or GAME/handwritten or GAME/learned.",
		Args:  exactly("MODEL"),
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
				_, err = a.stdout.Write(data)
				return failure.Of(err)
			}
			return a.printModel(f)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the model file itself")
	return cmd
}

func (a *app) printModel(f *models.File) error {
	scale := f.Link.Scale
	if scale == 0 {
		scale = 1
	}
	fmt.Fprintf(a.stdout, "game      %s\nfeatures  %s\nlink      %s", f.Game, f.Features, f.Link.Kind)
	if f.Link.Bounded() {
		fmt.Fprintf(a.stdout, " (scale %.6g)", scale)
	}
	fmt.Fprintf(a.stdout, "\nbias      %.6g\n", f.Bias)
	if p := f.Provenance; p != nil {
		fmt.Fprintf(a.stdout, "made by   %s\n          %s on %d rows of %d episodes, data set %.12s, seed %d\n", p.Command, p.Method, p.Rows, p.Episodes, p.Data, p.Seed)
		keys := make([]string, 0, len(p.HeldOut))
		for k := range p.HeldOut {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			fmt.Fprintf(a.stdout, "held out  %s %.6g\n", k, p.HeldOut[k])
		}
	}
	t := report.Table{Head: []string{"term", "weight", "standard error"}}
	for _, w := range f.Terms {
		se := ""
		if !math.IsNaN(w.Error) {
			se = fmt.Sprintf("%.3g", w.Error)
		}
		t.Rows = append(t.Rows, []string{w.Name, fmt.Sprintf("%.6g", w.Weight), se})
	}
	fmt.Fprintln(a.stdout)
	if err := t.Print(a.stdout); err != nil {
		return failure.Of(err)
	}
	for _, b := range f.TableBlocks {
		if _, err := fmt.Fprintf(a.stdout, "table %s: %d weights\n", b.Name, b.Len); err != nil {
			return failure.Of(err)
		}
	}
	return nil
}

func (a *app) modelDiffCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two models, term by term",
		Args:  exactly("A", "B"),
		RunE: func(cmd *cobra.Command, args []string) error {
			fa, err := a.modelFile(args[0])
			if err != nil {
				return err
			}
			fb, err := a.modelFile(args[1])
			if err != nil {
				return err
			}
			d := models.Diff(fa, fb)
			if asJSON {
				return writeJSON(a.stdout, d)
			}
			return a.printDifference(d)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return cmd
}

func (a *app) modelMeanCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "mean MODEL MODEL... -o FILE",
		Short: "Average the weights of several models",
		Long: `Write the model whose weights are the means of those of others with the same game,
features and link. The mean of several seeds of a noisy learner is often better
than any of them.`,
		Example: `  plyfit model mean seed-1.json seed-2.json seed-3.json -o mean.json`,
		Args:    atLeast("MODEL", "MODEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := atomicfile.Check(out); err != nil {
				return err
			}
			var files []*models.File
			for _, name := range args {
				f, err := a.modelFile(name)
				if err != nil {
					return err
				}
				files = append(files, f)
			}
			m, err := models.Mean(files...)
			if err != nil {
				return err
			}
			return runFailure(m.Save(out))
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "model file to write")
	cmd.MarkFlagRequired("out")
	return cmd
}

func (a *app) modelExportCommand() *cobra.Command {
	var format, out, variant string
	cmd := &cobra.Command{
		Use:   "export MODEL --format FORMAT",
		Short: "Write a model for other programs: json, csv, go, c, onnx",
		Long: `Write a model for other programs. A model file names its game without options. If
it was made for a variant, --game says which, since the variant determines the
utilities that the link spans, and may determine the features.`,
		Example: `  plyfit model export connect4/learned --format c -o connect4.h
  plyfit model export mine.json --format onnx -o mine.onnx --game connect4:score=distance`,
		Args: exactly("MODEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, ok := map[string]func(*models.Export, io.Writer) error{
				"json": (*models.Export).JSON, "csv": (*models.Export).CSV, "go": (*models.Export).Go,
				"c": (*models.Export).C, "onnx": (*models.Export).ONNX,
			}[format]
			if !ok {
				return fmt.Errorf("--format %q: want json, csv, go, c or onnx", format)
			}
			if err := atomicfile.Check(out); err != nil {
				return err
			}
			e, err := a.export(args[0], variant)
			if err != nil {
				return err
			}
			if out == "" {
				return failure.Of(write(e, a.stdout))
			}
			return runFailure(atomicfile.Write(out, func(w io.Writer) error { return write(e, w) }))
		},
	}
	cmd.Flags().StringVarP(&format, "format", "f", "json", "json, csv, go, c or onnx")
	cmd.Flags().StringVarP(&out, "out", "o", "", "file to write; standard output without it")
	cmd.Flags().StringVar(&variant, "game", "", "the game with the options that the model was made for; default: the game as it is")
	return cmd
}

// export joins a model to its game, "" the one that it names, whose bounds the
// link spans.
func (a *app) export(name, variant string) (*models.Export, error) {
	f, err := a.modelFile(name)
	if err != nil {
		return nil, err
	}
	if variant == "" {
		variant = f.Game
	}
	w, err := a.catalog.World(variant)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	_, m, err := w.Bind(name, f)
	if err != nil {
		return nil, err
	}
	return &models.Export{Model: m, Min: w.Base().Min, Max: w.Base().Max}, nil
}

func (a *app) printDifference(d models.Difference) error {
	for _, h := range d.Head {
		fmt.Fprintf(a.stdout, "%s: %s, %s\n", h.Key, h.A, h.B)
	}
	t := report.Table{Head: []string{"term", "A", "B", "B - A", "in standard errors"}}
	cell := func(x float64, there bool) string {
		if !there {
			return "-"
		}
		return fmt.Sprintf("%.6g", x)
	}
	for _, d := range d.Terms {
		z := ""
		if d.Z != 0 {
			z = fmt.Sprintf("%.1f", d.Z)
		}
		t.Rows = append(t.Rows, []string{d.Name, cell(d.A, d.InA), cell(d.B, d.InB), fmt.Sprintf("%.6g", d.B-d.A), z})
	}
	for _, d := range d.Tables {
		t.Rows = append(t.Rows, []string{"table " + d.Name, "", "", fmt.Sprintf("%d weights differ, root mean square %.6g", d.Changed, d.RMS), ""})
	}
	for _, h := range d.Head {
		if h.Key == "link" || h.Key == "scale" {
			t.Caption = "The links differ, so the weights stand in different units: compare what they are to each other within a model, not B with A."
		}
	}
	if err := t.Print(a.stdout); err != nil || t.Caption == "" {
		return failure.Of(err)
	}
	_, err := fmt.Fprintln(a.stdout, t.Caption)
	return failure.Of(err)
}
