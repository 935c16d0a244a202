package report

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"plyfit/internal/svg"
	"plyfit/internal/vectors"
)

// crowd returns a chart whose lines all end at the same point.
func crowd() Chart {
	c := Chart{Title: "crowd", XLabel: "x", YLabel: "y"}
	for _, name := range []string{"one", "two and a half words", "three", "four", "five", "six", "seven", "eight", "nine"} {
		c.Series = append(c.Series, Series{Name: name, X: []float64{1, 2}, Y: []float64{0, 1}})
	}
	return c
}

// TestLabelsKeepApart checks that the names of lines are next to the plot and do not overlap, even
// if many lines end at the same point.
func TestLabelsKeepApart(t *testing.T) {
	labels, width, height := crowd().labels()
	x, y := axis{1, 2, 30, panelWidth - width}, axis{0, 1, 20 + height + 4*lineStep, 20}
	place(labels, x, y)
	for i := 1; i < len(labels); i++ {
		if end := labels[i-1].top + labels[i-1].height(); labels[i].top < end {
			t.Errorf("%v begins at %.1f, above the end of %v at %.1f", labels[i].lines, labels[i].top, labels[i-1].lines, end)
		}
	}
	if last := labels[len(labels)-1]; last.top+last.height() > y.from+lineStep {
		t.Errorf("%v ends at %.1f, below the plot's %.1f", last.lines, last.top+last.height(), y.from)
	}
}

// TestFigureIsWellFormed checks that a figure is well-formed XML, and that each of its panels is
// one line that can be used in a page.
func TestFigureIsWellFormed(t *testing.T) {
	rows := Rows{Title: "a < b & c", XLabel: "plies", Level: new(0.0), Rows: []Row{{Name: "noise", Value: 1, Low: 0.5, High: 1.5}, {Name: "none", Missing: true, Text: "no ratio"}}}
	f := vectors.Must(NewFigure("name", "A title", "caption", crowd(), rows))
	d := xml.NewDecoder(strings.NewReader(string(f.SVG)))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if len(f.Panels) != 2 {
		t.Fatalf("%d panels, want 2", len(f.Panels))
	}
	for _, p := range f.Panels {
		if strings.Contains(string(p), "\n") || strings.Contains(string(p), "<style>") {
			t.Errorf("a panel in a page has more than one line or a style of its own: %.200s", p)
		}
	}
}

