package terminal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"plyfit/game"
	"plyfit/game/play"
	"plyfit/internal/disk"
	"plyfit/internal/list"
	"plyfit/internal/proc"
	"plyfit/internal/protocol"
	"plyfit/internal/report"
	"plyfit/internal/text"
	"plyfit/models"
)

// Help lists the commands that a person can enter.
const Help = `  MOVE           makes a move
  moves          lists the legal moves
  hint           shows the move that the agent would play
  go             makes the agent play your next move
  undo           undoes your last move and the reply
  board          draws the position again
  position       prints the position on one line, in the form of --position
  save FILE      saves the game so far; the name's extension selects the format
  quit           ends the session, as does the end of the input`

// obey executes a line of input and reports whether the person has quit (in left). Invalid input is
// reported to the person. Only errors that end the session are returned.
func (t *sitting) obey(ctx context.Context, line string) (left bool, err error) {
	if line != "" && !t.prompts {
		t.say("%s> %s\n", t.prompt(), line)
	}
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "":
	case "quit":
		return true, t.leave()
	case "help":
		t.say("%s\n", Help)
	case "board":
		return false, t.show()
	case "position":
		t.say("%s\n", t.State)
	case "undo":
		if !t.TakeBack(func(p game.Player) bool { return p == t.human }) {
			t.say("nothing to undo\n")
		}
	case "save":
		if err := t.save(strings.TrimSpace(rest)); err != nil {
			t.say("%s\n", OneLine(err.Error()))
		}
	default:
		if !t.Over() {
			return false, t.decide(ctx, word, line)
		}
		t.say("the game is over; use undo, save FILE or quit\n")
	}
	return false, nil
}

// decide executes a move, or a command that needs an unfinished game.
func (t *sitting) decide(ctx context.Context, word, line string) error {
	switch word {
	case "moves":
		return proc.Failure(game.WrapWords(t.out, moveNames(t.State), 80))
	case "hint", "go":
		r, err := t.search(ctx, t.human)
		if err != nil {
			return err
		}
		t.say("%s\n", t.formatResult(r))
		if word == "go" {
			t.Play(r.Move)
		}
	case "eval", "explain":
		t.say("%s was removed; use plyfit eval %s --position '%s', or plyfit serve\n", word, t.world.Spec, t.State)
	default:
		m, err := t.read(line)
		if err != nil {
			t.say("%s; enter help for a list of commands\n", OneLine(err.Error()))
			return nil
		}
		t.Play(m)
	}
	return nil
}

func moveNames(s game.State) (names []string) {
	return list.Map(s.Moves(nil), func(m game.Move) string { return game.Spelled(s, m) })
}

// read returns the move that text denotes: its name in either notation, in upper or lower case, or
// a prefix that matches only one move.
func (t *sitting) read(text string) (game.Move, error) {
	m, err := t.world.ParseMove(t.State, text)
	if err == nil || text == "" {
		return m, err
	}
	found := game.NoMove
	for _, m := range t.State.Moves(nil) {
		for _, name := range []string{t.State.MoveString(m), game.Spelled(t.State, m)} {
			if strings.EqualFold(name, text) {
				return m, nil
			}
			if m != found && len(name) > len(text) && strings.EqualFold(name[:len(text)], text) {
				if found != game.NoMove {
					return game.NoMove, err
				}
				found = m
			}
		}
	}
	if found != game.NoMove {
		return found, nil
	}
	var wrong *game.MoveError
	if errors.As(err, &wrong) && len(wrong.Legal) > 0 {
		err = &game.MoveError{Text: text, Legal: moveNames(t.State)}
	}
	return game.NoMove, err
}

func (t *sitting) save(path string) error {
	if path == "" {
		return fmt.Errorf("save: missing file name")
	}
	if err := disk.Check(path); err != nil {
		return err
	}
	format, err := game.FormatFor(t.world.Game, path)
	if err != nil {
		return err
	}
	record := &game.Transcript{Event: "plyfit play", Start: t.Begun, End: game.Unfinished}
	record.Moves = list.Map(t.Moves, func(m play.Move) game.Move { return m.Move })
	for p := range t.seats {
		name := t.agent
		if game.Player(p) == t.human {
			name = "human"
		}
		record.Names, record.Sides = append(record.Names, name), append(record.Sides, p)
		if t.State.Turn() == game.Nobody {
			record.End, record.Utility = game.Played, append(record.Utility, t.State.Utility(game.Player(p)))
		}
	}
	if err := disk.Write(path, func(w io.Writer) error { return format.New(w, t.world.Game)(record) }); err != nil {
		return err
	}
	t.say("saved: %d moves in %s\n", len(t.Moves), path)
	return nil
}

// Guarded returns a writer that makes control characters visible if w is a terminal. Otherwise it
// returns w. Names in other people's files may contain control characters.
func Guarded(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &text.Guard{W: f}
	}
	return w
}

