package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/internal/proc"
	"plyfit/internal/progress"
	"plyfit/internal/report"
	"plyfit/internal/spec"
	"plyfit/search"
	"plyfit/work"
)

// untilDecided is the default maximum number of pairs in a match with a sequential test. A test
// between 0 and 10 Elo usually needs far fewer.
const untilDecided = 100000

func (a *App) matchCommand() *cobra.Command {
	var f matchFlags
	var test sprtFlags
	var out string
	var form report.Format
	cmd := &cobra.Command{
		Use:   "match GAME A B",
		Short: "Play a match between two agents and print statistics",
		Args:  agents,
		RunE: a.inWorld(func(cmd *cobra.Command, w *catalog.World, args []string) error {
			if err := cmp.Or(disk.Check(f.records), distinct(out, f.records)); err != nil {
				return err
			}
			cfg, err := a.config(w, &f)
			if err != nil {
				return err
			}
			if cfg.A, err = w.Entrant(args[1], f.planner); err != nil {
				return err
			}
			if cfg.B, err = w.Entrant(args[2], f.planner); err != nil {
				return err
			}
			if cfg.SPRT, err = test.read(cmd); err != nil {
				return err
			}
			if err := checkUnused(cmd, &f, args[1:]); err != nil {
				return err
			}
			if cfg.SPRT != nil && !cmd.Flags().Changed("pairs") {
				cfg.Pairs = untilDecided
			}
			cfg.Out = out
			return a.runMatch(cmd.Context(), w, cfg, &f, form)
		}),
	}
	f.add(cmd, 200, "maximum number of pairs of games")
	tableFlag(cmd, &form)
	test.add(cmd, noTest)
	cmd.Flags().StringVarP(&out, "out", "o", "", "file for finished pairs; if the file exists, the match is resumed")
	return cmd
}

func (a *App) runMatch(ctx context.Context, w *catalog.World, cfg arena.Config, f *matchFlags, form report.Format) error {
	var r arena.Result
	play := func() (_ []writtenMatch, err error) {
		r, err = a.playMatch(ctx, cfg, f, form)
		return []writtenMatch{{cfg.Out, r.Pairs, r.A, r.B, [2]int{0, 1}}}, err
	}
	err := a.withGames(w, f.records, cfg.Openings.Positions, 2, &cfg.Out, "pairs.jsonl", play)
	if err == nil && r.Conclusion == arena.Nothing {
		err = proc.Failure(errors.New(r.Sentence))
	}
	return err
}

// playMatch plays the match and prints its result.
func (a *App) playMatch(ctx context.Context, cfg arena.Config, f *matchFlags, form report.Format) (
	arena.Result, error) {
	total := int64(cfg.Pairs)
	if cfg.Pairs == untilDecided {
		total = 0
	}
	bar := progress.New(a.Stderr, fmt.Sprintf("%s against %s", cfg.A.Name, cfg.B.Name), total, f.quiet)
	bar.OnProgress(work.ProgressWriter(cfg.Out))
	cfg.Progress = func(p arena.Progress) {
		bar.Note(p.String())
		bar.Set(int64(p.Pairs))
	}
	print := func(r arena.Result) error {
		bar.Finish()
		if form != "" {
			return proc.Failure(report.WriteTables(a.Stdout, form, r.Table()))
		}
		return printResult(a.Stdout, r, f.asJSON)
	}
	printed := false
	if a.forgetful.Load() {
		cfg.Interrupted = func(r arena.Result) {
			if printed = r.Pairs > 0; printed {
				print(r)
			}
		}
	}
	r, err := arena.Run(ctx, cfg)
	bar.Finish()
	if printed {
		err = ctx.Err()
	}
	if err != nil {
		return r, runFailure(err)
	}
	return r, print(r)
}

// defaultNature is the agent that makes nature's moves by default.
const defaultNature = "alphabeta:depth=1"

// matchFlags contains the flags shared by matches and tournaments.
type matchFlags struct {
	planner, nature, openings, measure, adjudicate, records string
	pairs, workers                                          int
	seed                                                    uint64
	moveTime, margin                                        time.Duration
	fixed, asJSON, quiet                                    bool
}

func (f *matchFlags) add(cmd *cobra.Command, pairs int, of string) {
	flags := cmd.Flags()
	wholeFlag(cmd, &f.pairs, "pairs", "", pairs, 1, of)
	flags.StringVar(&f.planner, "planner", "", "planner for A or B if it is only an evaluation; default: the game's usual planner")
	flags.StringVar(&f.openings, "openings", "", "number of random opening decisions, or @FILE; default: 6 in two-player games without chance")
	flags.BoolVar(&f.fixed, "openings-fixed", false, "treat the openings of @FILE as fixed, not as a sample; default: cluster pairs by opening")
	flags.StringVar(&f.nature, "nature", defaultNature, "agent that makes the chance moves of a single-player game with +adversary")
	flags.StringVar(&f.measure, "measure", "", "measure of the result: wins or utility")
	flags.StringVar(&f.adjudicate, "adjudicate", "", "end games early if both agents' values agree (0 draw, 1 win): win=0.95,draw=0.01,after=80,moves=3")
	flags.DurationVar(&f.moveTime, "move-time", 0, "time limit per move; an agent that exceeds it by more than --margin loses the game")
	flags.DurationVar(&f.margin, "margin", 100*time.Millisecond, "grace period after --move-time")
	flags.StringVar(&f.records, "records", "", "file for the game records: .jsonl, .txt or the game's own format (.pgn, .pdn, .ggf or .mat)")
	answerFlags(cmd, &f.asJSON, "print the result as one JSON object", &f.quiet)
	runFlags(cmd, &f.seed, &f.workers)
}

