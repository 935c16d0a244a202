// Package ask contains plyfit's experiments. Each experiment is in a separate file, which defines
// its cells and how they are evaluated. The question, the hypothesis and the design of an
// experiment are in pages/NAME.md. To add an experiment, add a file, a page and an entry in [All].
//
// Several experiments share the [grid], which combines errors of an evaluation with worlds,
// planners and depths in one game. newGrid creates a grid for played games, and runExact creates
// one for a solved [board]. [grid.Measure] plays or solves the cells, and [grid.Report] adds
// tables, figures, checks and findings.
package ask

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"plyfit/internal/list"
	"plyfit/study"
)

//go:embed pages/*.md
var pages embed.FS

// All returns the experiments in the recommended reading order.
func All() []study.Experiment {
	return list.Map([]study.Experiment{
		{Name: "exact", Run: runExact, Minutes: [3]float64{0.8, 3, 20}, Takes: []string{"game", "eval", "warp", "depth", "slip", "assume", "error"}},
		{Name: "crossed", Run: runCrossed, Minutes: [3]float64{0.1, 14, 380}, Takes: []string{"game", "eval", "warp", "feature", "depth", "slip", "error", "pairs"}},
		{Name: "pacman", Run: runPacman, Minutes: [3]float64{0.1, 0.2, 0.5}, Takes: []string{"game", "eval", "depth", "pairs"}},
		{Name: "thrashing", Run: runThrashing, Minutes: [3]float64{0.1, 0.4, 1.5}, Takes: []string{"game", "eval", "depth", "pairs"}},
		{Name: "opponents", Run: runOpponents, Minutes: [3]float64{0.5, 4.5, 17}, Takes: []string{"pairs"}},
	}, func(e study.Experiment) study.Experiment {
		page, _ := pages.ReadFile("pages/" + e.Name + ".md")
		return e.Described(string(page))
	})
}

// Find returns the experiment with the given name.
func Find(name string) (study.Experiment, error) {
	all := All()
	if i := slices.IndexFunc(all, func(e study.Experiment) bool { return e.Name == name }); i >= 0 {
		return all[i], nil
	}
	names := list.Map(all, func(e study.Experiment) string { return e.Name })
	return study.Experiment{}, fmt.Errorf("unknown experiment %q: want all, or one of %s", name, strings.Join(names, ", "))
}
