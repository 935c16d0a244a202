package cli

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/datasets/intake"
	"plyfit/game"
	"plyfit/internal/terminal"
	"plyfit/internal/text"
	"plyfit/search"
)

func (a *App) datasetImportCommand() *cobra.Command {
	var o intake.Options
	var out, format, score, scale string
	var all, asJSON bool
	cmd := &cobra.Command{
		Use:   "import GAME FILE... -o DIR",
		Short: "Import labelled positions from EPD, CSV or PGN files",
		RunE: a.inWorld(func(cmd *cobra.Command, w *catalog.World, args []string) error {
			o.Game, o.Format = w.Game, intake.Format(format)
			if o.Score = intake.Score(score); score == "" && w.Name == "chess" {
				o.Score = intake.Centipawns
			}
			switch o.Scale = intake.Scale(scale); o.Scale {
			case "", intake.Shares, intake.Points, intake.Signed:
			default:
				return fmt.Errorf("--result-unit %s: want %s, %s or %s", scale, intake.Shares, intake.Points, intake.Signed)
			}
			switch o.Score {
			case "", intake.Centipawns, intake.Utility:
			default:
				return fmt.Errorf("--score %s: want %s or %s", score, intake.Centipawns, intake.Utility)
			}
			if !all {
				var err error
				if o.Quiet, err = quietIn(w); err != nil {
					return err
				}
			}
			c, err := intake.Read(cmd.Context(), args[1:], o)
			if err != nil {
				return runFailure(err)
			}
			m, err := c.Write(cmd.Context(), out)
			if err != nil {
				return runFailure(err)
			}
			a.tellIntake(c)
			return a.printIntake(c, m, asJSON)
		}),
	}
	flags := cmd.Flags()
	outFlag(cmd, &out, "data set folder")
	flags.StringVar(&format, "format", "", "format: epd, csv or pgn; default: taken from the file name")
	flags.StringVar(&score, "score", "", "unit of scores: utility, or centipawns (default in chess; s means 1/(1+10^(-s/400)) points)")
	flags.BoolVar(&o.ByMover, "mover-scores", false, "interpret scores from the mover's point of view, not player 0's")
	flags.StringVar(&scale, "result-unit", "", "scale of numeric results: 0..1, 0..2 or -1..1; default: the scale that fits the whole file")
	flags.BoolVar(&o.ResultsByMover, "mover-results", false, "interpret results from the mover's point of view, not player 0's (except results such as 1-0)")
	flags.BoolVar(&o.NoForfeits, "no-forfeits", false, "PGN: leave out games that ended by forfeit")
	flags.BoolVar(&all, "all", false, "PGN: also import positions that are not quiet")
	wholeFlag(cmd, &o.BadLines, "bad-lines", "", 100, 0, "maximum number of unreadable lines or games to skip")
	flags.BoolVar(&asJSON, "json", false, "print counts and the data set's manifest as one JSON object")
	return cmd
}

// quietIn returns a function that reports whether a position is quiet under w's default evaluation.
// It returns nil unless the game has two players and is zero-sum or constant-sum.
func quietIn(w *catalog.World) (func(s game.State) bool, error) {
	base := w.Base()
	if base.Players != 2 || base.Sum == game.General {
		return nil, nil
	}
	evaluation, err := w.Evaluation("")
	if err != nil {
		return nil, err
	}
	q, err := search.NewQuiescence(w.Game, evaluation.New())
	if err != nil {
		return nil, err
	}
	return q.Quiet, nil
}

// tellIntake prints the skipped records and the notes to standard error.
func (a *App) tellIntake(c *intake.Collection) {
	tellSkips(a, c.Skips, "--json lists them")
	for _, n := range c.Notes {
		fmt.Fprintln(a.Stderr, terminal.OneLine(n))
	}
}

// account prints how many records were taken and how many were skipped, unless n.Seen is 0.
func (a *App) account(what string, n intake.Account) {
	if n.Seen == 0 {
		return
	}
	line := fmt.Sprintf("%s: %d in total, %d used, %d skipped", what, n.Seen, n.Used, n.Seen-n.Used)
	if len(n.Skipped) > 0 {
		line += ":" + countedBy(n.Skipped)
	}
	fmt.Fprintln(a.Stdout, line)
}

// countedBy lists the counts in the order of their names.
func countedBy(counts map[string]int) (line string) {
	for i, name := range slices.Sorted(maps.Keys(counts)) {
		line += fmt.Sprintf("%s %s %d", [2]string{"", ","}[min(i, 1)], name, counts[name])
	}
	return line
}

func (a *App) printIntake(c *intake.Collection, m *datasets.Manifest, asJSON bool) error {
	if asJSON {
		skipped := []string{}
		for _, f := range c.Skips {
			skipped = append(skipped, f.Error())
		}
		return WriteJSON(a.Stdout, struct {
			Lines        int                `json:"lines"`
			BadLines     int                `json:"bad_lines"`
			Over         int                `json:"finished_positions"`
			Noisy        int                `json:"noisy_positions"`
			Open         int                `json:"unfinished_games"`
			Unscored     int                `json:"unreadable_scores"`
			Games        intake.Account     `json:"games"`
			Rows         intake.Account     `json:"rows"`
			Plies        intake.Account     `json:"plies"`
			Scores       intake.Account     `json:"scores"`
			Terminations map[string]int     `json:"terminations"`
			Skipped      []string           `json:"skipped"`
			Data         *datasets.Manifest `json:"data"`
		}{c.Lines, c.Bad, c.Rows.Skipped[intake.Finished] + c.Plies.Skipped[intake.Behind], c.Plies.Skipped[intake.NotQuiet], c.Games.Skipped[intake.Unfinished],
			c.Scores.Skipped[intake.Unreadable], c.Games, c.Rows, c.Plies, c.Scores, c.Terminations, skipped, m})
	}
	fmt.Fprintf(a.Stdout, "%s: %s of %s from %s\n", m.Game, text.Counted(int(m.Records), "position"), text.Counted(m.Episodes, "episode"), text.Counted(c.Lines, "line"))
	a.account("games", c.Games)
	a.account("rows", c.Rows)
	a.account("plies", c.Plies)
	a.account("scores and comments", c.Scores)
	if len(c.Terminations) > 0 {
		fmt.Fprintf(a.Stdout, "games used, by Termination tag:%s\n", countedBy(c.Terminations))
	}
	return a.printManifest(m, false)
}
