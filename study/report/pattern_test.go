package report

import (
	"strings"
	"testing"
)

// TestPattern: every cell of the board and of each filling is drawn once, discs are
// full or empty, and what cannot be drawn is refused.
func TestPattern(t *testing.T) {
	p := Pattern{Title: "edge", Rows: 4, Columns: 4, Cells: []int{0, 1, 2}, Note: "what it adds",
		High: []Entry{{"+-.", 0.25, "1.0%"}, {"a+0", 0.1, "0.5%"}}, Low: []Entry{{"-_-", -3, "2.0%"}}}
	d, err := p.plot()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"<rect": 16 + 9, "<circle": 5, `fill="var(--ink)" stroke="var(--ink)"`: 2, `fill="none" stroke="var(--ink)"`: 3, "<line": 1, ">+.25<": 1, ">-3<": 1, ">a<": 1, ">what it adds<": 1} {
		if got := strings.Count(d.body, text); got != want {
			t.Errorf("%q stands %d times, want %d", text, got, want)
		}
	}
	for _, wrong := range []Pattern{{Title: "none", Rows: 4, Columns: 4}, {Title: "beyond", Rows: 2, Columns: 2, Cells: []int{4}}, {Title: "many", Rows: 1, Columns: 1, Cells: []int{0}, Low: make([]Entry, 4)}} {
		if _, err := wrong.plot(); err == nil || !strings.Contains(err.Error(), wrong.Title) {
			t.Errorf("%s: error %v, want one that names it", wrong.Title, err)
		}
	}
}
