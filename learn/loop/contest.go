package loop

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/internal/report"
)

// A Contest compares two evaluations that use the same planner, or two planners that use the
// learned evaluation.
type Contest struct {
	World   *catalog.World `json:"-"`
	Game    string         `json:"game"`
	Planner string         `json:"planner,omitempty"` // planner used by both players; empty if planners are compared
	A       string         `json:"a"`                 // evaluation or planner
	B       string         `json:"b"`
	Pairs   int            `json:"pairs"`
	Seed    uint64         `json:"-"`
	Result  arena.Result   `json:"result"`

	file   string // name of the file with the match's records in the run directory, without extension
	before string // model file of the evaluation named "before"
	sprt   *stats.SPRT
	moves  bool // whether moves are recorded
}

// Planners reports whether the contest compares planners rather than evaluations.
func (c *Contest) Planners() bool { return c.Planner == "" }

func (c *Options) contests(ctx context.Context, model string) ([]Contest, error) {
	list, err := c.comparisons()
	if err != nil {
		return nil, err
	}
	for i := range list {
		if err := c.play(ctx, &list[i], model); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (c *Options) comparisons() ([]Contest, error) {
	twin, err := c.twin()
	if err != nil {
		return nil, err
	}
	var list []Contest
	add := func(w *catalog.World, planner, a, b string, pairs int) {
		list = append(list, Contest{World: w, Game: w.Spec, Planner: planner, A: a, B: b, Pairs: pairs, Seed: c.Seed, file: fmt.Sprintf("contest-%02d", len(list)+1)})
	}
	evaluations := func(w *catalog.World, planner string, pairs int) {
		if c.opponent() != "zero" {
			add(w, planner, "learned", "handwritten", pairs)
			add(w, planner, "handwritten", "zero", pairs)
		}
		if c.opponent() == "zero" || w.Base().Players > 1 {
			add(w, planner, "learned", "zero", pairs)
		}
	}
	for _, p := range c.Recipe.Planners {
		evaluations(c.World, p, c.Recipe.Pairs)
	}
	if twin != nil {
		for _, p := range c.Recipe.TwinPlanners {
			evaluations(twin, p, c.Recipe.TwinPairs)
		}
		if c.World.Chancy() {
			add(c.World, "", c.Recipe.Expectimax, c.Recipe.Minimax, c.Recipe.Pairs)
		}
		add(twin, "", c.Recipe.Expectimax, c.Recipe.Minimax, c.Recipe.TwinPairs)
	}
	return list, nil
}

// twin returns the world with which the run's world is compared, or nil if there is none.
func (c *Options) twin() (*catalog.World, error) {
	if c.Recipe.Twin == "" || c.Recipe.Twin == "none" || strings.Contains(c.World.Spec, "+") {
		return nil, nil
	}
	w, err := c.Catalog.World(c.World.Spec + c.Recipe.Twin)
	if err != nil && c.World.Players > 2 {
		return nil, nil // there is no adversary with more than two players
	}
	return w, err
}

// hostileOpenings is the number of random first decisions in a game of chance with an adversary.
// Without them, all games would be the same. In short games, a quarter of the plies is used
// instead.
const hostileOpenings = 10

func (c *Options) play(ctx context.Context, t *Contest, model string) error {
	if err := os.MkdirAll(filepath.Join(c.Dir, "matches"), 0o755); err != nil {
		return err
	}
	t.Game = t.World.Spec
	cfg := arena.Config{
		Game: t.World.Game, Pairs: t.Pairs, Seed: t.Seed, Workers: c.Workers, NoMoves: !t.moves, SPRT: t.sprt,
		Out: filepath.Join(c.Dir, "matches", t.file+".jsonl"),
	}
	if t.World.Base().Players > 1 {
		cfg.Openings.Plies = c.Recipe.Openings
	}
	if _, chance := game.As[game.Chancer](t.World.Base().New()); chance && !t.World.Chancy() {
		cfg.Openings.Plies = max(cfg.Openings.Plies, min(hostileOpenings, t.World.RandomPlies()/4))
	}
	agent := func(name string) string {
		switch {
		case t.Planners():
			return catalog.WithEval(name, model)
		case name == "learned":
			return catalog.WithEval(t.Planner, model)
		case name == "before":
			return catalog.WithEval(t.Planner, t.before)
		}
		return catalog.WithEval(t.Planner, name)
	}
	var err error
	if cfg.A, err = t.World.Named(t.A, agent(t.A)); err != nil {
		return err
	}
	if cfg.B, err = t.World.Named(t.B, agent(t.B)); err != nil {
		return err
	}
	if t.World.Base().Players == 1 && t.World.Players == 2 {
		nature, err := t.World.Named("nature", c.Recipe.Nature)
		if err != nil {
			return err
		}
		cfg.Nature = &nature
	}
	title := fmt.Sprintf("%s: %s against %s", t.World.Label(), t.A, t.B)
	if !t.Planners() {
		title += " under " + t.Planner
	}
	work := c.startPart(kindMatch, title, t.Pairs)
	cfg.Progress = func(p arena.Progress) { work.set(p.Pairs) }
	t.Result, err = arena.Run(ctx, cfg)
	work.finish()
	return err
}

// EvaluationTables returns the comparisons of evaluations, with one table for each world.
func EvaluationTables(contests []Contest) []report.Table {
	return list.Map(grouped(contests, func(c *Contest) string { return c.Game }), evaluationTable)
}

// grouped groups the contests of evaluations by key, in the order of each group's first contest.
func grouped(contests []Contest, key func(c *Contest) string) (groups [][]Contest) {
	at := map[string]int{}
	for _, c := range contests {
		if c.Planners() {
			continue
		}
		k, known := at[key(&c)]
		if !known {
			k = len(groups)
			at[key(&c)], groups = k, append(groups, nil)
		}
		groups[k] = append(groups[k], c)
	}
	return groups
}

// fromOpenings describes the number of openings by which the contests' intervals are clustered. It
// returns "" if all games begin at the start of the game.
func fromOpenings(contests []Contest) string {
	least, most := contests[0].Result.Openings, contests[0].Result.Openings
	for _, c := range contests {
		if c.Result.Population == arena.OneStart {
			return ""
		}
		least, most = min(least, c.Result.Openings), max(most, c.Result.Openings)
	}
	if least == most {
		return fmt.Sprintf(" from %d openings", least)
	}
	return fmt.Sprintf(" from %d to %d openings", least, most)
}

// evaluationTable returns the table of the contests in one world.
func evaluationTable(contests []Contest) report.Table {
	world, r := "in "+contests[0].World.Label(), &contests[0].Result
	head := []string{world, "hand-written against zero", "learned against zero", "learned against hand-written"}
	caption := "Percentage of the points with a 95%% interval, from %d pairs of games each%s; 50%% is even."
	switch {
	case r.Mode == arena.Solo:
		head = []string{world, "zero", "hand-written", "learned", "learned − hand-written"}
		caption = "Mean utility per game with a 95%% interval, from %d games each with common random numbers%s."
	case r.Measure == arena.Utility:
		caption = "Utility per game of the first evaluation minus the second, with a 95%% interval, from %d pairs of games each%s; 0 is even."
	}
	t := report.Table{Head: head, Caption: fmt.Sprintf(caption, contests[0].Pairs, fromOpenings(contests))}
	for _, c := range contests {
		a, b := shortName[c.A], shortName[c.B]
		if c.Result.Mode == arena.Solo {
			put(&t, c.Planner, a, plusMinus(c.Result.UtilityA))
			put(&t, c.Planner, b, plusMinus(c.Result.UtilityB))
			put(&t, c.Planner, a+" − "+b, unlessSame(&c.Result, plusMinus(c.Result.Difference)))
		} else {
			put(&t, c.Planner, a+" against "+b, unlessSame(&c.Result, shareText(&c.Result)))
		}
	}
	return t
}

// put sets the cell in the given row and column if the column exists. If the table has no row with
// the given name, put adds one.
func put(t *report.Table, name, heading, text string) {
	column := slices.Index(t.Head, heading)
	if column < 0 {
		return
	}
	k := slices.IndexFunc(t.Rows, func(row []string) bool { return row[0] == name })
	if k < 0 {
		k = len(t.Rows)
		t.Rows = append(t.Rows, make([]string, len(t.Head)))
		t.Rows[k][0] = name
	}
	t.Rows[k][column] = text
}

// plannerTable returns the comparisons of planners. It leaves out pairs of planners that always
// make the same moves.
func plannerTable(contests []Contest) report.Table {
	t := report.Table{Head: []string{"with the learned evaluation, in", "expectimax", "minimax", "expectimax − minimax"}, Caption: "Mean utility per game with a 95% interval. The planner that models the world correctly should win."}
	for _, c := range contests {
		if c.Planners() && c.Result.Conclusion != arena.Same {
			t.Rows = append(t.Rows, []string{c.Game, plusMinus(c.Result.UtilityA), plusMinus(c.Result.UtilityB), plusMinus(c.Result.Difference)})
		}
	}
	return t
}

// unlessSame returns text, or "same moves" if both players made the same moves.
func unlessSame(r *arena.Result, text string) string {
	if r.Conclusion == arena.Same {
		return "same moves"
	}
	return text
}

// shareText formats the score of a duel for a table.
func shareText(r *arena.Result) string {
	e, _ := r.Best()
	if r.Measure == arena.Wins {
		if !e.Bounded && e.Lacks != "" {
			return fmt.Sprintf("%.1f%% (%s)", 100*e.Value, e.Lacks)
		}
		if !e.Bounded {
			return fmt.Sprintf("%.1f%%", 100*e.Value)
		}
		if e.Lopsided() {
			return fmt.Sprintf("%.1f%% (%.1f to %.1f)", 100*e.Value, 100*e.Low, 100*e.High)
		}
		return fmt.Sprintf("%.1f%% ± %.1f", 100*e.Value, 100*e.Error())
	}
	return plusMinus(e)
}

// plusMinus formats an estimate with as many digits as its interval supports, or gives the reason
// why there is no interval.
func plusMinus(e stats.Estimate) string {
	switch {
	case !e.Known:
		return "–"
	case !e.Bounded:
		return e.Format("%.4g", 1)
	}
	return e.Format(e.Decimals(), 1)
}
