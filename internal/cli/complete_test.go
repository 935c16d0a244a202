package cli_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/cli"
)

// TestCompletion: what the shell offers, by what has been typed.
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
		var out, errs bytes.Buffer
		if code := cli.Run(context.Background(), catalog.All(), append([]string{"__complete"}, c.typed...), strings.NewReader(""), &out, &errs); code != 0 {
			t.Errorf("%q: exit code %d: %s", c.typed, code, errs.String())
			continue
		}
		var offered []string
		for _, line := range strings.Split(out.String(), "\n") {
			word, _, _ := strings.Cut(line, "\t")
			offered = append(offered, word)
		}
		if !slices.Contains(offered, c.want) {
			t.Errorf("%q offers %q, want %s among them", c.typed, offered, c.want)
		}
	}
}

func TestVersion(t *testing.T) {
	var out bytes.Buffer
	if code := cli.Run(context.Background(), catalog.All(), []string{"--version"}, strings.NewReader(""), &out, &out); code != 0 {
		t.Fatalf("exit code %d: %s", code, out.String())
	}
	if got := out.String(); !strings.HasPrefix(got, "plyfit ") || !strings.Contains(got, " go1.") || strings.Count(got, "\n") != 1 {
		t.Errorf("%q: want one line, plyfit, its version, and that of Go", got)
	}
}
