package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plyfit/internal/proc"
	"plyfit/internal/report"
	"plyfit/internal/spec"
	"plyfit/study"
	"plyfit/study/ask"
	"plyfit/study/evaluation"
)

func (a *App) studyCommand() *cobra.Command {
	s := &study.Session{Catalog: a.Catalog, Log: a.Stderr}
	var quick, full, asJSON bool
	var form report.Format
	var warps, depths, slips, assumed []string
	cmd := &cobra.Command{
		Use:   "study NAME|all",
		Short: "Measure how much the quality of an evaluation matters to minimax and expectimax",
		RunE: func(cmd *cobra.Command, args []string) error {
			list := ask.All()
			if args[0] != "all" {
				e, err := ask.Find(args[0])
				if err != nil {
					return err
				}
				list = []study.Experiment{e}
			}
			s.Effort = study.Default
			switch {
			case quick:
				s.Effort = study.Quick
			case full:
				s.Effort = study.Full
			}
			if err := readOverrides(&s.Over, cmd.Flags().Changed("error"), warps, depths, slips, assumed); err != nil {
				return err
			}
			if names := s.Over.Changed(); args[0] == "all" && len(names) > 0 {
				return fmt.Errorf("study all: does not accept --%s; name one experiment", names[0])
			}
			s.Dir = cmp.Or(s.Dir, filepath.Join("runs", fmt.Sprintf("study-%s-%s-%d", args[0], s.Effort, s.Seed)))
			a.resumable.Store(true)
			r, err := study.RunAll(cmd.Context(), s, list, againCommand(cmd, args[0]))
			if err != nil {
				return runFailure(err)
			}
			switch {
			case asJSON:
				return WriteJSON(a.Stdout, studyAnswer(r, s.Dir))
			case form != "":
				var tables []report.Table
				for _, f := range r.Results {
					tables = append(tables, f.Tables...)
				}
				return proc.Failure(report.WriteTables(a.Stdout, form, tables...))
			}
			if err := a.printBlocks(r.Verdicts()...); err != nil {
				return err
			}
			return a.printf("Seed: %d\nReport: %s\n", r.Seed, filepath.Join(s.Dir, "report.html"))
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&quick, "quick", false, "short run (minutes) with wide intervals")
	flags.BoolVar(&full, "full", false, "long run (hours) with narrow intervals")
	cmd.MarkFlagsMutuallyExclusive("quick", "full")
	flags.StringVarP(&s.Dir, "out", "o", "", "run folder; default: runs/study-NAME-SETTING-SEED")
	flags.StringArrayVar(&s.Over.Games, "game", nil, "game without +slip; repeat the flag for several games")
	flags.StringVar(&s.Over.Eval, "eval", "", "evaluation: handwritten, learned or a model file")
	flags.StringSliceVar(&warps, "warp", nil, "warps: sqrt, cube, ranks, power:A, tanh:C, exp:C")
	flags.StringVar(&s.Over.Feature, "feature", "", "feature to underweight")
	flags.StringSliceVar(&depths, "depth", nil, "search depths, in decisions")
	flags.StringSliceVar(&slips, "slip", nil, "probabilities of a slip; 0: none")
	flags.StringSliceVar(&assumed, "assume", nil, "slip probabilities that planners assume instead of the game's probability; 0: minimax")
	flags.Float64Var(&s.Over.Error, "error", 0, "common size of all errors, as a fraction of half the utility range")
	wholeFlag(cmd, &s.Over.Pairs, "pairs", "", 0, 1, "pairs of games per cell; default: set by --quick or --full")
	answerFlags(cmd, &asJSON, "print the verdicts as one JSON object", &s.Quiet)
	tableFlag(cmd, &form)
	runFlags(cmd, &s.Seed, &s.Workers)
	cmd.AddCommand(a.confirmCommand())
	return cmd
}

func readOverrides(o *study.Overrides, errorGiven bool, warps, depths, slips, assumed []string) error {
	for _, w := range warps {
		if _, err := evaluation.ParseWarp(w); err != nil {
			return fmt.Errorf("--warp: %w", err)
		}
	}
	o.Warps = warps
	for _, d := range depths {
		n, err := spec.Number(d)
		if err != nil || n != float64(int(n)) || n < 1 || n > 12 {
			return fmt.Errorf("--depth %s: want whole numbers of decisions from 1 to 12", d)
		}
		o.Depths = append(o.Depths, int(n))
	}
	for _, list := range []struct {
		flag  string
		texts []string
		to    *[]float64
	}{{"slip", slips, &o.Slips}, {"assume", assumed, &o.Assume}} {
		for _, p := range list.texts {
			x, err := spec.Number(p)
			if err != nil || x < 0 || x > 1 {
				return fmt.Errorf("--%s %s: want probabilities from 0 to 1", list.flag, p)
			}
			*list.to = append(*list.to, x)
		}
	}
	if errorGiven && !(o.Error > 0 && o.Error < 1) {
		return fmt.Errorf("--error %v: want a number above 0 and below 1", o.Error)
	}
	return nil
}

// againCommand returns a command that repeats the run on any machine.
func againCommand(cmd *cobra.Command, name string) string {
	text := "plyfit study " + name
	for _, flag := range []string{"quick", "full", "eval", "feature", "error", "pairs", "seed", "game", "warp", "depth", "slip", "assume"} {
		f := cmd.Flags().Lookup(flag)
		list, many := f.Value.(pflag.SliceValue)
		switch {
		case !f.Changed && flag != "seed":
		case f.Value.Type() == "bool":
			text += " --" + flag
		case flag == "game":
			text += " --game '" + strings.Join(list.GetSlice(), "' --game '") + "'"
		case many:
			text += " --" + flag + " " + strings.Join(list.GetSlice(), ",")
		default:
			text += " --" + flag + " " + f.Value.String()
		}
	}
	return text
}

type studyJSON struct {
	Setting     string           `json:"setting"`
	Seed        uint64           `json:"seed"`
	Folder      string           `json:"folder"`
	Experiments []experimentJSON `json:"experiments"`
}

type experimentJSON struct {
	Name     string          `json:"name"`
	Headline string          `json:"headline"`
	Findings []study.Finding `json:"verdicts"`
	Checks   []study.Check   `json:"checks,omitempty"`
}

func studyAnswer(r *study.Report, dir string) studyJSON {
	out := studyJSON{Setting: r.Effort.String(), Seed: r.Seed, Folder: dir}
	for i, e := range r.Experiments {
		f := r.Results[i]
		out.Experiments = append(out.Experiments, experimentJSON{e.Name, f.Headline, f.Findings, f.Checks})
	}
	return out
}
