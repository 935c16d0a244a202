package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/proc"
	"plyfit/internal/progress"
	"plyfit/internal/settings"
	"plyfit/learn/online"
	"plyfit/learn/train"
	"plyfit/work"
)

type trainFlags struct {
	train.Options
	out, against  string
	asJSON, quiet bool
}

func (a *App) trainCommand() *cobra.Command {
	var f trainFlags
	cmd := &cobra.Command{
		Use:   "train GAME -o MODEL",
		Short: "Learn during self-play: TD, TDLeaf, RootStrap, TreeStrap, evolution, CFR",
		RunE:  a.inCheckedWorld(func(cmd *cobra.Command, w *catalog.World, _ []string) error { return a.train(cmd, w, &f) }),
	}
	flags := cmd.Flags()
	outModelFlag(cmd, &f.out, "model file to write")
	bindFlags(cmd, settings.Of(&f.Options), "")
	flags.Lookup("method").Usage = strings.Join(train.Names(), ", ")
	flags.StringVar(&f.against, "against", "", "opponent for the learning curve; default: the planner with the hand-written evaluation, or random")
	answerFlags(cmd, &f.asJSON, "print the report as one JSON object", &f.quiet)
	runFlags(cmd, &f.Seed, &f.Workers)
	return cmd
}

func (a *App) train(cmd *cobra.Command, w *catalog.World, f *trainFlags) error {
	o, err := a.trainOptions(cmd, w, f)
	if err != nil {
		return err
	}
	bar := progress.New(a.Stderr, "games of "+w.Spec, int64(f.Episodes), f.quiet)
	bar.OnProgress(work.ProgressWriter(o.Dir))
	o.Progress = func(n int) { bar.Set(int64(n)) }
	o.Measured = func(point online.Point) {
		if f.quiet {
			return
		}
		table := online.CurveTable([]online.Point{point}, true)
		fmt.Fprintf(bar, "%s\n", pointLine(table.Head, table.Rows[0]))
	}
	a.resumable.Store(true)
	found, err := train.Run(cmd.Context(), w, o)
	bar.Finish()
	if err != nil {
		return runFailure(err)
	}
	r := found.Report
	if !f.quiet {
		fmt.Fprintf(a.Stderr, "played %d games in %.1f s at %.3g moves/s; the weights take up %.3g MB\n", r.Tally.Episodes, r.Seconds, r.Rate, float64(r.Bytes)/1e6)
	}
	if err := found.Model.File().Save(f.out); err != nil {
		return runFailure(err)
	}
	if f.asJSON {
		return WriteJSON(a.Stdout, trainAnswer{w.Spec, found.Set.Name(), o.Method, o.Seed, f.out, found.Recipe, r})
	}
	if err := online.CurveTable(r.Points, false).Print(a.Stdout); err != nil {
		return proc.Failure(err)
	}
	return a.printf("\nTrained %s by %s with %d games and %d moves.\nModel: %s\nReport: %s\n",
		w.Spec, o.Method, r.Tally.Episodes, r.Tally.Moves, f.out, filepath.Join(o.Dir, online.PageFile))
}

// trainOptions returns the game's default options, as modified by the given flags.
func (a *App) trainOptions(cmd *cobra.Command, w *catalog.World, f *trainFlags) (train.Options, error) {
	o, err := train.Defaults(w, features.Training{Method: f.Method, Set: f.Set})
	if err != nil {
		return o, err
	}
	if err := givenFlags(cmd, &f.Options, &o, o.Method); err != nil {
		return o, err
	}
	o.Seed, o.Workers = f.Seed, f.Workers
	if o.Init != "zero" && o.Init != train.Random {
		o.From = &train.Start{}
		if o.From.Set, o.From.Model, err = w.Model(o.Init); err != nil {
			return o, fmt.Errorf("init: %w", err)
		}
	}
	if f.against != "" && o.Curve.Pairs > 0 {
		if o.Curve.Against, err = w.Entrant(f.against, train.PlannerOf(w, o.Curve.Planner)); err != nil {
			return o, err
		}
	}
	o.Dir = cmp.Or(o.Dir, strings.TrimSuffix(f.out, filepath.Ext(f.out))+".train")
	o.Command = fmt.Sprintf("plyfit train %s -o MODEL%s --seed %d", w.Spec, repeatedFlags(cmd, &o.Training), o.Seed)
	return o, nil
}

type trainAnswer struct {
	Game     string              `json:"game"`
	Features string              `json:"features"`
	Method   string              `json:"method"`
	Seed     uint64              `json:"seed"`
	Model    string              `json:"model"`
	Recipe   []online.RecipeItem `json:"recipe"`
	*online.Report
}

// pointLine formats a point of the learning curve on one line.
func pointLine(head, row []string) string {
	var parts []string
	for i, name := range head {
		if row[i] != "" {
			parts = append(parts, name+" "+row[i])
		}
	}
	return strings.Join(parts, ", ")
}
