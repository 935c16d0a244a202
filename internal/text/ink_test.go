package text

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
	if Plain("a"+got+"b") != "a●b" {
		t.Errorf("%q is %q", got, Plain(got))
	}
	// What is no sequence of colour stays.
	if text := "\x1b[2J\x1b[m"; Plain(text) != "\x1b[2J" {
		t.Errorf("%q", Plain(text))
	}
}
