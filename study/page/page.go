// Package page runs experiments and writes their report: a page for a reader in a
// hurry first, then a chapter an experiment.
package page

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"plyfit/internal/atomicfile"
	"plyfit/internal/lease"
	"plyfit/report"
	"plyfit/study"
)

// Report is what a run has to say.
type Report struct {
	Effort      study.Effort
	Seed        uint64
	Command     string // that makes it again
	Experiments []study.Experiment
	Results     []*study.Results // of each
}

// effortSays tells a reader what to think of the intervals.
var effortSays = map[study.Effort]string{
	study.Quick:   "This is the quick setting, which decides little: its intervals are wide, and what it leaves undecided a longer run may decide.",
	study.Default: "This is the default setting.",
	study.Full:    "This is the full setting.",
}

// Page is the report: first what a hurried reader wants (a figure, a table, the
// sentences), then every experiment.
func (r *Report) Page() *report.Page {
	p := &report.Page{Title: "How much does the quality of an evaluation matter, under minimax and under expectimax?"}
	if len(r.Experiments) == 1 {
		p.Title = r.Experiments[0].Question
	}
	p.Lead = effortSays[r.Effort]
	if f, ok := r.first(); ok {
		p.Add(f)
	}
	if len(r.Experiments) == 1 {
		p.Add(r.sentences(), r.findings())
	} else {
		p.Add(r.sentences(), r.counts(), report.Heading("Every claim"), r.findings())
	}
	for i, e := range r.Experiments {
		r.chapter(p, e, r.Results[i])
	}
	p.Add(report.Heading("Again"), report.Code(r.Command))
	return p
}

// headline is the experiment whose figure stands on the first page.
const headline = "exact"

// first is the figure for the reader in a hurry.
func (r *Report) first() (fig report.Figure, ok bool) {
	for i, e := range r.Experiments {
		if figures := r.Results[i].Figures; len(figures) > 0 && (!ok || e.Name == headline) {
			fig, ok = figures[0], true
		}
	}
	return fig, ok
}

// counts is how the claims of each experiment fared.
func (r *Report) counts() report.Table {
	t := report.Table{
		Head: []string{"experiment", "question", "supported", "contradicted", "not decided"}, Words: 2,
		Caption: "Claims by verdict. Each follows from a 95% interval alone; not decided means that it holds both answers. The questions and signs were written down first; the evaluation, the common error, sample sizes and some levels were settled after pilots, as docs/results/study.md tells: this is no blind study.",
	}
	for i, e := range r.Experiments {
		n := map[study.Support]int{}
		for _, v := range r.Results[i].Findings {
			n[v.Support]++
		}
		t.Rows = append(t.Rows, []string{e.Name, e.Question, fmt.Sprint(n[study.Supported]), fmt.Sprint(n[study.Contradicted]), fmt.Sprint(n[study.NotDecided])})
	}
	return t
}

// findings is every claim with what the intervals say of it.
func (r *Report) findings() report.Table {
	t := report.Table{
		Head: []string{"experiment", "claim", "verdict", "figure"}, Words: 4,
		Caption: "A verdict follows from the 95% interval alone: not decided means that the interval holds both answers. What was settled only after pilots is told in docs/results/study.md.",
	}
	for i, e := range r.Experiments {
		for _, v := range r.Results[i].Findings {
			t.Rows = append(t.Rows, []string{e.Name, v.Claim, string(v.Support), v.Figure})
		}
	}
	return t
}

// order is the one in which experiments have their say where only five sentences
// are wanted.
var order = []string{headline, "crossover", "warp", "depth", "truth", "training", "pacman", "caution", "thrashing", "linearity"}

// sentences are at most five.
func (r *Report) sentences() report.List {
	var l report.List
	if len(r.Experiments) == 1 {
		if h := r.Results[0].Headline; h != "" {
			l = append(l, h)
		}
		for _, v := range r.Results[0].Findings {
			if len(l) < 5 {
				l = append(l, v.String())
			}
		}
		return l
	}
	for _, name := range order {
		for i, e := range r.Experiments {
			if h := r.Results[i].Headline; e.Name == name && h != "" && len(l) < 5 {
				l = append(l, h)
			}
		}
	}
	return l
}

func (r *Report) chapter(p *report.Page, e study.Experiment, f *study.Results) {
	p.Add(report.Heading(study.Capital(e.Name)))
	if len(r.Experiments) > 1 {
		p.Add(report.Text(e.Question))
	}
	p.Add(report.Text("Hypothesis. " + e.Hypothesis))
	if e.Withdrawn != "" {
		p.Add(report.Text("Withdrawn. " + e.Withdrawn))
	}
	p.Add(report.Text("Design. " + e.Design))
	if line := f.ChecksLine(); line != "" {
		p.Add(report.Text(line))
	}
	for _, fig := range f.Figures {
		p.Add(fig)
	}
	for _, t := range f.Tables {
		p.Add(t)
	}
	var said []string
	for _, v := range f.Findings {
		said = append(said, v.String())
	}
	p.Add(report.Text(strings.Join(said, " ")))
	if len(f.Notes) > 0 {
		p.Add(report.List(f.Notes))
	}
}

// Write writes the report into the folder: report.html, which needs no other
// file, report.md with its figures in figures/, and data/*.csv.
func (r *Report) Write(dir string) error {
	for _, sub := range []string{"figures", "data"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			return err
		}
	}
	for i, e := range r.Experiments {
		for j := range r.Results[i].Figures {
			f := &r.Results[i].Figures[j]
			f.Name = e.Name + "-" + strings.TrimPrefix(f.Name, e.Name+"-")
			err := atomicfile.Write(filepath.Join(dir, "figures", f.Name+".svg"), func(w io.Writer) error {
				_, err := w.Write(f.SVG)
				return err
			})
			if err != nil {
				return err
			}
		}
		for _, d := range r.Results[i].Data {
			if err := atomicfile.Write(filepath.Join(dir, "data", fmt.Sprintf("%s-%s.csv", e.Name, d.Name)), d.Write); err != nil {
				return err
			}
		}
	}
	page := r.Page()
	if err := atomicfile.Write(filepath.Join(dir, "report.html"), page.HTML); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, "report.md"), func(w io.Writer) error { return page.Markdown(w, "figures") })
}

// RunAll runs experiments one after the other and writes their report into the
// session's folder; command is what makes it again.
//
// A folder in which another process is at work is refused.
func RunAll(ctx context.Context, s *study.Session, list []study.Experiment, command string) (r *Report, err error) {
	err = lease.HoldFolder(ctx, s.Dir, "", func(ctx context.Context) error {
		r, err = runAll(ctx, s, list, command)
		return err
	})
	return r, err
}

func runAll(ctx context.Context, s *study.Session, list []study.Experiment, command string) (*Report, error) {
	r := &Report{Effort: s.Effort, Seed: s.Seed, Command: command, Experiments: list}
	for i, e := range list {
		if len(list) > 1 && !s.Quiet {
			left := 0.0
			for _, later := range list[i:] {
				left += later.Minutes[s.Effort]
			}
			fmt.Fprintf(s.Log, "%s (%d of %d): from here on about %.2g minutes on %d workers, by a pilot\n", e.Name, i+1, len(list), left/float64(max(1, s.Workers)), max(1, s.Workers))
		}
		f, err := s.Run(ctx, e)
		if err != nil {
			return nil, err
		}
		r.Results = append(r.Results, f)
	}
	return r, r.Write(s.Dir)
}
