package study

import (
	"context"
	"strings"
)

// Experiment is one question put to the games.
type Experiment struct {
	Name     string
	Question string
	// Hypothesis is what was expected before the first run, and when it was written down.
	Hypothesis string
	// Withdrawn lists findings of earlier runs that do not hold, and why; "" if there are none.
	Withdrawn string
	// Design is what is varied, what is held equal, and why the sizes are sufficient.
	Design string
	// Takes names the overrides that Run uses, as their flags are called.
	Takes []string
	// Minutes is the CPU time by effort: quick as measured, the others from pilots.
	Minutes [3]float64
	// Fixed means that a protocol names all sizes, so that the effort changes nothing.
	Fixed bool
	Run   func(ctx context.Context, s *Session) (*Results, error)
}

// Described returns e with the texts of a page in Markdown: its title, which is the question, and
// its sections Hypothesis, Withdrawn and Design.
func (e Experiment) Described(page string) Experiment {
	title, _, _ := strings.Cut(page, "\n")
	of := sections(page)
	e.Question = strings.TrimPrefix(title, "# ")
	for name, text := range map[string]*string{"Hypothesis": &e.Hypothesis, "Withdrawn": &e.Withdrawn, "Design": &e.Design} {
		*text = strings.Join(of[name], " ")
	}
	return e
}

// sections returns the paragraphs of each section of a page, each on one line.
func sections(page string) map[string][]string {
	of := map[string][]string{}
	for section := range strings.SplitSeq(page, "\n## ") {
		name, body, _ := strings.Cut(section, "\n")
		for paragraph := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
			of[name] = append(of[name], strings.Join(strings.Fields(paragraph), " "))
		}
	}
	return of
}

// Effort is how much is measured.
type Effort int

const (
	Quick   Effort = iota // minutes: wide intervals, few findings
	Default               // about an hour
	Full                  // as much as the questions deserve
)

func (s Effort) String() string { return [...]string{"quick", "default", "full"}[s] }
