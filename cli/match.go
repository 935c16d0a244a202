package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/internal/atomicfile"
	"plyfit/internal/failure"
	"plyfit/internal/progress"
	"plyfit/internal/spec"
)

// untilDecided is how many pairs a sequential test may take where nobody says:
// some ten times what one between 0 and 10 takes at its worst.
const untilDecided = 100000

func (a *app) matchCommand() *cobra.Command {
	var f matchFlags
	var test testFlags
	var out, plot string
	cmd := &cobra.Command{
		Use:   "match GAME A B",
		Short: "Paired games between two agents: who is better, and how sure is that",
		Long: `Paired games between two agents: the same opening and the same luck with the
seats swapped (in a game of one, the same start and luck for either), until the
pairs are played or a sequential test has decided.

A and B are agents, or evaluations: handwritten, learned, zero or a model file
stand for that evaluation under --planner. A limit for a move stands in an
agent's spec (depth=, nodes=, time=) or is --move-time, which counts what comes
later as lost on time.
With --out the finished pairs are kept, and the same command goes on from there.
With --sprt the match goes on until it is decided, --pairs or not.

Ends with 1 where nothing was decided because every game ended by a fault.`,
		Example: `  plyfit match connect4 alphabeta:depth=6 alphabeta:depth=4 --openings 6
  plyfit match 2048 learned handwritten --planner expectimax:depth=2 --pairs 50
  plyfit match connect4 learned handwritten --sprt 0,20
  plyfit match chess alphabeta:depth=3 alphabeta:depth=2 --pairs 20 --out m.jsonl --records games.pgn`,
		Args: exactly("GAME", "A", "B"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, path := range []string{plot, f.records} {
				if err := atomicfile.Check(path); err != nil {
					return err
				}
			}
			if err := distinct(out, f.records, plot); err != nil {
				return err
			}
			w, err := a.catalog.World(args[0])
			if err != nil {
				return err
			}
			cfg, err := a.config(w, &f)
			if err != nil {
				return err
			}
			if cfg.A, err = a.entrant(w, args[1], f.planner); err != nil {
				return err
			}
			if cfg.B, err = a.entrant(w, args[2], f.planner); err != nil {
				return err
			}
			if cfg.SPRT, err = test.read(); err != nil {
				return err
			}
			if err := unheeded(cmd, &f, cfg.SPRT != nil, args[1:]); err != nil {
				return err
			}
			if cfg.SPRT != nil && !cmd.Flags().Changed("pairs") {
				cfg.Pairs = untilDecided
			}
			cfg.Out = out
			return a.runMatch(cmd.Context(), w, cfg, &f, plot)
		},
	}
	f.add(cmd, 200, "pairs of games, at most")
	test.add(cmd)
	cmd.Flags().StringVarP(&out, "out", "o", "", "file of finished pairs, resumed where it exists")
	cmd.Flags().StringVar(&plot, "plot", "", "SVG file of the running estimate")
	return cmd
}

// testFlags are those of a sequential test.
type testFlags struct{ bounds, scale, errors string }

func (t *testFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&t.bounds, "sprt", "", "LOW,HIGH: end as soon as one of these differences in Elo is as good as refuted; where utilities decide, a sequential t-test")
	flags.StringVar(&t.scale, "sprt-scale", string(stats.Normalised), "of LOW and HIGH: normalised (against the noise of the games), or logistic (of the score; wins and losses only)")
	flags.StringVar(&t.errors, "sprt-errors", "0.05,0.05", "ALPHA,BETA: how often the test may take HIGH where LOW is true, and LOW where HIGH is")
}

func (t *testFlags) read() (*stats.SPRT, error) {
	alpha, beta, err := twoNumbers("sprt-errors", t.errors, "two probabilities, ALPHA,BETA")
	if err != nil {
		return nil, err
	}
	if !(alpha > 0 && alpha < 0.5 && beta > 0 && beta < 0.5) {
		return nil, fmt.Errorf("--sprt-errors %s: want two probabilities above 0 and below 0.5", t.errors)
	}
	if t.bounds == "" {
		return nil, nil
	}
	low, high, err := twoNumbers("sprt", t.bounds, "two numbers of Elo, LOW,HIGH")
	if err != nil {
		return nil, err
	}
	return &stats.SPRT{Low: low, High: high, Alpha: alpha, Beta: beta, Scale: stats.Scale(t.scale)}, nil
}

func twoNumbers(flag, text, want string) (x, y float64, err error) {
	first, second, ok := strings.Cut(text, ",")
	x, errX := spec.Number(first)
	y, errY := spec.Number(second)
	if !ok || errX != nil || errY != nil {
		return 0, 0, fmt.Errorf("--%s %s: want %s", flag, text, want)
	}
	return x, y, nil
}

func (a *app) runMatch(ctx context.Context, w *catalog.World, cfg arena.Config, f *matchFlags, plot string) error {
	a.resumable = cfg.Out != ""
	records, err := recordsOf(w, f.records, cfg.Openings.Positions, 2)
	if err != nil {
		return err
	}
	defer records.discard()
	if cfg.Out, err = records.journal(cfg.Out); err != nil {
		return err
	}
	total := int64(cfg.Pairs)
	if cfg.Pairs == untilDecided {
		total = 0
	}
	bar := progress.New(a.stderr, fmt.Sprintf("%s against %s", cfg.A.Name, cfg.B.Name), total, f.quiet)
	cfg.Progress = func(p arena.Progress) {
		bar.Note(p.String())
		bar.Set(int64(p.Pairs))
	}
	r, err := arena.Run(ctx, cfg)
	bar.Finish()
	if err != nil {
		return runFailure(err)
	}
	if f.asJSON {
		err = writeJSON(a.stdout, r)
	} else {
		_, err = fmt.Fprint(a.stdout, r.Text())
	}
	if err != nil {
		return failure.Of(err)
	}
	if err := records.write(played{out: cfg.Out, pairs: r.Pairs, a: r.A, b: r.B, sides: [2]int{0, 1}}); err != nil {
		return runFailure(err)
	}
	if plot != "" {
		if err := atomicfile.Write(plot, r.WritePlot); err != nil {
			return runFailure(err)
		}
	}
	if r.Conclusion == arena.Nothing {
		return failure.Of(fmt.Errorf("%s", r.Sentence))
	}
	return nil
}
