package study

import (
	"fmt"
	"slices"
	"strings"
)

// Check is a theorem put to the instrument: what must come out whatever is true of the question.
// Where one fails, something is wrong with the measurement, and no claim is decided by it.
type Check struct {
	Name   string `json:"check"`
	Passed bool   `json:"passed"`
	Figure string `json:"figure"` // what came out
}

// checksLine says how many checks passed, and which failed; "" where there are none.
func checksLine(checks []Check) string {
	if len(checks) == 0 {
		return ""
	}
	var failed []string
	for _, c := range checks {
		if !c.Passed {
			failed = append(failed, fmt.Sprintf("%s (%s)", c.Name, c.Figure))
		}
	}
	if len(failed) == 0 {
		return fmt.Sprintf("Instrument checks: %d of %d pass.", len(checks), len(checks))
	}
	return fmt.Sprintf("Instrument checks: %d of %d fail, so no claim is decided: %s.", len(failed), len(checks), strings.Join(failed, "; "))
}

func (f *Results) refuse() {
	if !slices.ContainsFunc(f.Checks, func(c Check) bool { return !c.Passed }) {
		return
	}
	for i := range f.Findings {
		f.Findings[i].Support = refused
	}
	f.Headline = checksLine(f.Checks)
}
