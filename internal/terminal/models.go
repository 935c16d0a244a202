package terminal

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"plyfit/internal/proc"
	"plyfit/internal/report"
	"plyfit/models"
)

// PrintModel prints a model's description and origin, then its weights, a line a term; of pattern
// tables only their size.
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
		fmt.Fprintf(out, "made by   %s\n          %s on %d rows of %d episodes, data set %.12s, seed %d\n", p.Command, p.Method, p.Rows, p.Episodes, p.Data, p.Seed)
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

// PrintDifference prints the differences of two models, a line a term.
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
			t.Rows = append(t.Rows, []string{"table " + x.Name, "", "", fmt.Sprintf("%d weights differ, root mean square %.6g", x.Changed, x.RMS), ""})
		}
	}
	t.Caption = d.Text("A", "B")
	if err := t.Print(out); err != nil || t.Caption == "" {
		return proc.Failure(err)
	}
	_, err := fmt.Fprintln(out, t.Caption)
	return proc.Failure(err)
}
