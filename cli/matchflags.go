package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/spec"
	"plyfit/search"
)

// namesEvaluation tells whether an agent is named by its evaluation alone, which
// in a match stands for the same planner with that evaluation: handwritten,
// learned, zero or a model file.
func namesEvaluation(text string) bool {
	switch text {
	case "handwritten", "learned", "zero":
		return true
	}
	return strings.HasSuffix(text, ".json") && !strings.ContainsAny(text, ":(")
}

// defaultNature moves for nature where nobody says who does.
const defaultNature = "alphabeta:depth=1"

// matchFlags are the flags that matches and tournaments share.
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
	flags.StringVar(&f.planner, "planner", "", "who uses the evaluations that are named alone; without it the planner that the game is learned with")
	flags.StringVar(&f.openings, "openings", "", "random decisions at a pair's beginning, or @FILE of positions, one a line (plyfit book makes such files); without it 6 in games of two without chance, else none")
	flags.BoolVar(&f.fixed, "openings-fixed", false, "the positions of --openings @FILE are all that is asked about, not a sample of more; without it pairs are clustered by opening")
	flags.StringVar(&f.nature, "nature", defaultNature, "who moves for nature in an adversarial world of a game of one")
	flags.StringVar(&f.measure, "measure", "", "what decides: wins or utility")
	flags.StringVar(&f.adjudicate, "adjudicate", "", "end games that both agents hold for settled, by the values of their searches from 0 (a draw) to 1 (a win): win=0.95,draw=0.01,after=80,moves=3")
	flags.DurationVar(&f.moveTime, "move-time", 0, "time for a move; an answer later than that and --margin loses the game")
	flags.DurationVar(&f.margin, "margin", 100*time.Millisecond, "how much later than --move-time an answer may come")
	flags.StringVar(&f.records, "records", "", "file of the games, in the format that its name ends in: .jsonl, .txt and the game's own (.pgn, .pdn, .ggf, .mat)")
	flags.BoolVar(&f.asJSON, "json", false, "the result as one JSON object")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress")
	seedFlag(cmd, &f.seed)
	workersFlag(cmd, &f.workers)
}

// config is the match that the flags describe, without its entrants.
func (a *app) config(w *catalog.World, f *matchFlags) (arena.Config, error) {
	cfg := arena.Config{Game: w.Game, Pairs: f.pairs, Seed: f.seed, Workers: f.workers, MoveTime: f.moveTime, Margin: f.margin, Measure: arena.Measure(f.measure)}
	if f.moveTime < 0 || f.margin < 0 {
		return cfg, fmt.Errorf("--move-time %v --margin %v: want no negative times", f.moveTime, f.margin)
	}
	if f.margin == 0 { // which arena.Config takes for its default
		return cfg, fmt.Errorf("--margin 0s: want a time above 0, such as 1ms")
	}
	if f.planner == "" {
		f.planner = defaultPlanner(w)
	}
	var err error
	if adversarial := w.Base().Players == 1 && w.Players == 2; !adversarial && f.nature != defaultNature {
		return cfg, fmt.Errorf("--nature %s: nobody moves for nature in %s: want an adversarial world of a game of one", f.nature, w.Spec)
	} else if adversarial {
		nature, err := a.entrant(w, f.nature, f.planner)
		if err != nil {
			return cfg, err
		}
		cfg.Nature = &nature
	}
	switch {
	case strings.HasPrefix(f.openings, "@"):
		if cfg.Openings.Positions, err = arena.ReadOpenings(f.openings[1:], w.Game); err != nil {
			return cfg, fmt.Errorf("--openings: %w", err)
		}
	case f.openings != "":
		plies, err := spec.Number(f.openings)
		if err != nil || plies != float64(int(plies)) || plies < 0 || plies > 1000 {
			return cfg, fmt.Errorf("--openings %s: want a number of decisions from 0 to 1000, or @FILE", f.openings)
		}
		cfg.Openings.Plies = int(plies)
	case w.Players == 2 && !w.Chancy():
		cfg.Openings.Plies = 6
	}
	if cfg.Openings.Fixed = f.fixed; f.fixed && !strings.HasPrefix(f.openings, "@") {
		return cfg, fmt.Errorf("--openings-fixed: want --openings @FILE, a list of positions")
	}
	if n := len(cfg.Openings.Positions); f.fixed && f.pairs < n {
		return cfg, fmt.Errorf("--openings-fixed --pairs %d: want at least %d, a pair for each opening", f.pairs, n)
	}
	if f.adjudicate != "" {
		if cfg.Adjudicate, err = readAdjudication(f.adjudicate); err != nil {
			return cfg, err
		}
	}
	return cfg, nil
}

// unheeded names a flag of a match that was given and would change nothing.
func unheeded(cmd *cobra.Command, f *matchFlags, tested bool, entrants []string) error {
	changed := cmd.Flags().Changed
	for _, flag := range []string{"sprt-scale", "sprt-errors"} {
		if changed(flag) && !tested {
			return fmt.Errorf("--%s: of a sequential test: want --sprt LOW,HIGH with it", flag)
		}
	}
	switch {
	case changed("margin") && f.moveTime == 0:
		return fmt.Errorf("--margin %v: how much later than --move-time: want that with it", f.margin)
	case changed("planner") && !slices.ContainsFunc(entrants, namesEvaluation):
		return fmt.Errorf("--planner %s: nobody is named by an evaluation alone: want handwritten, learned, zero or a model file among %s", f.planner, strings.Join(entrants, ", "))
	}
	return nil
}

// defaultPlanner is who plays with an evaluation that is named alone: the
// planner that the game is learned with; where a wrapper made another world of
// it, or there are more than two players, one that suits that.
func defaultPlanner(w *catalog.World) string {
	switch {
	case w.Players > 2:
		return "maxn:depth=2"
	case w.Inside == nil:
		return w.Recipe().Planner
	case w.Chancy():
		return "expectimax:depth=2"
	}
	return "alphabeta:depth=3"
}

// entrant is an agent as a match wants it. An evaluation's name alone is planner
// with it.
func (a *app) entrant(w *catalog.World, text, planner string) (search.Factory, error) {
	full := text
	if namesEvaluation(text) {
		full = catalog.WithEval(planner, text)
	}
	p, err := w.Agent(full, catalog.AgentOptions{})
	switch {
	case err != nil && full == text && !strings.ContainsAny(text, ":("): // one word may have been meant for an evaluation
		return search.Factory{}, fmt.Errorf("%w, or an evaluation: handwritten, learned, zero or a model file", err)
	case err != nil:
		return search.Factory{}, err
	}
	return search.Factory{Name: text, Identity: p.Identity, New: p.New}, nil
}

// readAdjudication reads win=,draw=,after=,moves=.
func readAdjudication(text string) (*arena.Adjudication, error) {
	s, err := game.ParseSpec("adjudicate:" + text)
	if err != nil || len(s.Wrappers) > 0 {
		return nil, fmt.Errorf("--adjudicate %s: want win=0.95,draw=0.01,after=80,moves=3, or some of them", text)
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
		return nil, fmt.Errorf("--adjudicate %s: want win=, or draw= with after=: this ends no game", text)
	case rule.Draw > 0 && !after:
		return nil, fmt.Errorf("--adjudicate %s: want after= with draw=: this ends no game as drawn", text)
	}
	return rule, nil
}
