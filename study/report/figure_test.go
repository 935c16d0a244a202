package report

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

// crowd is a chart of lines that all end in one point.
func crowd() Chart {
	c := Chart{Title: "crowd", XLabel: "x", YLabel: "y"}
	for _, name := range []string{"one", "two and a half words", "three", "four", "five", "six", "seven", "eight", "nine"} {
		c.Series = append(c.Series, Series{Name: name, X: []float64{1, 2}, Y: []float64{0, 1}})
	}
	return c
}

// Names of lines stand beside the plot and never over each other, however many lines
// end in one place.
func TestLabelsKeepApart(t *testing.T) {
	c := crowd()
	c.styles()
	labels, strip := c.labels(defaultWidth)
	x, y := c.ranges()
	x.from, x.to, y.from, y.to = 30, defaultWidth-strip, 20+lineStep*float64(lines(labels)+4), 20
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

// A figure is well-formed as a file, and its panels stand apart inside a page, on one
// line each.
func TestFigureIsWellFormed(t *testing.T) {
	rows := Rows{Title: "a < b & c", XLabel: "plies", Level: new(0.0), Rows: []Row{{Name: "noise", Value: 1, Low: 0.5, High: 1.5}, {Name: "none", Missing: true, Text: "no ratio"}}}
	f, err := NewFigure("name", "A title", "caption", crowd(), rows)
	if err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(strings.NewReader(string(f.SVG)))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if len(f.Panels()) != 2 {
		t.Fatalf("%d panels, want 2", len(f.Panels()))
	}
	for _, p := range append(f.Panels(), Figure{SVG: f.SVG}.Panels()...) {
		if strings.Contains(p, "\n") || strings.Contains(p, "<style>") {
			t.Errorf("a panel in a page has more than one line or a style of its own: %.200s", p)
		}
	}
}

// What cannot be drawn is an error.
func TestNothingIsHidden(t *testing.T) {
	for name, p := range map[string]Plot{
		"a point that is not finite":      Chart{Series: []Series{{X: []float64{1}, Y: []float64{math.NaN()}}}},
		"a point on a logarithmic axis":   Chart{LogY: true, Series: []Series{{X: []float64{1}, Y: []float64{0}}}},
		"a series without points":         Chart{Series: []Series{{Name: "empty"}}},
		"an interval that is not bounded": Rows{Rows: []Row{{Value: 1, Low: 0, High: math.Inf(1)}}},
	} {
		if _, err := NewFigure("", "", "", p); err == nil {
			t.Errorf("%s is drawn", name)
		}
	}
}

// Details fold in a page and follow their summary in Markdown; contents list what
// comes after them.
func TestDetailsAndContents(t *testing.T) {
	p := &Page{Title: "t"}
	p.Add(Heading("Before"), Contents{}, Details{Summary: "More of it", Blocks: []Block{Text("inside")}})
	if got := p.Headings(); len(got) != 1 || got[0] != "More of it" {
		t.Errorf("headings %q, want the one after the contents", got)
	}
	var html, markdown strings.Builder
	if err := errors.Join(p.HTML(&html), p.Markdown(&markdown, "figures")); err != nil {
		t.Fatal(err)
	}
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
