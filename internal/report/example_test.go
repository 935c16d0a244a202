package report_test

import (
	"os"

	"plyfit/internal/report"
)

// This example writes a page with a heading, a sentence and a table as Markdown. Page.HTML writes
// the same page as a file for a browser.
func ExamplePage() {
	p := &report.Page{Title: "Two evaluations of pig", Lead: "Depth 1, a thousand games each."}
	p.Add(
		report.Heading("Results"),
		report.Text("The learned one is better."),
		report.Table{
			Head: []string{"evaluation", "wins", "share"},
			Rows: [][]string{{"learned", "512", "51.2%"}, {"hand-written", "488", "48.8%"}},
		},
	)
	if err := p.Markdown(os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// # Two evaluations of pig
	//
	// Depth 1, a thousand games each.
	//
	// ## Results
	//
	// The learned one is better.
	//
	// | evaluation | wins | share |
	// |---|--:|--:|
	// | learned | 512 | 51.2% |
	// | hand-written | 488 | 48.8% |
}

// This example prints a table for a terminal. Words are left-aligned and numbers are right-aligned.
func ExampleTable_Print() {
	t := report.Table{
		Head: []string{"evaluation", "wins"},
		Rows: [][]string{{"learned", "512"}, {"hand-written", "88"}},
	}
	if err := t.Print(os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// evaluation    wins
	// learned        512
	// hand-written    88
}
