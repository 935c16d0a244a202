package terminal

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"golang.org/x/term"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/protocol"
	"plyfit/internal/session"
	"plyfit/internal/text"
)

// Guarded is w as results are written to it: where it is a terminal, control codes in
// them, which names in files of others may have, come as text.
func Guarded(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &text.Guard{W: f}
	}
	return w
}

// capable reports whether w, guarded or not, is a terminal that knows escape sequences.
func capable(w io.Writer) (*os.File, bool) {
	if g, ok := w.(*text.Guard); ok {
		w = g.W
	}
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// inColour reports whether to write to w in colour: to a terminal that can, but
// where the user asked for none (no-color.org).
func inColour(w io.Writer) bool {
	_, ok := capable(w)
	return ok && os.Getenv("NO_COLOR") == ""
}

// Number prints x as a person reads it: up to six significant digits, more
// where an integer has them.
func Number(x float64) string {
	switch {
	case x == math.Trunc(x) && math.Abs(x) < 1e15:
		return fmt.Sprintf("%.0f", x+0) // +0: no negative zero
	default:
		return fmt.Sprintf("%.6g", x)
	}
}

// Value prints a value of g in a player's view, in chess also in centipawns, unless it
// is a proven win or loss.
func Value(g *game.Game, x float64) string {
	b := g.Base()
	if !b.Pawns || x <= b.Min || x >= b.Max {
		return Number(x)
	}
	return fmt.Sprintf("%s (%+d cp)", Number(x), protocol.Centipawns(x, b.Min, b.Max))
}

// OneLine folds a text of several lines, an error's above all, into the one that
// it is printed on. Control codes in it come as text.
func OneLine(s string) string {
	return text.Text(strings.Join(strings.FieldsFunc(strings.TrimSpace(s), func(r rune) bool { return r == '\n' || r == '\r' }), "; "))
}

// outcome is how the finished game at s ended, in words.
func outcome(w *catalog.World, s game.State) string {
	return "over: " + session.Outcome(w.Game, s, w.Seat, Number)
}