// inColour reports whether to write colours. It returns false unless w is a terminal that supports
// colours and the user allows them (no-color.org).
func inColour(w io.Writer) bool {
	if g, ok := w.(*text.Guard); ok {
		w = g.W
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" && os.Getenv("NO_COLOR") == ""
}

// Number formats x with up to six significant digits, or with all digits if x is an integer.
func Number(x float64) string {
	switch {
	case x == math.Trunc(x) && math.Abs(x) < 1e15:
		return fmt.Sprintf("%.0f", x+0) // adding 0 turns -0 into 0
	default:
		return fmt.Sprintf("%.6g", x)
	}
}

// Value formats a value of g for a player. In chess, it adds the value in centipawns, unless the
// value is a proven win or loss.
func Value(g *game.Game, x float64) string {
	b := g.Base()
	if !b.Pawns || x <= b.Min || x >= b.Max {
		return Number(x)
	}
	return fmt.Sprintf("%s (%+d cp)", Number(x), protocol.Centipawns(x, b.Min, b.Max))
}

// OneLine joins the lines of s with semicolons and makes control characters visible.
func OneLine(s string) string {
	return text.Text(strings.Join(strings.FieldsFunc(strings.TrimSpace(s), func(r rune) bool { return r == '\n' || r == '\r' }), "; "))
}

// PrintModel prints a model's description and origin, followed by its weights, one per line. It
// prints only the sizes of pattern tables.
func PrintModel(out io.Writer, f *models.File) error {
	fmt.Fprintf(out, "game      %s\nfeatures  %s\nlink      %s", f.Game, f.Features, f.Link.Kind)
	if f.Link.Bounded() {
		fmt.Fprintf(out, " (scale %.6g)", cmp.Or(f.Link.Scale, 1))
	}
	fmt.Fprintf(out, "\nbias      %.6g\n", f.Bias)
	if x := f.Softmax; x.Temperature != 0 {
		fmt.Fprintf(out, "softmax   temperature %.4g, random %.4g\n", x.Temperature, x.Random)
	}
	if p := f.Provenance; p != nil {
		data := fmt.Sprintf("%d episodes", p.Episodes)
		if p.Rows > 0 {
			data = fmt.Sprintf("%d rows of %s, data set %.12s", p.Rows, data, p.Data)
		}
		fmt.Fprintf(out, "made by   %s\n          %s on %s, seed %d\n", p.Command, p.Method, data, p.Seed)
		for _, k := range slices.Sorted(maps.Keys(p.HeldOut)) {
			fmt.Fprintf(out, "held out  %s %.6g\n", k, p.HeldOut[k])
		}
	}
	t := report.Table{Head: []string{"term", "weight", "standard error"}}
	for _, w := range f.Terms {
		se := ""
		if !math.IsNaN(w.Error) {
			se = fmt.Sprintf("%.3g", w.Error)
		}
		t.Rows = append(t.Rows, []string{w.Name, fmt.Sprintf("%.6g", w.Weight), se})
	}
	fmt.Fprintln(out)
	if err := t.Print(out); err != nil {
		return proc.Failure(err)
	}
	for _, b := range f.TableBlocks {
		if _, err := fmt.Fprintf(out, "table %s: %d weights\n", b.Name, b.Len); err != nil {
			return proc.Failure(err)
		}
	}
	return nil
}

// PrintDifference prints the differences between two models, one term per line.
func PrintDifference(out io.Writer, d models.Difference) error {
	for _, h := range d.Head {
		fmt.Fprintf(out, "%s: %s, %s\n", h.Key, h.A, h.B)
	}
	t := report.Table{Head: []string{"term", "A", "B", "B - A", "in standard errors"}}
	cell := func(x float64, there bool) string {
		if !there {
			return "-"
		}
		return fmt.Sprintf("%.6g", x)
	}
	for _, x := range d.Terms {
		less, z := "", ""
		if d.Times != 0 {
			less = fmt.Sprintf("%.6g", x.B-x.A)
		}
		if x.Z != 0 {
			z = fmt.Sprintf("%.1f", x.Z)
		}
		t.Rows = append(t.Rows, []string{x.Name, cell(x.A, x.InA), cell(x.B, x.InB), less, z})
	}
	for _, x := range d.Tables {
		if d.Times != 0 {
			t.Rows = append(t.Rows, []string{"table " + x.Name, "", "", fmt.Sprintf("%d weights differ, with a root mean square of %.6g", x.Changed, x.RMS), ""})
		}
	}
	t.Caption = d.Text("A", "B")
	if err := t.Print(out); err != nil || t.Caption == "" {
		return proc.Failure(err)
	}
	_, err := fmt.Fprintln(out, t.Caption)
	return proc.Failure(err)
}
