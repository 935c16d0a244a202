package diagnose

import (
	"strings"

	"plyfit/internal/list"
	"plyfit/internal/report"
)

// Page is the report for a browser.
func (r *Report) Page() *report.Page {
	p := &report.Page{Title: "Diagnosis of " + r.Eval, Lead: r.title() + "."}
	p.Add(report.Heading("What it loses"), r.losses(), report.Text("Scale: "+r.scale()+"."))
	if len(r.Advice) > 0 {
		p.Add(report.Heading("What to do"), report.List(list.Map(r.Advice, func(a Advice) string {
			return a.Do + ": gains " + r.figure(a.Gain) + " " + r.Unit + " under expectimax."
		})))
	}
	for _, a := range r.Advice {
		if len(a.Commands) > 0 {
			p.Add(report.Code(strings.Join(a.Commands, "\n")))
		}
	}
	if len(r.Worst) > 0 {
		p.Add(report.Heading("Worst positions"))
	}
	for _, w := range r.Worst {
		p.Add(report.Text(w.Position+": "+w.words()+"."), report.Code(w.Board))
		if terms := w.terms(); len(terms) > 0 {
			p.Add(report.List(list.Map(terms, func(line string) string { return line + "." })))
		}
	}
	p.Add(report.Heading("Notes"), report.List(append([]string{"Reckoned: " + r.spent() + "."}, r.Notes...)))
	return p
}
