package cli

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/internal/atomicfile"
	"plyfit/internal/progress"
	"plyfit/internal/spec"
)

// evaluationAgents are what the bare names of evaluations stand for in a match:
// the same planner with that evaluation.
var evaluationAgents = map[string]bool{"handwritten": true, "learned": true, "zero": true}

func (a *app) matchCommand() *cobra.Command {
	var f matchFlags
	cmd := &cobra.Command{
		Use:   "match GAME A B",
		Short: "Paired games between two agents: who is better, and how sure is that",
		Long: `Paired games between two agents: the same opening and the same luck with the
seats swapped (in a game of one, the same start and luck for either), until the
pairs are played or a sequential test has decided.

handwritten, learned and zero stand for that evaluation under --planner.
With --out the finished pairs are kept, and the same command goes on from there.`,
		Example: `  plyfit match connect4 alphabeta:depth=6 alphabeta:depth=4 --openings 6
  plyfit match 2048 learned handwritten --planner expectimax:depth=2 --pairs 50
  plyfit match connect4 learned handwritten --sprt 0,20 --pairs 5000`,
		Args: exactly("GAME", "A", "B"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := writable(f.plot); err != nil {
				return err
			}
			w, err := a.catalog.World(args[0])
			if err != nil {
				return err
			}
			cfg, err := a.matchConfig(cmd, w, args[1], args[2], &f)
			if err != nil {
				return err
			}
			return a.runMatch(cmd.Context(), cfg, &f)
		},
	}
	f.add(cmd)
	return cmd
}

// matchFlags are the flags of a match.
type matchFlags struct {
	planner, nature, out, plot, openings, sprt, measure string
	pairs, workers                                      int
	seed                                                uint64
	moveTime                                            time.Duration
	asJSON, quiet                                       bool
}

func (f *matchFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	wholeFlag(cmd, &f.pairs, "pairs", "", 200, 1, "pairs of games, at most")
	flags.StringVar(&f.planner, "planner", "", "who uses the evaluations handwritten, learned and zero; without it alphabeta:depth=3, and expectimax:depth=2 in games of chance")
	flags.StringVar(&f.openings, "openings", "", "random decisions at a pair's beginning, or @FILE of positions, one a line; without it 6 in games of two without chance, else none")
	flags.StringVar(&f.nature, "nature", "alphabeta:depth=1", "who moves for nature in an adversarial world of a game of one")
	flags.StringVar(&f.sprt, "sprt", "", "LOW,HIGH: end as soon as normalised Elo LOW or HIGH is as good as refuted")
	flags.StringVar(&f.measure, "measure", "", "what decides: wins or utility")
	flags.DurationVar(&f.moveTime, "move-time", 0, "time for a move; later answers lose the game")
	flags.StringVarP(&f.out, "out", "o", "", "file of finished pairs, resumed where it exists")
	flags.StringVar(&f.plot, "plot", "", "SVG file of the running estimate")
	flags.BoolVar(&f.asJSON, "json", false, "the result as one JSON object")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress")
	seedFlag(cmd, &f.seed)
	workersFlag(cmd, &f.workers)
}

func (a *app) matchConfig(cmd *cobra.Command, w *catalog.World, specA, specB string, f *matchFlags) (arena.Config, error) {
	cfg := arena.Config{Game: w.Game, Pairs: f.pairs, Seed: f.seed, Workers: f.workers, MoveTime: f.moveTime, Out: f.out, Measure: arena.Measure(f.measure)}
	chance := w.Chancy()
	if f.planner == "" {
		f.planner = "alphabeta:depth=3"
		if chance {
			f.planner = "expectimax:depth=2"
		}
	}
	var err error
	if cfg.A, err = a.entrant(w, specA, f.planner); err != nil {
		return cfg, err
	}
	if cfg.B, err = a.entrant(w, specB, f.planner); err != nil {
		return cfg, err
	}
	if w.Base().Players == 1 && w.Players == 2 {
		nature, err := a.entrant(w, f.nature, f.planner)
		if err != nil {
			return cfg, err
		}
		cfg.Nature = &nature
	}
	switch {
	case strings.HasPrefix(f.openings, "@"):
		if cfg.Openings.Positions, err = positionsIn(w, f.openings[1:]); err != nil {
			return cfg, err
		}
	case f.openings != "":
		plies, err := spec.Number(f.openings)
		if err != nil || plies != float64(int(plies)) || plies < 0 || plies > 1000 {
			return cfg, fmt.Errorf("--openings %s: want a number of decisions from 0 to 1000, or @FILE", f.openings)
		}
		cfg.Openings.Plies = int(plies)
	case w.Players == 2 && !chance:
		cfg.Openings.Plies = 6
	}
	if f.sprt != "" {
		low, high, ok := strings.Cut(f.sprt, ",")
		l, errL := spec.Number(low)
		h, errH := spec.Number(high)
		if !ok || errL != nil || errH != nil {
			return cfg, fmt.Errorf("--sprt %s: want two numbers of normalised Elo, LOW,HIGH", f.sprt)
		}
		cfg.SPRT = &arena.SPRT{Low: l, High: h}
	}
	return cfg, nil
}

// entrant is an agent as a match wants it. A bare name of an evaluation is
// planner with it.
func (a *app) entrant(w *catalog.World, text, planner string) (arena.Entrant, error) {
	full := text
	if evaluationAgents[text] {
		full = catalog.WithEval(planner, text)
	}
	p, err := w.Agent(full, catalog.AgentOptions{})
	if err != nil {
		return arena.Entrant{}, err
	}
	return arena.Entrant{Name: text, Identity: p.Identity, New: p.New}, nil
}

// positionsIn reads positions, one a line, and checks each.
func positionsIn(w *catalog.World, path string) ([]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("openings: %w", err)
	}
	var out []string
	for n, line := range strings.Split(string(data), "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if _, err := w.Parse(line); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, n+1, err)
		}
		out = append(out, line)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("openings: %s holds no positions", path)
	}
	return out, nil
}

func (a *app) runMatch(ctx context.Context, cfg arena.Config, f *matchFlags) error {
	bar := progress.New(a.stderr, fmt.Sprintf("%s against %s", cfg.A.Name, cfg.B.Name), int64(cfg.Pairs), f.quiet)
	cfg.Progress = func(p arena.Progress) { bar.Set(int64(p.Pairs)) }
	a.resumable = cfg.Out != ""
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
	if err == nil && f.plot != "" {
		if err := atomicfile.Write(f.plot, r.WritePlot); err != nil {
			return runFailure(err)
		}
	}
	if err == nil && r.Verdict == arena.Nothing {
		return failed(fmt.Errorf("%s", r.Sentence))
	}
	return failed(err)
}