// TestNothingIsHidden checks that a plot that cannot be drawn causes an error.
func TestNothingIsHidden(t *testing.T) {
	for name, p := range map[string]Plot{
		"a point that is not finite":      Chart{Series: []Series{{X: []float64{1}, Y: []float64{math.NaN()}}}},
		"a series without points":         Chart{Series: []Series{{Name: "empty"}}},
		"an interval that is not bounded": Rows{Rows: []Row{{Value: 1, Low: 0, High: math.Inf(1)}}},
		"infinity":                        Heat{Values: [][]float64{{math.Inf(1)}}},
		"a grid without cells":            Heat{},
	} {
		if _, err := NewFigure("", "", "", p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestDetailsAndContents checks that details can be opened in a page and follow their summary in
// Markdown, and that the table of contents includes the sections after them.
func TestDetailsAndContents(t *testing.T) {
	p := &Page{Title: "t"}
	p.Add(Heading("Before"), Contents{}, Details{Summary: "More of it", Blocks: []Block{Text("inside")}})
	if got := p.Headings(); len(got) != 1 || got[0] != "More of it" {
		t.Errorf("headings %q, want the one after the contents", got)
	}
	var html, markdown strings.Builder
	vectors.Check(errors.Join(p.HTML(&html), p.Markdown(&markdown)))
	for _, want := range []string{`<a href="#more-of-it">`, `<details><summary>More of it</summary>`, `<div id="more-of-it">`, "<p>inside</p>"} {
		if !strings.Contains(html.String(), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, want := range []string{"- [More of it](#more-of-it)", "## More of it", "inside"} {
		if !strings.Contains(markdown.String(), want) {
			t.Errorf("the Markdown lacks %s", want)
		}
	}
}

func TestHeat(t *testing.T) {
	svg := vectors.Must(single(Heat{Title: "knight", Values: [][]float64{{1, -0.5}, {0, math.NaN()}}, Rows: []string{"2", "1"}, Columns: []string{"a", "b"}}))
	for _, want := range []string{`fill="var(--c1)" fill-opacity="0.46"`, `fill="var(--c2)" fill-opacity="0.23"`, ">1<", ">-.5<", ">a<", `aria-label="knight"`} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("the picture lacks %s: %s", want, svg)
		}
	}
	if n := strings.Count(string(svg), "<rect"); n != 4 {
		t.Errorf("%d cells, want 4", n)
	}
}

// TestTableInPage checks that a page groups the digits of a table's numbers and explains its rows,
// and that a terminal's table does neither.
func TestTableInPage(t *testing.T) {
	p := &Page{}
	p.Add(Table{Head: []string{"term", "rows"}, Rows: [][]string{{"2048", "10810"}}, Docs: []string{"what it is"}})
	var page, plain strings.Builder
	vectors.Check(p.HTML(&page))
	vectors.Check(p.Blocks[0].(Table).Print(&plain))
	if !strings.Contains(page.String(), `>2048<span class="doc">what it is</span></td><td class="n">10,810<`) {
		t.Errorf("the page has %s", page.String())
	}
	if strings.Contains(plain.String(), "what") || strings.Contains(plain.String(), ",") {
		t.Errorf("the terminal has %s", plain.String())
	}
}

// TestWholeTicks checks that an axis of whole numbers has no ticks between them.
func TestWholeTicks(t *testing.T) {
	c := Chart{Series: []Series{{X: []float64{1, 2}, Y: []float64{0, 1}}}}
	svg, err := single(c)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(svg), ">1.5<") {
		t.Error("tick at 1.5 on an axis of whole numbers")
	}
	c.Series[0].X[1] = 2.25
	if svg, err = single(c); err != nil || !strings.Contains(string(svg), ">1.5<") {
		t.Errorf("no tick at 1.5 on an axis of fractions: %v", err)
	}
}

// TestTicksInside checks that the label of the last tick is within the picture.
func TestTicksInside(t *testing.T) {
	for _, p := range []Plot{Chart{Series: []Series{{X: []float64{0, 1_500_000}, Y: []float64{0, 1}}}}, Rows{Rows: []Row{{Value: 0, Low: 0, High: 1_500_000}}}} {
		at := regexp.MustCompile(`<text x="([\d.]+)"[^>]*>1,500,000<`).FindStringSubmatch(drawn(p))
		if at == nil || vectors.Must(strconv.ParseFloat(at[1], 64))+svg.TextWidth("1,500,000", tickSize)/2 > panelWidth {
			t.Errorf("the last mark of %T is cut off: %v", p, at)
		}
	}
}

func TestCompactRows(t *testing.T) {
	long := strings.Repeat("long name ", 12)
	body := drawn(Rows{Compact: true, Rows: []Row{{Name: "a", Value: 1, Low: 0, High: 2}, {Name: long, Value: 1, Low: 0, High: 2}}})
	if strings.Contains(body, long) || !strings.Contains(body, "…") || !strings.Contains(body, ">a<") {
		t.Errorf("names: %s", body)
	}
}

// TestBoard checks that a board keeps its aspect ratio, and that a board without a valid viewBox is
// rejected.
func TestBoard(t *testing.T) {
	f := vectors.Must(NewFigure("game", "A game", "", Board{Title: "after 3 plies", SVG: `<svg viewBox="0 0 200 100"><rect/></svg>`}))
	for _, want := range []string{`width="360" height="180"><svg viewBox="0 0 200 100"><rect/></svg></svg>`, "after 3 plies"} {
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

// TestPattern checks that every cell of the board and of each filling is drawn once, that discs are
// filled or empty, and that invalid patterns are rejected.
func TestPattern(t *testing.T) {
	p := Pattern{Title: "edge", Rows: 4, Columns: 4, Cells: []int{0, 1, 2}, Note: "what it adds",
		High: []Entry{{"+-.", 0.25, "1.0%"}, {"a+0", 0.1, "0.5%"}}, Low: []Entry{{"-_-", -3, "2.0%"}}}
	body := drawn(p)
	for text, want := range map[string]int{"<rect": 16 + 9, "<circle": 5, `fill="var(--ink)" stroke="var(--ink)"`: 2, `fill="none" stroke="var(--ink)"`: 3, "<line": 1, ">+.25<": 1, ">-3<": 1, ">a<": 1, ">what it adds<": 1} {
		if got := strings.Count(body, text); got != want {
			t.Errorf("%q occurs %d times, want %d", text, got, want)
		}
	}
	for _, wrong := range []Pattern{{Title: "none", Rows: 4, Columns: 4}, {Title: "beyond", Rows: 2, Columns: 2, Cells: []int{4}}, {Title: "many", Rows: 1, Columns: 1, Cells: []int{0}, Low: make([]Entry, 4)}} {
		if _, err := single(wrong); err == nil || !strings.Contains(err.Error(), wrong.Title) {
			t.Errorf("%s: error %v, want one that names it", wrong.Title, err)
		}
	}
}

// TestTableForms writes a table in each format and checks that the format's special characters are
// escaped.
func TestTableForms(t *testing.T) {
	table := Table{Caption: "50% of a_b", Head: []string{"error", "loss"}, Rows: [][]string{{`a|b, "c" & d`, "0.1 ± 0.2"}}}
	for form, want := range map[Format]string{
		CSV:      "error,loss\n\"a|b, \"\"c\"\" & d\",0.1 ± 0.2\n",
		Markdown: "| error | loss |\n|---|--:|\n| a\\|b, \"c\" & d | 0.1 ± 0.2 |\n\n50% of a_b\n",
		LaTeX: "\\begin{table}\n\\begin{tabular}{lr}\n\\toprule\nerror & loss \\\\\n\\midrule\na|b, \"c\" \\& d & 0.1 \\ensuremath{\\pm} 0.2 \\\\\n" +
			"\\bottomrule\n\\end{tabular}\n\\caption{50\\% of a\\_b}\n\\end{table}\n",
	} {
		var b strings.Builder
		if err := WriteTables(&b, form, table, table); err != nil || b.String() != want+"\n"+want {
			t.Errorf("%s, %v:\n%s\nwant twice\n%s", form, err, b.String(), want)
		}
	}
	if err := WriteTables(&strings.Builder{}, "word", table); err == nil {
		t.Error("no error for an unknown format")
	}
}

// single returns a plot as a file.
func single(p Plot) ([]byte, error) {
	f, err := NewFigure("", "", "", p)
	return f.SVG, err
}

// drawn returns the svg element of a plot.
func drawn(p Plot) string { return string(vectors.Must(NewFigure("", "", "", p)).Panels[0]) }
