package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/internal/vectors"
	"plyfit/study/ask"
)

// TestStudy runs a small study as a user does. It checks the JSON verdicts and that the report has
// a claim about each warp. A second run must give the same result.
func TestStudy(t *testing.T) {
	dir := t.TempDir()
	const command = "study crossed --quick --quiet --json --game connect4:columns=5,rows=4 --depth 1,2 --slip 0.25 --pairs 50 --eval handwritten --warp exp:3,ranks -o DIR/run"
	first := ran(t, "", dir, command)
	if again := ran(t, "", dir, command); again != first {
		t.Errorf("another answer the second time:\n%s\n%s", first, again)
	}
	var answer struct {
		Setting     string
		Experiments []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(first), &answer); err != nil || answer.Setting != "quick" || len(answer.Experiments) != 1 {
		t.Errorf("%s: %v", first, err)
	}
	for name, wants := range map[string][]string{
		"report.html": {"<svg", "exp(3z) costs expectimax points", "ranks costs expectimax points", "no evaluation at all"},
		"report.md":   {"--warp exp:3,ranks --depth 1,2 --slip 0.25"}, "cells/test/crossed.jsonl": {"{"}, "data/crossed-matches.csv": {","},
	} {
		text := string(vectors.Must(os.ReadFile(filepath.Join(dir, "run", name))))
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
	}
}

// TestExperimentsExplainThemselves checks that every experiment has a question, a dated hypothesis
// and a design.
func TestExperimentsExplainThemselves(t *testing.T) {
	for _, e := range ask.All() {
		if e.Question == "" || !strings.Contains(e.Hypothesis, "Written 20") || e.Design == "" || e.Minutes[0] <= 0 {
			t.Errorf("%s: question, hypothesis with a date, design or minutes are missing", e.Name)
		}
	}
}

// TestStudyHelp checks that the help lists the experiments, their questions in a column and flags.
func TestStudyHelp(t *testing.T) {
	text := Must(t, "study", "--help")
	column := -1
	for _, e := range ask.All() {
		at := strings.Index(text, "  "+e.Name+" ")
		if at < 0 {
			t.Fatalf("%s is not in\n%s", e.Name, text)
		}
		line, rest, _ := strings.Cut(text[at:], "\n")
		if question := strings.Index(line, e.Question); column >= 0 && question != column {
			t.Errorf("%s: the question begins at %d, want %d", e.Name, question, column)
		} else {
			column = question
		}
		for _, flag := range e.Takes {
			if takes, _, _ := strings.Cut(rest, "\n"); !strings.Contains(takes+" ", " --"+flag+" ") {
				t.Errorf("%s: %q does not tell --%s", e.Name, takes, flag)
			}
		}
	}
}
