// Package ask holds plyfit's experiments, a file each: a declaration of cells and what is
// read from them. What each asks, expects and how it goes about it stands in a page of its own,
// pages/NAME.md. A new one is a file with a [study.Experiment], a page and an item in [All].
//
// What they share is a [grid], the factorial of errors of an evaluation, worlds, planners
// and depths in one game: newGrid makes one in played games, [onBoard] one on a solved board
// ([board]); [grid.Measure] plays the cells, pair by pair, or solves them;
// [grid.Contrast] is what an error costs both planners, and [grid.Report] adds tables,
// figures, instrument checks and findings.
package ask

import (
	"embed"
	"fmt"
	"strings"

	"plyfit/study"
)

// All are plyfit's experiments, in the order in which they are best read.
func All() []study.Experiment {
	return []study.Experiment{solved, crossed, ghosts, thrashing, opponents}
}

//go:embed pages/*.md
var pages embed.FS

// described is an experiment with what its page says: the question, then the sections
// Hypothesis, Withdrawn and Design. Lines of a paragraph are joined.
func described(e study.Experiment) study.Experiment {
	text, err := pages.ReadFile("pages/" + e.Name + ".md")
	if err != nil {
		panic("ask: " + err.Error())
	}
	parts := strings.Split(string(text), "\n## ")
	e.Question = strings.TrimSpace(strings.TrimPrefix(parts[0], "# "))
	for _, part := range parts[1:] {
		name, body, _ := strings.Cut(part, "\n")
		body = strings.Join(strings.Fields(body), " ")
		switch name {
		case "Hypothesis":
			e.Hypothesis = body
		case "Withdrawn":
			e.Withdrawn = body
		case "Design":
			e.Design = body
		default:
			panic("ask: page of " + e.Name + ": an unknown section " + name)
		}
	}
	return e
}

// Find is the experiment of that name.
func Find(name string) (study.Experiment, error) {
	var names []string
	for _, e := range All() {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return study.Experiment{}, fmt.Errorf("unknown experiment %q: want all, or one of %s", name, strings.Join(names, ", "))
}
