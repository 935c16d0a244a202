package study

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plyfit/internal/disk"
	"plyfit/internal/report"
	"plyfit/internal/text"
	"plyfit/work"
)

// A Report contains the results of a run.
type Report struct {
	Effort      Effort
	Seed        uint64
	Command     string // command line that repeats the run
	Experiments []Experiment
	Results     []*Results // results of each experiment
}

//go:embed words.md
var wordsPage string
var words = sections(wordsPage)

func prose(section string) report.Text { return report.Text(strings.Join(words[section], "\n\n")) }

// Page returns the report: a summary of about two screens, followed by a folded chapter for each
// experiment.
func (r *Report) Page() *report.Page {
	first, sizes := r.first(), words[r.Effort.String()][0]
	p := &report.Page{Title: words["title"][0], Lead: r.answer()}
	if len(r.Experiments) == 1 {
		p.Title = r.Experiments[0].Question
		if r.Experiments[0].Fixed {
			sizes = words["protocol"][0]
		}
	}
	if first >= 0 {
		p.Add(r.Results[first].Figures[0])
	}
	p.Add(report.List(words["words"]), report.Text(checksLine(r.checks())), report.Text(sizes+" "+words["exploratory"][0]))
	p.Add(report.Heading("Try it yourself"), report.Code("plyfit study exact --quick\nplyfit study crossed --quick --game othello"), report.Heading("The whole study"), report.Contents{})
	fold := func(summary string, blocks ...report.Block) { p.Add(report.Details{Summary: summary, Blocks: blocks}) }
	if len(r.Experiments) > 1 {
		var sentences report.List
		for i, e := range r.Experiments {
			if h := r.Results[i].Headline; h != "" {
				sentences = append(sentences, text.Capital(e.Name)+": "+h)
			}
		}
		fold("Sentences to remember", sentences)
	}
	if t := r.claims(func(*Finding) bool { return true }); len(t.Rows) > 0 {
		t.Caption = string(prose("how to read"))
		fold("Every claim", t)
	}
	for i, e := range r.Experiments {
		p.Add(r.Results[i].chapter(e, i == first))
	}
	fold("Related work", prose("novelty"), report.List(words["related work"]))
	fold("Command for this run", report.Code(r.Command))
	return p
}

// first returns the index of the experiment whose figure is shown on the first page, or -1 if there
// is none.
func (r *Report) first() int {
	best, rank := -1, -1
	for i, e := range r.Experiments {
		if at := slices.Index([]string{"exact", "crossed"}, e.Name); len(r.Results[i].Figures) > 0 && (best < 0 || at > rank) {
			best, rank = i, at
		}
	}
	return best
}

// answer returns a sentence that answers the question in the title.
func (r *Report) answer() string {
	first := r.first()
	headline := r.Results[max(0, first)].Headline
	if first < 0 || len(r.Experiments) == 1 || slices.ContainsFunc(r.checks(), Check.failed) {
		return headline
	}
	return "It depends on the kind of error. " + headline
}

func (r *Report) checks() (all []Check) {
	for _, f := range r.Results {
		all = append(all, f.Checks...)
	}
	return all
}

// Verdicts returns the answer, all claims with their verdicts, and the checks, for the terminal.
func (r *Report) Verdicts() []report.Block {
	blocks := report.Blocks{report.Text(r.answer())}
	for i, e := range r.Experiments {
		var places []string
		rows := map[string][][]string{} // by place
		for _, v := range r.Results[i].Findings {
			if v.Row == nil {
				continue
			}
			if rows[v.Place] == nil {
				places = append(places, v.Place)
			}
			rows[v.Place] = append(rows[v.Place], append(slices.Clone(v.Row), string(v.Support)))
		}
		for _, place := range places {
			head := []string{"error", "world", "claim", "expectimax", "minimax", "E/M", "verdict"}
			blocks.Add(report.Heading(text.Capital(e.Name)+": "+place), report.Table{Head: head, Rows: rows[place], Words: 3})
		}
	}
	if len(blocks) > 1 {
		blocks.Add(prose("terms of rows"))
	}
	if sentences := r.claims(func(v *Finding) bool { return v.Row == nil }); len(sentences.Rows) > 0 {
		blocks.Add(sentences)
	}
	return append(blocks, prose("how to read"), report.Text(checksLine(r.checks())))
}

// claims returns a table of the findings for which keep returns true.
func (r *Report) claims(keep func(v *Finding) bool) report.Table {
	t := report.Table{Head: []string{"experiment", "verdict", "claim", "figure"}, Words: 4}
	for i, e := range r.Experiments {
		for _, v := range r.Results[i].Findings {
			if keep(&v) {
				t.Rows = append(t.Rows, []string{e.Name, string(v.Support), v.Claim, v.Figure})
			}
		}
	}
	return t
}

// chapter returns the chapter of an experiment. If first is set, the chapter omits the first
// figure, which the first page already shows.
func (f *Results) chapter(e Experiment, first bool) report.Details {
	d := report.Details{Summary: text.Capital(e.Name) + ": " + e.Question}
	withdrawn := ""
	if e.Withdrawn != "" {
		withdrawn = "Withdrawn. " + e.Withdrawn
	}
	for _, text := range []string{f.Headline, "Hypothesis. " + e.Hypothesis, withdrawn, "Design. " + e.Design, checksLine(f.Checks)} {
		d.Add(report.Text(text))
	}
	for i, fig := range f.Figures {
		if i > 0 || !first {
			d.Add(fig)
		}
	}
	for _, t := range f.Tables {
		d.Add(t)
	}
	d.Add(report.List(f.Notes))
	return d
}

// Write writes report.html, report.md, the figures in figures/ and the data in data/*.csv to the
// directory dir.
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
			if err := disk.WriteBytes(filepath.Join(dir, "figures", f.Name+".svg"), f.SVG); err != nil {
				return err
			}
		}
		for _, d := range r.Results[i].Data {
			if err := disk.Write(filepath.Join(dir, "data", fmt.Sprintf("%s-%s.csv", e.Name, d.Name)), d.Write); err != nil {
				return err
			}
		}
	}
	page := r.Page()
	if err := disk.Write(filepath.Join(dir, "report.html"), page.HTML); err != nil {
		return err
	}
	return disk.Write(filepath.Join(dir, "report.md"), page.Markdown)
}

// RunAll runs experiments one after another and writes their report to the session's directory. The
// parameter command is the command line that repeats the run. RunAll returns an error if another
// process is working in the directory.
func RunAll(ctx context.Context, s *Session, list []Experiment, command string) (*Report, error) {
	r := &Report{Effort: s.Effort, Seed: s.Seed, Command: command, Experiments: list}
	return r, work.Alone(s.Dir, func() error {
		for i, e := range list {
			if len(list) > 1 && !s.Quiet {
				left := 0.0
				for _, later := range list[i:] {
					left += later.Minutes[s.Effort]
				}
				fmt.Fprintf(s.Log, "%s (%d of %d): about %.2g minutes left on %d workers, according to pilot runs\n", e.Name, i+1, len(list), left/float64(max(1, s.Workers)), max(1, s.Workers))
			}
			f, err := s.Run(ctx, e)
			if err != nil {
				return err
			}
			r.Results = append(r.Results, f)
		}
		return r.Write(s.Dir)
	})
}
