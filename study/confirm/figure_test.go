package confirm

import (
	"bytes"
	"encoding/csv"
	"flag"
	"os"
	"strconv"
	"testing"

	"plyfit/study"
)

var update = flag.Bool("update", false, "write the figure of the run that docs/results tells of")

// TestFigureOfConfirmed: the figure in the docs shows what stands in the table beside
// it, that the run of the protocol left.
func TestFigureOfConfirmed(t *testing.T) {
	const dir = "../../docs/results/study/confirmed/"
	data, err := os.ReadFile("../protocols/2026-11.json")
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(dir + "2026-11-findings.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if rows[1][0] != p.Digest {
		t.Errorf("the table is of protocol %s, want %s", rows[1][0], p.Digest)
	}
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	var findings []Tested
	for i, row := range rows[1:] {
		v := Tested{ID: row[2], Estimate: study.Interval{Value: number(row[4]), Low: number(row[5]), High: number(row[6])}}
		if h := &p.Hypotheses[i]; h.ID != v.ID {
			t.Fatalf("row %d is of %s, want %s", i+1, v.ID, h.ID)
		} else if h.Estimand == anyOf {
			v.Error = h.Errors[0] // what the run found clearest; its report says so
		}
		findings = append(findings, v)
	}
	figure, err := p.figure(findings)
	if err != nil {
		t.Fatal(err)
	}
	const file = dir + "2026-11.svg"
	if *update {
		if err := os.WriteFile(file, figure.SVG, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(figure.SVG, want) {
		t.Errorf("%s is not what the table says: run with -update", file)
	}
}
