package fit

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"plyfit/datasets/table"
	"plyfit/internal/vectors"
	"plyfit/models"
)

var tapered = table.Layout{Phase: "phase", PhaseMax: 24, Group: "game"}

// TestPenaltyUnits checks that the effect of a penalty does not depend on the unit of the weights.
func TestPenaltyUnits(t *testing.T) {
	text := csvOf(20000)
	at := func(scale, penalty float64) float64 {
		return fitted(t, text, tapered, setup{}, Options{Scale: Scale{Value: scale}, Penalty: penalty}).Weights().Columns[1].Middlegame * scale
	}
	free := at(1, 0)
	for _, penalty := range []float64{1e-4, 0.1} {
		if cp, one := at(CentipawnScale, penalty), at(1, penalty); math.Abs(cp-one) > 1e-6*one || one > free {
			t.Errorf("penalty %v: %v in centipawns, %v in units of the link", penalty, cp, one)
		}
	}
	if cp := at(CentipawnScale, 1e-4); cp < 0.9*free {
		t.Errorf("a penalty of 1e-4 leaves %v of %v", cp, free)
	}
}

// TestDetermined checks that middlegame and endgame weights are at most 400 if one column is a
// combination of others, and that the held-out loss does not change.
func TestDetermined(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(csvOf(20000)), "\n")
	for i, line := range lines {
		cells := strings.Split(line, ",")
		both := "both"
		if i > 0 {
			var pawn, knight int
			fmt.Sscan(cells[2], &pawn)
			fmt.Sscan(cells[3], &knight)
			both = fmt.Sprint(pawn + 3*knight)
		}
		lines[i] = both + "," + line
	}
	plain := fitted(t, csvOf(20000), tapered, setup{}, Options{})
	f := fitted(t, strings.Join(lines, "\n")+"\n", tapered, setup{}, Options{Penalty: Determined})
	if math.Abs(f.Report.HeldOutLoss-plain.Report.HeldOutLoss) > 1e-7 {
		t.Errorf("held-out loss %v, want %v", f.Report.HeldOutLoss, plain.Report.HeldOutLoss)
	}
	for _, c := range f.Weights().Columns {
		if math.Abs(c.Middlegame) > 400 || math.Abs(c.Endgame) > 400 {
			t.Errorf("%s weighs %v/%v", c.Name, c.Middlegame, c.Endgame)
		}
	}
	_, tables := described(f)
	for _, row := range tables[1].Rows[:3] {
		note := row[len(row)-1]
		if !strings.Contains(note, "mg: ") || !strings.Contains(note, "; eg: ") {
			t.Errorf("%s has the note %q, want one of middlegame and endgame", row[0], note)
		}
	}
}

// TestWidth checks that a narrower prior keeps weights closer to their starting values. Rows of a
// game that have the same label must count as fewer independent rows.
func TestWidth(t *testing.T) {
	text := csvOf(20000)
	start := &models.Weights{Tapered: true, Columns: []models.Weight{{Name: "pawn", Middlegame: 60, Endgame: 60}}}
	at := func(width float64, layout table.Layout, text string) float64 {
		f := fitted(t, text, layout, setup{start: start}, Options{Width: Width{Value: width}})
		said, _ := described(f)
		if noted := strings.Contains(strings.Join(said, "\n"), "training rows carry as much information as"); noted != (width > 0) {
			t.Errorf("width %v: %q", width, said)
		}
		return f.Weights().Columns[0].Middlegame
	}
	free, wide, narrow := at(0, tapered, text), at(1e4, tapered, text), at(0.1, tapered, text)
	if math.Abs(wide-free) > 0.1 || math.Abs(narrow-60) > 1 || free < 75 {
		t.Errorf("free %v, wide %v, narrow %v, start 60", free, wide, narrow)
	}
	// All rows of a game get the same label.
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := 1; i < len(lines); i++ {
		first := lines[(i-1)/10*10+1]
		lines[i] = lines[i][:strings.LastIndex(lines[i], ",")] + first[strings.LastIndex(first, ","):]
	}
	o := Options{Width: Width{Value: 10}}
	together := fitted(t, strings.Join(lines, "\n")+"\n", tapered, setup{start: start}, o).Repeated
	if single := fitted(t, text, tapered, setup{start: start}, o).Repeated; single > 1.2 || together < 5 || together > 11 {
		t.Errorf("one row in %v is independent in games of ten equal labels, one in %v in games of independent labels", together, single)
	}
	rows := openTables(t, tapered, text)[0]
	if _, err := RunColumns(t.Context(), rows, Options{Width: Width{Value: 10}, Loss: SquaredError}); err == nil || !strings.Contains(err.Error(), "want loss logistic and method newton") {
		t.Errorf("a width of squares: %v", err)
	}
}

