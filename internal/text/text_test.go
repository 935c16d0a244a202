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
	// Sequences that do not set a style stay.
	if text := "\x1b[2J\x1b[m"; Plain(text) != "\x1b[2J" {
		t.Errorf("%q", Plain(text))
	}
}

// TestGuard checks that text, tabs, newlines and plyfit's styles pass, and that sequences that move
// the cursor, set the title or ring the bell do not, no matter how writes split them.
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

// TestLines checks that each line ending is read as a single one, no matter how reads split the
// bytes, and that UTF-16 text and binary data are rejected.
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

// TestJSON checks that errors contain the line, the column, the key and the expected value.
func TestJSON(t *testing.T) {
	type part struct {
		B float64 `json:"b" required:"true"`
	}
	type embedded struct {
		C string            `json:"c"`
		M map[string]uint64 `json:"m"`
	}
	type whole struct {
		embedded
		A     int       `json:"a"`
		Parts []part    `json:"parts"`
		Part  *part     `json:"part"`
		List  []float64 `json:"list"`
	}
	for text, want := range map[string]string{
		"": "line 1, column 1: want a JSON object, found nothing", " [1]": "line 1, column 2: want a JSON object, found a list",
		"{":                                "line 1, column 2: want the rest of the JSON, found the end of the text",
		"{\n\"a\":,}":                      "line 2, column 5: key a: want JSON, found invalid character",
		"{\"a\": -Infinity}":               "line 1, column 7: key a: want a finite number, found -Infinity",
		"{\"c\": \"\xff\"}":                "line 1, column 8: want text in UTF-8",
		"{\"a\": 1}\n x":                   "line 2, column 2: want nothing after the JSON object, found \"x\"",
		`{"z": 1}`:                         `line 1, column 2: want one of the keys a, c, list, m, part, parts, found "z"`,
		`{"A": 1}`:                         `line 1, column 2: want one of the keys`,
		"{\"a\": 1,\n\"a\": 1}":            `line 2, column 1: want each key once, found "a" twice`,
		"{\n\"a\":\n\"x\"}":                `line 3, column 1: key a: want a whole number, found "x"`,
		`{"a": null}`:                      `line 1, column 7: key a: want a whole number, found null`,
		`{"c": [1]}`:                       `line 1, column 7: key c: want text, found a list`,
		`{"m": {"x": -1}}`:                 `line 1, column 13: key m.x: want a whole number of at least 0, found -1`,
		`{"list": [1, null]}`:              `line 1, column 14: key list[1]: want a finite number, found null`,
		`{"part": 1}`:                      `line 1, column 10: key part: want an object, found 1`,
		`{"parts": {}}`:                    `line 1, column 11: key parts: want a list, found an object`,
		`{"parts": [{"b": 1}, {}]}`:        `line 1, column 22: key parts[1]: want the key "b", found none`,
		`{"parts": [{"b": 1}, {"b": ""}]}`: `line 1, column 28: key parts[1].b: want a finite number, found ""`,
	} {
		if err := JSON([]byte(text), &whole{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	v := whole{Parts: []part{{7}}}
	text := []byte("{\"c\": \"d\", \"part\": null, \"parts\": [{\"b\": 1},\n {\"b\": 2}], \"a\": 3, \"m\": {\"x\": 4}}\n")
	if err := JSON(text, &v); err != nil || v.C != "d" || v.Part != nil || len(v.Parts) != 2 || v.Parts[1].B != 2 || v.A != 3 || v.M["x"] != 4 {
		t.Errorf("read %+v, %v", v, err)
	}
	if line, column := Place(text, "parts[1].b"); line != 2 || column != 8 {
		t.Errorf("parts[1].b is on line %d, column %d", line, column)
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
