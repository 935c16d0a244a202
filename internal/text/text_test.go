package text

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestHint(t *testing.T) {
	names := []string{"alphabeta", "minimax", "maxn", "chess", "checkers", "mcts", "tournament", "--openings", "--openings-fixed"}
	for word, want := range map[string]string{
		"alfabeta": "alphabeta", "ches": "chess", "cehss": "chess", "MCTS": "mcts", "alph": "alphabeta",
		"tourney": "tournament", "tour": "tournament", "touring": "tournament", "--opals": "", "zebra": "", "ch": "", "": "",
	} {
		if want != "" {
			want = `; did you mean "` + want + `"?`
		}
		if got := Hint(word, names); got != want {
			t.Errorf("Hint(%q) is %q, want %q", word, got, want)
		}
	}
}

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

// TestLines checks that every end of a line reads as one, however the bytes arrive.
func TestLines(t *testing.T) {
	const in, want = "a\rb\r\nc\n\rd\r", "a\nb\r\nc\n\nd\n"
	for _, r := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in))} {
		if got, err := io.ReadAll(Lines(r)); string(got) != want || err != nil {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	for _, in := range []string{"\xff\xfea\x00", "\xfe\xff\x00a", "a\x00b\x00", "\x00a"} {
		r := Lines(strings.NewReader(in))
		for range 2 {
			if got, err := io.ReadAll(r); len(got) > 0 || err == nil || !strings.Contains(err.Error(), "UTF-16") {
				t.Errorf("%q: %q, %v", in, got, err)
			}
		}
	}
}

// TestJSON: errors name the key, and the line of a text that has several.
func TestJSON(t *testing.T) {
	for text, want := range map[string]string{
		"{\"a\": 1}\n x": "line 2: want nothing after", "{\n\"a\":\n\"x\"}": "line 3: key A: want a value of type int, not string",
		`{"b": 2}`: `unknown field "b"`, "[1]": "no JSON object", "{\n\"a\":,}": "line 2: invalid", "{": "unexpected EOF",
	} {
		if err := JSON([]byte(text), &struct{ A int }{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestGrouped(t *testing.T) {
	for in, want := range map[string]string{
		"18435 ± 2331": "18,435 ± 2,331", "999": "999", "-1234567.25": "-1,234,567.25", "1234 (1000 to 2000)": "1,234 (1,000 to 2,000)",
		"2048:size=3": "2048:size=3", "1.85059e+07": "1.85059e+07", "0.12345": "0.12345", "abc1234": "abc1234", "": "",
	} {
		if got := Grouped(in); got != want {
			t.Errorf("Grouped(%q) = %q, want %q", in, got, want)
		}
	}
}
