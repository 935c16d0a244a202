// Package experiments holds plyfit's experiments, a file each; those of several
// parts have files that begin with their name, those of solved games a room of their
// own. A new one is a file with a [study.Experiment] and an item in [All].
package experiments

import (
	"fmt"
	"strings"

	"plyfit/study"
	"plyfit/study/experiments/solved"
)

// All are plyfit's experiments, in the order in which they are best read.
func All() []study.Experiment {
	return []study.Experiment{solved.Exact, crossed, depth, effort, calibration, warp, solved.Truth, ghosts, thrashing}
}

// gone are experiments of old, and what is left of them.
var gone = map[string]string{
	"caution":   "commit d139cde is the last that has it, docs/results/study.md its figures",
	"training":  "commit d139cde is the last that has it, docs/results/study.md why its slopes were withdrawn",
	"linearity": "want plyfit fit with --report, which sets a sum beside bagged trees; commit d139cde is the last that has it",
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
	if last, ok := gone[name]; ok {
		return study.Experiment{}, fmt.Errorf("experiment %q is gone: %s", name, last)
	}
	return study.Experiment{}, fmt.Errorf("unknown experiment %q: want all, or one of %s", name, strings.Join(names, ", "))
}
