package diagnose

import (
	"strings"

	"plyfit/internal/report"
)

// Page is the report for a browser.
func (r *Report) Page() *report.Page {
	p := &report.Page{Title: "Diagnosis of " + r.Eval, Lead: r.title() + "."}
	p.Add(report.Heading("What it loses"), r.losses(), report.Text("Scale: "+r.scale()+"."))
	var list report.List
	for _, a := range r.Advice {
		list = append(list, a.Do+": gains "+r.figure(a.Gain)+" "+r.Unit+" under expectimax.")
	}
	if len(list) > 0 {
		p.Add(report.Heading("What to do"), list)
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
		var terms report.List
		for _, line := range w.terms() {
			terms = append(terms, line+".")
		}
		if len(terms) > 0 {
			p.Add(terms)
		}
	}
	p.Add(report.Heading("Notes"), report.List(append([]string{"Reckoned: " + r.spent() + "."}, r.Notes...)))
	return p
}
