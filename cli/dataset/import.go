package dataset

import (
	"fmt"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/cli/shell"
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/intake"
	"plyfit/internal/failure"
	"plyfit/search"
	"plyfit/terminal"
)

func (a app) datasetImportCommand() *cobra.Command {
	var o intake.Options
	var out, format, score string
	var all, asJSON bool
	cmd := &cobra.Command{
		Use:   "import GAME FILE... -o DIR",
		Short: "Make a data set of labelled positions: EPD, CSV, PGN, engines' formats, also packed",
		Long: `Make a data set of labelled positions, for plyfit fit to learn from as from
self-play. Files may be compressed by gzip or zstd. Their names end in
.epd, .txt, .csv or .pgn (and .gz or .zst), or --format says what they are.

  epd  a position a line: POSITION; [RESULT] EPISODE, POSITION RESULT, POSITION |
       SCORE | RESULT, or, as chess programs write it, FEN c9 "1-0"; id "EPISODE";
       ce SCORE;
  csv  a header names the columns: position (or fen), result or outcome, score,
       episode (or game, id), ply, depth, move; others are ignored. Without a
       header they are FEN,score,result or FEN,result
  pgn  games of chess; the quiet positions of every finished game are taken, those
       in which no capture promises more than the evaluation says. Scores come
       from the comments {+0.35/12 0.1s} and {[%eval 0.24]}

A result is 1-0, 0-1, 1/2-1/2 or player 0's share of the point (White's); an
outcome is each player's utility. Positions of one episode are kept together,
even if they stand apart in the file. Without the name of an episode each position
is one of its own, so that held-out rows may come from games that were trained on.
A bad line is reported and skipped; more of them than --bad-lines end the import.`,
		Example: `  plyfit dataset import chess quiet.epd.gz -o human
  plyfit dataset import chess games.pgn -o games
  plyfit dataset import othello positions.csv.zst -o data --bad-lines 0`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("%s: %d arguments given, want GAME FILE... with at least one file", cmd.CommandPath(), len(args))
			}
			return nil
		},
		RunE: a.InWorld(func(cmd *cobra.Command, w *catalog.World, args []string) error {
			o.Game, o.Format = w.Game, intake.Format(format)
			if o.Score = intake.Score(score); score == "" && w.Name == "chess" {
				o.Score = intake.Centipawns
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
				return shell.RunFailure(err)
			}
			a.tellFaults(c)
			m, err := c.Write(cmd.Context(), out)
			if err != nil {
				return shell.RunFailure(err)
			}
			return a.printIntake(c, m, asJSON)
		}),
	}
	flags := cmd.Flags()
	shell.OutFlag(cmd, &out, "folder of the data set")
	flags.StringVar(&format, "format", "", "epd, csv or pgn; default: by each file's name")
	flags.StringVar(&score, "score", "", "unit of scores: centipawns (share of the point 1/(1+10^(-s/400)), chess's default) or utility")
	flags.BoolVar(&o.ByMover, "mover-scores", false, "scores are in the mover's view, not in player 0's")
	flags.BoolVar(&all, "all", false, "of PGN: also take positions that are not quiet")
	shell.WholeFlag(cmd, &o.BadLines, "bad-lines", "", 100, 0, "so many lines that cannot be read are skipped")
	flags.BoolVar(&asJSON, "json", false, "counts and the data set's description as one JSON object")
	return cmd
}

// quietIn tells quiet positions of w by its own evaluation; nil where the game
// is of another kind than quiescence is for.
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

// tellFaults reports the bad lines, the first twenty of them one by one.
func (a app) tellFaults(c *intake.Collection) {
	const most = 20
	for i, f := range c.Faults {
		if i == most {
			fmt.Fprintf(a.Stderr, "and %d more\n", len(c.Faults)-most)
			break
		}
		fmt.Fprintf(a.Stderr, "skipped: %s\n", terminal.OneLine(f.Error()))
	}
	for _, n := range c.Notes {
		fmt.Fprintln(a.Stderr, n)
	}
}

func (a app) printIntake(c *intake.Collection, m *datasets.Manifest, asJSON bool) error {
	if asJSON {
		return shell.WriteJSON(a.Stdout, struct {
			Lines    int                `json:"lines"`
			BadLines int                `json:"bad_lines"`
			Over     int                `json:"finished_positions"`
			Noisy    int                `json:"noisy_positions"`
			Open     int                `json:"unfinished_games"`
			Data     *datasets.Manifest `json:"data"`
		}{c.Lines, len(c.Faults), c.Over, c.Noisy, c.Open, m})
	}
	_, err := fmt.Fprintf(a.Stdout, "%s: %d positions of %d episodes from %d lines; left out: %d bad lines, %d finished positions, %d positions that are not quiet, %d unfinished games\n",
		m.Game, m.Records, m.Episodes, c.Lines, len(c.Faults), c.Over, c.Noisy, c.Open)
	if err != nil {
		return failure.Of(err)
	}
	return a.PrintManifest(m, false)
}