// config returns the configuration of a match with these flags. The caller adds the entrants.
func (a *App) config(w *catalog.World, f *matchFlags) (arena.Config, error) {
	cfg := arena.Config{Game: w.Game, Pairs: f.pairs, Seed: f.seed, Workers: f.workers, MoveTime: f.moveTime, Margin: f.margin, Measure: arena.Measure(f.measure)}
	if f.moveTime < 0 || f.margin < 0 {
		return cfg, fmt.Errorf("--move-time %v --margin %v: want times of at least 0", f.moveTime, f.margin)
	}
	if f.margin == 0 { // arena.Config would replace 0 with the default
		return cfg, fmt.Errorf("--margin 0s: want a time above 0, such as 1ms")
	}
	f.planner = cmp.Or(f.planner, w.Planner())
	var err error
	if cfg.Nature, err = a.natureOf(w, f); err != nil {
		return cfg, err
	}
	if cfg.Openings, err = a.readOpenings(w, f); err != nil {
		return cfg, err
	}
	if f.adjudicate != "" {
		if cfg.Adjudicate, err = readAdjudication(f.adjudicate); err != nil {
			return cfg, err
		}
	}
	return cfg, nil
}

func (a *App) natureOf(w *catalog.World, f *matchFlags) (*search.Factory, error) {
	if adversarial := w.Base().Players == 1 && w.Players == 2; !adversarial {
		if f.nature != defaultNature {
			return nil, fmt.Errorf("--nature %s: no agent makes the chance moves in %s; want a single-player game with +adversary", f.nature, w.Spec)
		}
		return nil, nil
	}
	nature, err := w.Entrant(f.nature, f.planner)
	if err != nil {
		return nil, err
	}
	return &nature, nil
}

func (a *App) readOpenings(w *catalog.World, f *matchFlags) (o arena.Openings, err error) {
	file, listed := strings.CutPrefix(f.openings, "@")
	switch {
	case listed:
		var skipped []error
		if o.Positions, err = arena.ReadOpenings(file, w.Game, func(err error) { skipped = append(skipped, err) }); err != nil {
			return o, fmt.Errorf("--openings: %w", err)
		}
		tellSkips(a, skipped, "")
		if n := len(skipped); n > 0 {
			fmt.Fprintf(a.Stderr, "openings: %s: %d positions in total, %d used, %d skipped\n", file, n+len(o.Positions), len(o.Positions), n)
		}
	case f.openings != "":
		plies, err := spec.Number(f.openings)
		if err != nil || plies != float64(int(plies)) || plies < 0 || plies > 1000 {
			return o, fmt.Errorf("--openings %s: want a number of decisions from 0 to 1000, or @FILE", f.openings)
		}
		o.Plies = int(plies)
	case w.Players == 2 && !w.Chancy():
		o.Plies = 6
	}
	o.Fixed = f.fixed
	if n := len(o.Positions); f.fixed && !listed {
		return o, fmt.Errorf("--openings-fixed: requires --openings @FILE, a list of positions")
	} else if f.fixed && f.pairs < n {
		return o, fmt.Errorf("--openings-fixed --pairs %d: want at least %d, one pair for each opening", f.pairs, n)
	}
	return o, nil
}

// checkUnused returns an error if a flag that has no effect in the match was given.
func checkUnused(cmd *cobra.Command, f *matchFlags, entrants []string) error {
	changed := cmd.Flags().Changed
	switch {
	case changed("margin") && f.moveTime == 0:
		return fmt.Errorf("--margin %v: requires --move-time", f.margin)
	case changed("planner") && !slices.ContainsFunc(entrants, catalog.NamesEvaluation):
		return fmt.Errorf("--planner %s: applies only to an entrant that is an evaluation (handwritten, learned, best, zero or a model file), not to %s", f.planner, strings.Join(entrants, ", "))
	}
	return nil
}

// readAdjudication parses the value of --adjudicate: win=,draw=,after=,moves=.
func readAdjudication(text string) (*arena.Adjudication, error) {
	s, err := game.ParseSpec("adjudicate:" + text)
	if err != nil || len(s.Wrappers) > 0 {
		return nil, fmt.Errorf("--adjudicate %s: want win=0.95,draw=0.01,after=80,moves=3, or some of these settings", text)
	}
	o := s.Options
	rule := &arena.Adjudication{
		Win: o.Float("win", 0, 0, 1), Draw: o.Float("draw", 0, 0, 1), DrawAfter: o.Int("after", 0, 0, 1<<30), Moves: o.Int("moves", 0, 1, 1000),
	}
	if err := o.Err(); err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	switch after := rule.DrawAfter > 0; {
	case rule.Win == 0 && !after:
		return nil, fmt.Errorf("--adjudicate %s: never ends a game; want win=, or draw= with after=", text)
	case rule.Draw > 0 && !after:
		return nil, fmt.Errorf("--adjudicate %s: never ends a game as a draw; want after= with draw=", text)
	}
	return rule, nil
}