// TestFinal checks that the weights are fitted to all rows but the losses measured on the split.
func TestFinal(t *testing.T) {
	text := csvOf(10000)
	split := fitted(t, text, tapered, setup{}, Options{})
	final := fitted(t, text, tapered, setup{}, Options{Final: true, Integers: true})
	if final.Report.HeldOutLoss != split.Report.HeldOutLoss || final.Report.HeldOutRows != split.Report.HeldOutRows {
		t.Errorf("held-out loss %v of %d rows, want %v of %d", final.Report.HeldOutLoss, final.Report.HeldOutRows, split.Report.HeldOutLoss, split.Report.HeldOutRows)
	}
	all := fitted(t, text, tapered, setup{}, Options{HeldOut: HeldOut{OneIn: 1 << 30}})
	if all.Report.HeldOutRows != 0 {
		t.Fatalf("%d rows held out", all.Report.HeldOutRows)
	}
	for i, c := range final.Weights().Columns {
		want := all.Weights().Columns[i]
		if c.Middlegame != math.RoundToEven(want.Middlegame) || c.Endgame != math.RoundToEven(want.Endgame) {
			t.Errorf("%+v, want %+v", c, want)
		}
	}
	if notes := strings.Join(final.Report.Notes, "\n"); !strings.Contains(notes, "a final fit to all 10000 rows") {
		t.Errorf("notes %q", notes)
	}
}

// TestFits checks that weights too large for 32-bit integers are rejected, and that weights too
// large for 16 bits are listed.
func TestFits(t *testing.T) {
	rows := openTables(t, tapered, csvOf(5000))[0]
	o := Options{Integers: true, Scale: Scale{Value: 1e-12}}
	if _, err := RunColumns(t.Context(), rows, o); err == nil || !strings.Contains(err.Error(), "fit in 32 bits") {
		t.Errorf("%v, want that it does not fit", err)
	}
	o.Scale.Value = 1e-5
	f := vectors.Must(RunColumns(t.Context(), rows, o))
	if notes := strings.Join(f.Report.Notes, "\n"); !strings.Contains(notes, "too large for 16 bits, which some engines use for packed weights: mg pawn") {
		t.Errorf("notes %q", notes)
	}
}

// TestExtrapolated checks that the middlegame weight of a column that occurs only in endgames is
// marked as extrapolated.
func TestExtrapolated(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(csvOf(10000)), "\n")
	for i, line := range lines[1:] {
		cells := strings.Split(line, ",")
		var phase float64
		if fmt.Sscan(cells[1], &phase); phase > 12 {
			cells[2] = "0"
		}
		lines[i+1] = strings.Join(cells, ",")
	}
	_, tables := described(fitted(t, strings.Join(lines, "\n")+"\n", tapered, setup{}, Options{}))
	for i, want := range []string{"mg: extrapolated: only 0% of the rows are in this third of the phases", "", ""} {
		if row := tables[1].Rows[i]; row[len(row)-1] != want {
			t.Errorf("%s has the note %q, want %q", row[0], row[len(row)-1], want)
		}
	}
}

// TestWidthChosen checks that, with 1,500 rows, cross-validation chooses a wide prior if the true
// weights are far from the start, and a narrow one if they are at the start. A column with its own
// width must stay at its start only if that width is small.
func TestWidthChosen(t *testing.T) {
	at := func(text string, weights []models.Weight, w Width) (*Result, models.Weight) {
		f := fitted(t, text, tapered, setup{start: &models.Weights{Tapered: true, Columns: weights}}, Options{Width: w})
		return f, f.Weights().Columns[1]
	}
	near, _ := at(csvOf(1500), truth, Width{Auto: true})
	far, _ := at(csvOf(1500), []models.Weight{{Name: "knight", Middlegame: 0, Endgame: 0}}, Width{Auto: true})
	if near.Options.Width.Value > 12 || far.Options.Width.Value < 100 {
		t.Errorf("widths of %v from the truth and %v from zeros, want a narrow and a wide one", near.Options.Width.Value, far.Options.Width.Value)
	}
	for _, by := range []float64{0.01, 1e4} {
		_, c := at(csvOf(5000), []models.Weight{{Name: "knight", Middlegame: 200, Endgame: 200}}, Width{By: map[string]float64{"knight": by}})
		if held := math.Abs(c.Middlegame-200) < 1; held != (by < 1) {
			t.Errorf("a width of %v from 200: %v", by, c.Middlegame)
		}
	}
}
