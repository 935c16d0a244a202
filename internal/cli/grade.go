package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/internal/disk"
	"plyfit/internal/grade"
	"plyfit/internal/proc"
	"plyfit/internal/progress"
	"plyfit/internal/text"
)

type gradeFlags struct {
	class, out, inside string
	workers            int
	seed               uint64
	asJSON, quiet      bool
}

func (a *App) gradeCommand() *cobra.Command {
	var f gradeFlags
	cmd := &cobra.Command{
		Use:   "grade ASSIGNMENT [SUBMISSION]",
		Short: "Grade the agents and evaluations of a class",
		RunE: func(cmd *cobra.Command, args []string) error {
			assignment, err := grade.Read(args[0])
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("seed") {
				assignment.Seed = f.seed
			}
			cfg := grade.Config{Catalog: a.Catalog.For(catalog.Access{Files: true, Rules: true}), Assignment: assignment, Inside: strings.Fields(f.inside), Workers: f.workers}
			switch {
			case len(args) == 2 && f.class != "":
				return fmt.Errorf("%s and --class %s: use only one of the two", args[1], f.class)
			case len(args) == 2:
				s, err := grade.Find(args[1])
				if err != nil {
					return err
				}
				cfg.Submissions = []*grade.Submission{s}
			case f.class != "":
				if cfg.Submissions, err = grade.FindAll(f.class); err != nil {
					return err
				}
			default:
				return a.printAssignment(assignment)
			}
			return a.grade(cmd, cfg, &f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.class, "class", "", "folder with submissions to grade and rank")
	flags.StringVarP(&f.out, "out", "o", "", "folder to write: grades.json, index.html for the class, and one page per submission")
	flags.StringVar(&f.inside, "inside", "", "sandbox command that starts every program; {} stands for the program's folder")
	wholeFlag(cmd, &f.workers, "workers", "", max(1, runtime.GOMAXPROCS(0)/2), 1, "number of submissions graded in parallel; affects results only if programs exceed time limits")
	flags.Uint64Var(&f.seed, "seed", 0, "seed for trees, openings and chance moves; default: the assignment's seed")
	answerFlags(cmd, &f.asJSON, "print the grades as one JSON object", &f.quiet)
	return cmd
}

func (a *App) printAssignment(s *grade.Assignment) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n\n", s.Title, wrapped(s.Text))
	for _, e := range s.Exercises {
		fmt.Fprintf(&b, "%s\n", wrapped(fmt.Sprintf("%s, %g points: %s", e.Name, e.Points, e.Text)))
	}
	fmt.Fprintf(&b, "\nYou need %g of %g points to pass. The time limit for an answer is %g seconds.\n", s.Pass, s.Of(), s.Seconds)
	return a.printf("%s", b.String())
}

func (a *App) grade(cmd *cobra.Command, cfg grade.Config, f *gradeFlags) error {
	bar := progress.New(a.Stderr, cfg.Assignment.Name, int64(len(cfg.Submissions)), f.quiet)
	done := int64(0)
	cfg.Progress = func() {
		done++
		bar.Set(done)
	}
	g, err := grade.Run(cmd.Context(), cfg)
	bar.Finish()
	if err != nil {
		return runFailure(err)
	}
	if f.out != "" {
		if err := writeGrades(g, f.out); err != nil {
			return runFailure(err)
		}
	}
	if err := printResult(a.Stdout, g, f.asJSON); err != nil {
		return err
	}
	for _, s := range g.Starts {
		if mean := s.Took / time.Duration(s.Times); mean > time.Second {
			fmt.Fprintf(a.Stderr, "plyfit: %s takes %.1f s to start on this machine and was started %s; startup does not count towards the time for answers, but it slows down grading\n",
				s.Program, mean.Seconds(), text.Counted(s.Times, "time"))
		}
	}
	if one := g.Submissions[0]; f.class == "" && !one.Passed {
		return proc.Failure(fmt.Errorf("%s has %g points, but needs %g to pass", one.Name, one.Points, g.Pass))
	}
	return nil
}

func writeGrades(g *grade.Grades, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	err := disk.Write(filepath.Join(folder, "grades.json"), func(w io.Writer) error { return WriteJSON(w, g) })
	if err != nil {
		return err
	}
	pages, err := g.Pages()
	if err != nil {
		return err
	}
	for name, page := range pages {
		if err := disk.Write(filepath.Join(folder, name), page.HTML); err != nil {
			return err
		}
	}
	return nil
}
