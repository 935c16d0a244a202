package serve

import (
	"strings"
	"testing"
)

// TestSquareText: a square holds five characters, and a weight in it is right to two
// digits or to a thousandth.
func TestSquareText(t *testing.T) {
	for w, want := range map[float64]string{
		0.25: ".25", -0.0312: "-.031", 1.5: "1.5", -12: "-12", 0.00074: ".001", -0.00088: "-.001", 0.0003: ".0003", -1e-05: "0",
	} {
		if got := squareText(w); got != want || len(got) > 5 {
			t.Errorf("%v in a square is %q, want %q", w, got, want)
		}
	}
}

// TestBars: short names stand beside their bars; one that is too long for that has all
// of them stand above, whole.
func TestBars(t *testing.T) {
	long := "knight-hits-queen-guarded-move@1"
	for _, c := range []struct {
		names  []string
		anchor string
	}{{[]string{"pawn", "rook"}, "end"}, {[]string{"pawn", long}, "start"}} {
		picture := string(bars(c.names, []float64{1, -2}, []float64{0, 0.1}, "weights"))
		for _, name := range c.names {
			if want := `text-anchor="` + c.anchor + `">` + name + "</text>"; !strings.Contains(picture, want) {
				t.Errorf("%v: %s does not stand as %s", c.names, name, want)
			}
		}
	}
}
