package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"plyfit/cli/shell"
	"plyfit/internal/failure"
	"plyfit/study"
	"plyfit/study/page"
	"plyfit/work"
)

func (a *app) studyMergeCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "merge DIR... -o DIR",
		Short: "Put the slices of a study together",
		Long: `Put the finished cells of run folders together, which plyfit study --slice has made.
The command of the study without --slice then goes on from there: it works out
what is still missing and writes the report, with the same bytes as a single run.

An experiment of several stages needs all slices of one stage before the next.
Either that command goes on alone, or the slices are merged into each of their
folders and run again.`,
		Example: `  plyfit study merge part1 part2 part3 part4 -o runs/crossover
  plyfit study crossover -o runs/crossover`,
		Args: shell.AtLeast("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			cells, err := study.Merge(out, args)
			if err != nil {
				return shell.RunFailure(err)
			}
			_, err = fmt.Fprintf(a.Stdout, "%s: %s; the command of the study, without --slice, goes on from there\n", out, shell.Counted(cells, "cell"))
			return failure.Of(err)
		},
	}
	shell.OutFlag(cmd, &out, "run folder of the whole study")
	return cmd
}

// printSlice says what a slice of a study lacks of the others.
func (a *app) printSlice(s *study.Session, r *page.Report, asJSON bool) error {
	type stage struct {
		Name  string `json:"name"`
		Cells int    `json:"cells"`
	}
	lacking := []stage{}
	for _, e := range r.Lacking {
		lacking = append(lacking, stage{e.Stage, e.Cells})
	}
	if asJSON {
		return shell.WriteJSON(a.Stdout, struct {
			Slice   work.Slice `json:"slice"`
			Folder  string     `json:"folder"`
			Lacking []stage    `json:"lacking"`
		}{s.Slice, s.Dir, lacking})
	}
	for _, l := range lacking {
		fmt.Fprintf(a.Stdout, "%s: lacks %s of other slices\n", l.Name, shell.Counted(l.Cells, "cell"))
	}
	_, err := fmt.Fprintf(a.Stdout, "%s: slice %v is done as far as it goes: plyfit study merge puts all slices together\n", s.Dir, s.Slice)
	return failure.Of(err)
}
