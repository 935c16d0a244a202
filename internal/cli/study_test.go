package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/study/experiments"
)

// A small study as its user types it: verdicts as JSON, the report, and the same
// again without any work.
func TestStudy(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"study", "crossed", "--quick", "--quiet", "--json", "--game", "connect4:columns=5,rows=4", "--depth", "1,2", "--slip", "0.25", "--pairs", "50", "--eval", "handwritten", "--warp", "exp:3", "-o", dir}
	var answers [2]string
	for i := range answers {
		var stdout, stderr bytes.Buffer
		if code := Run(context.Background(), catalog.All(), args, strings.NewReader(""), &stdout, &stderr); code != 0 {
			t.Fatalf("exit %d: %s", code, stderr.String())
		}
		answers[i] = stdout.String()
	}
	if answers[0] != answers[1] {
		t.Errorf("another answer the second time:\n%s\n%s", answers[0], answers[1])
	}
	var answer struct {
		Setting     string
		Experiments []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(answers[0]), &answer); err != nil || answer.Setting != "quick" || len(answer.Experiments) != 1 {
		t.Errorf("%s: %v", answers[0], err)
	}
	for _, name := range []string{"report.html", "report.md", "cells/test/crossed.jsonl", "data/crossed-matches.csv"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil || !strings.Contains(string(page), "--warp exp:3 --depth 1,2 --slip 0.25") {
		t.Errorf("the report does not say how to make it again: %v", err)
	}
}

func TestStudyBadInput(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"study", "nonsense"}, "unknown experiment"},
		{[]string{"study", "all", "--depth", "3"}, "one experiment"},
		{[]string{"study", "crossed", "--assume", "0.3"}, "takes no --assume"},
		{[]string{"study", "crossed", "--warp", "square"}, "warp"},
		{[]string{"study", "crossed", "--slip", "2"}, "--slip 2"},
		{[]string{"study", "crossed", "--depth", "0"}, "--depth 0"},
		{[]string{"study", "crossed", "--game", "connect4+slip=0.1"}, "without +"},
		{[]string{"study", "crossed", "--game", "2048"}, "game of two"},
		{[]string{"study", "crossed", "--error", "0.99", "--pairs", "1"}, "--error"},
		{[]string{"study", "pacman", "--game", "connect4"}, "Pacman"},
		{[]string{"study", "exact", "--game", "othello:columns=3"}, "unknown key"},
		{[]string{"study", "truth"}, "want plyfit study exact"},
		{[]string{"study", "warp"}, "want plyfit study crossed with --warp"},
		{[]string{"study", "caution"}, "is gone"},
	} {
		var stdout, stderr bytes.Buffer
		dir := filepath.Join(t.TempDir(), "run")
		code := Run(context.Background(), catalog.All(), append(c.args, "--quiet", "-o", dir), strings.NewReader(""), &stdout, &stderr)
		if code != exitBadInput || !strings.Contains(stderr.String(), c.want) || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%v: exit %d, %q; want 2 and one line with %q", c.args, code, stderr.String(), c.want)
		}
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%v was refused, and left a run folder behind (%v)", c.args, err)
		}
	}
}

// Every experiment tells its question, hypothesis with its date, and design.
func TestExperimentsExplainThemselves(t *testing.T) {
	for _, e := range experiments.All() {
		if e.Question == "" || !strings.Contains(e.Hypothesis, "Written 20") || e.Design == "" || e.Minutes[0] <= 0 {
			t.Errorf("%s: question, hypothesis with a date, design or minutes are missing", e.Name)
		}
	}
}

// TestStudyHelp: the experiments stand in columns, each with what it takes.
func TestStudyHelp(t *testing.T) {
	text := experimentsHelp()
	column := -1
	for _, e := range experiments.All() {
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
