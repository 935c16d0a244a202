package report

import (
	"strings"
	"testing"
)

// TestBoard: a board keeps its sides' ratio, and one without a viewBox is refused.
func TestBoard(t *testing.T) {
	f, err := NewFigure("game", "A game", "", Board{Title: "after 3 plies", SVG: `<svg viewBox="0 0 200 100"><rect/></svg>`, Width: 220})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`width="200" height="100"><svg viewBox="0 0 200 100"><rect/></svg></svg>`, "after 3 plies"} {
		if !strings.Contains(string(f.SVG), want) {
			t.Errorf("the figure lacks %s: %s", want, f.SVG)
		}
	}
	for _, bad := range []string{`<svg><rect/></svg>`, `<svg viewBox="0 0 0 100"/>`, `<svg viewBox="1 0 200 100"/>`} {
		if _, err := NewFigure("game", "", "", Board{SVG: bad}); err == nil || !strings.Contains(err.Error(), "viewBox") {
			t.Errorf("%s: %v, want an error that names the viewBox", bad, err)
		}
	}
}
