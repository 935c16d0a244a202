package diagnose

import (
	"fmt"
	"strings"

	"plyfit/arena/stats"
	"plyfit/internal/list"
	"plyfit/internal/report"
	"plyfit/internal/text"
)

// Text is the report as a screen.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.title())
	r.losses().Print(&b) // a Builder takes everything
	fmt.Fprintf(&b, "scale: %s\n", r.scale())
	for _, a := range r.Advice {
		fmt.Fprintf(&b, "do: %s: gains %s %s under expectimax\n", a.Do, r.figure(a.Gain), r.Unit)
		for _, c := range a.Commands {
			fmt.Fprintf(&b, "    %s\n", c)
		}
	}
	fmt.Fprintf(&b, "reckoned: %s\n", r.spent())
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	for i, p := range r.Worst {
		fmt.Fprintf(&b, "\nworst position %d: %s\n", i+1, p.Position)
		if p.Board != p.Position {
			fmt.Fprintf(&b, "%s\n", strings.TrimRight(p.Board, "\n"))
		}
		fmt.Fprintln(&b, p.words())
		for _, line := range p.terms() {
			fmt.Fprintf(&b, "  %s\n", line)
		}
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
func (p *Position) terms() (lines []string) {
	for _, t := range p.Terms {
		lines = append(lines, t.words())
	}
	for _, t := range p.Ending {
		lines = append(lines, fmt.Sprintf("%s %.4g after the chosen move, %.4g after the better one", t.Name, t.Chosen, t.Better))
	}
	return lines
}

func (t term) words() string {
	return fmt.Sprintf("%s: %.4g after the chosen move, %.4g after the better one, %+.3g in the sum", t.Name, t.Chosen, t.Better, t.Difference)
}
