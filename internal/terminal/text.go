package terminal

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"golang.org/x/term"

	"plyfit/game"
	"plyfit/internal/protocol"
	"plyfit/internal/text"
)

// Guarded makes control codes visible in output to a terminal; names in others' files may have
// them.
func Guarded(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &text.Guard{W: f}
	}
	return w
}

// inColour reports whether to write colours: to a terminal that can, unless the user objects
// (no-color.org).
func inColour(w io.Writer) bool {
	if g, ok := w.(*text.Guard); ok {
		w = g.W
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" && os.Getenv("NO_COLOR") == ""
}

// Number formats x with up to six significant digits, more for integers.
func Number(x float64) string {
	switch {
	case x == math.Trunc(x) && math.Abs(x) < 1e15:
		return fmt.Sprintf("%.0f", x+0) // +0: no negative zero
	default:
		return fmt.Sprintf("%.6g", x)
	}
}

// Value formats a value of g in a player's view, in chess also in centipawns unless it is a proven
// win or loss.
func Value(g *game.Game, x float64) string {
	b := g.Base()
	if !b.Pawns || x <= b.Min || x >= b.Max {
		return Number(x)
	}
	return fmt.Sprintf("%s (%+d cp)", Number(x), protocol.Centipawns(x, b.Min, b.Max))
}

// OneLine folds several lines, such as an error's, into one and makes control codes visible.
func OneLine(s string) string {
	return text.Text(strings.Join(strings.FieldsFunc(strings.TrimSpace(s), func(r rune) bool { return r == '\n' || r == '\r' }), "; "))
}
