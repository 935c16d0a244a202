package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/internal/disk"
	"plyfit/internal/proc"
	"plyfit/internal/progress"
)

func (a *App) tournamentCommand() *cobra.Command {
	var f matchFlags
	var gauntlet bool
	var dir string
	cmd := &cobra.Command{
		Use:   "tournament GAME A B [C...]",
		Short: "Play matches between several agents and rate them",
		Args:  agents,
		RunE: a.inWorld(func(cmd *cobra.Command, w *catalog.World, args []string) (err error) {
			if err := disk.Check(f.records); err != nil {
				return err
			}
			t := arena.Tournament{Gauntlet: gauntlet, Dir: dir}
			if t.Match, err = a.config(w, &f); err != nil {
				return err
			}
			seen := map[string]bool{}
			for _, text := range args[1:] {
				e, err := w.Entrant(text, f.planner)
				if err != nil {
					return err
				}
				if seen[e.Name] {
					return fmt.Errorf("%s: entered twice; name each agent once", text)
				}
				seen[e.Name] = true
				t.Entrants = append(t.Entrants, e)
			}
			if err := checkUnused(cmd, &f, args[1:]); err != nil {
				return err
			}
			return a.runTournament(cmd.Context(), w, t, &f)
		}),
	}
	f.add(cmd, 50, "pairs of games per match")
	cmd.Flags().BoolVar(&gauntlet, "gauntlet", false, "play only the matches of the first agent")
	cmd.Flags().StringVarP(&dir, "out", "o", "", "folder for finished pairs; if the folder exists, the tournament is resumed")
	return cmd
}

func (a *App) runTournament(ctx context.Context, w *catalog.World, t arena.Tournament, f *matchFlags) error {
	decided := false
	play := func() (matches []writtenMatch, err error) {
		r, err := a.playTournament(ctx, &t, f)
		if err != nil {
			return nil, err
		}
		for _, m := range r.Matches {
			sides := [2]int{m.EntrantA, m.EntrantB}
			matches = append(matches, writtenMatch{t.File(m.EntrantA, m.EntrantB), m.Pairs, m.A, m.B, sides})
			decided = decided || m.Conclusion != arena.Nothing
		}
		return matches, nil
	}
	err := a.withGames(w, f.records, t.Match.Openings.Positions, len(t.Entrants), &t.Dir, "", play)
	if err == nil && !decided {
		err = proc.Failure(errors.New("no match was decided, because every game ended with a fault"))
	}
	return err
}

// playTournament plays the matches and prints their result.
func (a *App) playTournament(ctx context.Context, t *arena.Tournament, f *matchFlags) (arena.TournamentResult, error) {
	done := map[[2]int]int64{} // finished pairs by match
	bar := progress.New(a.Stderr, "tournament", int64(t.Matches()*t.Match.Pairs), f.quiet)
	t.Progress = func(i, k int, p arena.Progress) {
		done[[2]int{i, k}] = int64(p.Pairs)
		all := int64(0)
		for _, n := range done {
			all += n
		}
		bar.Note(fmt.Sprintf("%s against %s: %v", t.Entrants[i].Name, t.Entrants[k].Name, p))
		bar.Set(all)
	}
	r, err := t.Play(ctx)
	bar.Finish()
	if err != nil {
		return r, runFailure(err)
	}
	return r, printResult(a.Stdout, r, f.asJSON)
}
