package cli_test

import (
	"slices"
	"strings"
	"testing"
)

// TestCompletion checks the completions that the shell offers for partial commands.
func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		typed []string
		want  string
	}{
		{[]string{"le"}, "learn"},
		{[]string{"match", "con"}, "connect4"},
		{[]string{"fit", "--method", "rid"}, "ridge"},
		{[]string{"train", "2048", "--method", "t"}, "td"},
		{[]string{"agents", "--game", "2"}, "2048"},
	} {
		var offered []string
		for _, line := range strings.Split(must(t, append([]string{"__complete"}, c.typed...)...), "\n") {
			word, _, _ := strings.Cut(line, "\t")
			offered = append(offered, word)
		}
		if !slices.Contains(offered, c.want) {
			t.Errorf("%q offers %q, want %s among them", c.typed, offered, c.want)
		}
	}
}

func TestVersion(t *testing.T) {
	if got := must(t, "--version"); !strings.HasPrefix(got, "plyfit ") || !strings.Contains(got, " go1.") || strings.Count(got, "\n") != 1 {
		t.Errorf("%q: want one line, plyfit, its version, and that of Go", got)
	}
}
