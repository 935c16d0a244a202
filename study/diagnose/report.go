package diagnose

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"plyfit/arena/stats"
	"plyfit/internal/list"
	"plyfit/internal/report"
	"plyfit/internal/text"
)

//go:embed report.txt
var screen string

var screenTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"title": (*Report).title, "scale": (*Report).scale, "figure": (*Report).figure, "spent": (*Report).spent,
	"words": Position.words, "terms": Position.terms,
	"losses": func(r *Report) string {
		var b strings.Builder
		r.losses().Print(&b) // a Builder takes everything
		return b.String()
	},
	"number": func(i int) int { return i + 1 },
	"board":  func(b string) string { return strings.TrimRight(b, "\n") },
}).Parse(screen))

// Text is the report as a screen.
func (r *Report) Text() string {
	var b strings.Builder
	if err := screenTemplate.Execute(&b, r); err != nil {
		panic("diagnose: " + err.Error())
	}
	return b.String()
}

func (r *Report) title() string {
	return fmt.Sprintf("%s in %s, %s ahead, against itself %s further (%d games, %d positions, seed %d)",
		r.Eval, r.Game, text.Counted(r.Depth, "decision"), text.Counted(r.Further, "decision"), r.Games, r.Positions, r.Seed)
}

// figure prints an estimate in the unit of the report.
func (r *Report) figure(e stats.Estimate) string {
	if r.Unit == "of the points" {
		return e.Format("%.3f", 1)
	}
	return e.Format(e.Decimals(), 1)
}

// spent says what it took, and what there was no room for.
func (r *Report) spent() string {
	s := fmt.Sprintf("%.1f of %.4g CPU seconds", r.Spent.Seconds, r.Spent.Budget)
	if len(r.Spent.Less) > 0 {
		s += "; for want of budget " + strings.Join(r.Spent.Less, "; ")
	}
	return s
}

// Tables are the figures for papers and other programs: the losses, and what to do.
func (r *Report) Tables() []report.Table {
	if len(r.Advice) == 0 {
		return []report.Table{r.losses()}
	}
	do := report.Table{Head: []string{"do", "gain"}, Caption: "What can be done, and what it gains, " + r.Unit + ", under expectimax; 95% intervals."}
	do.Rows = list.Map(r.Advice, func(a Advice) []string { return []string{a.Do, r.figure(a.Gain)} })
	return []report.Table{r.losses(), do}
}

func (r *Report) losses() report.Table {
	t := report.Table{Head: []string{r.Unit, "expectimax"},
		Caption: "What a planner loses in a game against itself searching further, and how it divides; 95% intervals, clustered by game."}
	row := func(name string, of func(l *Loss) string) {
		cells := []string{name, of(&r.Expectimax)}
		if r.Minimax != nil {
			cells = append(cells, of(r.Minimax))
		}
		t.Rows = append(t.Rows, cells)
	}
	if r.Minimax != nil {
		t.Head = append(t.Head, "minimax")
	}
	row("it loses", func(l *Loss) string { return r.figure(l.Loss) })
	row("  by its order", func(l *Loss) string { return r.figure(l.Order) })
	row("  by its scale", func(l *Loss) string {
		if l.Always {
			return "0, always"
		}
		return r.figure(l.Scale)
	})
	row("(no evaluation)", func(l *Loss) string { return "(" + r.figure(l.Blind) + ")" })
	row("a decision", func(l *Loss) string { return l.Regret.Format(l.Regret.Decimals(), 1) })
	row("pairs of games", func(l *Loss) string { return fmt.Sprint(l.Pairs) })
	return t
}

func (r *Report) scale() string {
	if !r.Slope.Estimate.Known {
		return "slope unknown: " + r.Slope.Estimate.Lacks
	}
	of := "log odds"
	if !r.Slope.LogOdds {
		of = "points"
	}
	text := fmt.Sprintf("slope %s of outcomes over values, in %s: %s", r.Slope.Estimate.Format("%.2f", 1), of, r.Slope.Sure)
	if c := r.Slope.Curve; c != nil && c.Known {
		text += fmt.Sprintf("; the best curve gains %s more than that line", r.figure(*c))
	}
	return text
}

func (p Position) words() string {
	return fmt.Sprintf("chosen %s, worth %.4g; better %s, worth %.4g", p.Chosen, p.Value, p.Better, p.Best)
}

// terms are the lines on the terms that differ most, and on what all of them come to.
func (p Position) terms() (lines []string) {
	for _, t := range p.Terms {
		lines = append(lines, fmt.Sprintf("%s: %.4g after the chosen move, %.4g after the better one, %+.3g in the sum", t.Name, t.Chosen, t.Better, t.Difference))
	}
	for _, t := range p.Ending {
		lines = append(lines, fmt.Sprintf("%s %.4g after the chosen move, %.4g after the better one", t.Name, t.Chosen, t.Better))
	}
	return lines
}

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
