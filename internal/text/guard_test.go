package text

import (
	"strings"
	"testing"
)

// TestGuard: text, tabs, lines and our styles pass; what moves the cursor, names a window
// or rings does not, however it is cut into writes.
func TestGuard(t *testing.T) {
	painted := Paint(true, "♞ knight", Fg(7), Bold)
	const evil = "a\x1b[2J\x1b]0;title\x07b\rc\u009b1mé\xff\x9b31m\x7f"
	const harmless = `a\x1b[2J\x1b]0;title\x07b\x0dc\u009b1mé\xff\x9b31m\x7f`
	if got := Text(evil); got != harmless {
		t.Errorf("Text: %q, want %q", got, harmless)
	}
	if got := Text("a\tb\nc ♞ \ufffd"); got != "a\tb\nc ♞ \ufffd" {
		t.Errorf("Text changes what is harmless: %q", got)
	}
	in := painted + evil + painted + "\tline\n"
	want := painted + harmless + painted + "\tline\n"
	for size := 1; size <= len(in); size++ {
		var b strings.Builder
		g := &Guard{W: &b}
		for rest := in; rest != ""; {
			n := min(size, len(rest))
			if wrote, err := g.Write([]byte(rest[:n])); wrote != n || err != nil {
				t.Fatal(wrote, err)
			}
			rest = rest[n:]
		}
		if b.String() != want {
			t.Fatalf("in writes of %d: %q\nwant %q", size, b.String(), want)
		}
	}
}
