package ink

import "testing"

func TestPaint(t *testing.T) {
	if got := Paint(false, "X", Bold, Fg(9)); got != "X" {
		t.Errorf("%q without colour", got)
	}
	if got := Paint(true, "X"); got != "X" {
		t.Errorf("%q without a style", got)
	}
	got := Paint(true, "●", Bold, Fg(196), Bg(22))
	if want := "\x1b[1;38;5;196;48;5;22m●\x1b[0m"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if Plain("a"+got+"b") != "a●b" || Width("a"+got+"b") != 3 {
		t.Errorf("%q is %q, %d columns", got, Plain(got), Width(got))
	}
	// What is no sequence of colour stays.
	if text := "\x1b[2J\x1b[m"; Plain(text) != "\x1b[2J" {
		t.Errorf("%q", Plain(text))
	}
}

func TestCut(t *testing.T) {
	red := Paint(true, "three", Fg(9))
	for _, c := range []struct {
		line    string
		columns int
		want    string
	}{
		{"three", 5, "three"},
		{"three", 4, "thr…"},
		{"three", 1, "…"},
		{"three", 0, ""},
		{red, 5, red},
		{red, 4, "\x1b[38;5;9mthr\x1b[0m…"},
		{red + "s", 5, "\x1b[38;5;9mthre\x1b[0m…"},
		{"a" + red, 1, "…"},
		{red + " and four", 8, red + " a…"},
	} {
		if got := Cut(c.line, c.columns); got != c.want {
			t.Errorf("%q cut to %d is %q, want %q", c.line, c.columns, got, c.want)
		}
	}
}
