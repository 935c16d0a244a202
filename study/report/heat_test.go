package report

import (
	"math"
	"strings"
	"testing"
)

func TestHeat(t *testing.T) {
	svg, err := Heat{Title: "knight", Values: [][]float64{{1, -0.5}, {0, math.NaN()}}, Rows: []string{"2", "1"}, Columns: []string{"a", "b"}}.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`fill="var(--c1)" fill-opacity="0.46"`, `fill="var(--c2)" fill-opacity="0.23"`, ">1<", ">-.5<", ">a<", `aria-label="knight"`} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("the picture lacks %s: %s", want, svg)
		}
	}
	if n := strings.Count(string(svg), "<rect"); n != 4 {
		t.Errorf("%d cells, want 4", n)
	}
	if _, err := (Heat{Values: [][]float64{{math.Inf(1)}}}).SVG(); err == nil {
		t.Error("infinity was drawn")
	}
	if _, err := (Heat{}).SVG(); err == nil {
		t.Error("no cells were drawn")
	}
}

func TestGrouped(t *testing.T) {
	for in, want := range map[string]string{
		"18435 ± 2331": "18,435 ± 2,331", "999": "999", "-1234567.25": "-1,234,567.25", "1234 (1000 to 2000)": "1,234 (1,000 to 2,000)",
		"2048:size=3": "2048:size=3", "1.85059e+07": "1.85059e+07", "0.12345": "0.12345", "abc1234": "abc1234", "": "",
	} {
		if got := grouped(in); got != want {
			t.Errorf("grouped(%q) = %q, want %q", in, got, want)
		}
	}
}

// A table's numbers are grouped and its rows explained in a page, and nowhere else.
func TestTableInPage(t *testing.T) {
	p := &Page{}
	p.Add(Table{Head: []string{"term", "rows"}, Rows: [][]string{{"2048", "10810"}}, Docs: []string{"what it is"}})
	var page, plain strings.Builder
	if err := p.HTML(&page); err != nil {
		t.Fatal(err)
	}
	if err := p.Blocks[0].(Table).Print(&plain); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page.String(), `>2048<span class="doc">what it is</span></td><td class="n">10,810<`) {
		t.Errorf("the page has %s", page.String())
	}
	if strings.Contains(plain.String(), "what") || strings.Contains(plain.String(), ",") {
		t.Errorf("the terminal has %s", plain.String())
	}
}

// An axis that counts has no marks between whole numbers.
func TestWholeTicks(t *testing.T) {
	c := Chart{Series: []Series{{X: []float64{1, 2}, Y: []float64{0, 1}}}}
	svg, err := c.SVG()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(svg), ">1.5<") {
		t.Error("a mark at 1.5 rounds")
	}
	c.Series[0].X[1] = 2.25
	if svg, err = c.SVG(); err != nil || !strings.Contains(string(svg), ">1.5<") {
		t.Errorf("no mark at 1.5 where the axis does not count: %v", err)
	}
}

func TestCompactRows(t *testing.T) {
	long := strings.Repeat("long name ", 12)
	d, err := Rows{Compact: true, Rows: []Row{{Name: "a", Value: 1, Low: 0, High: 2}, {Name: long, Value: 1, Low: 0, High: 2}}}.plot()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(d.body, long) || !strings.Contains(d.body, "…") || !strings.Contains(d.body, ">a<") {
		t.Errorf("names: %s", d.body)
	}
}
