package study

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plyfit/internal/disk"
	"plyfit/internal/report"
	"plyfit/internal/text"
	"plyfit/work"
)

// Report is what a run has to say.
type Report struct {
	Effort      Effort
	Seed        uint64
	Command     string // that makes it again
	Experiments []Experiment
	Results     []*Results // of each
}

//go:embed words.md
var words string

// said returns the paragraphs of a section of words.md.
func said(section string) (paragraphs []string) {
	_, body, found := strings.Cut(words, "\n## "+section+"\n")
	if !found {
		panic("study: words.md has no section " + section)
	}
	body, _, _ = strings.Cut(body, "\n## ")
	for p := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
		paragraphs = append(paragraphs, strings.Join(strings.Fields(p), " "))
	}
	return paragraphs
}

// prose returns a section of words.md as a text.
func prose(section string) report.Text { return report.Text(strings.Join(said(section), "\n\n")) }

// paragraphs returns the texts that are not "".
func paragraphs(texts ...string) (blocks []report.Block) {
	for _, t := range texts {
		if t != "" {
			blocks = append(blocks, report.Text(t))
		}
	}
	return blocks
}

// Page is the report: two screens for a reader in a hurry, then a folded chapter an experiment.
func (r *Report) Page() *report.Page {
	first, sizes := r.first(), said(r.Effort.String())[0]
	p := &report.Page{Title: said("title")[0], Lead: r.answer()}
	if len(r.Experiments) == 1 {
		p.Title = r.Experiments[0].Question
		if r.Experiments[0].Fixed {
			sizes = said("protocol")[0]
		}
	}
	if first >= 0 {
		p.Add(r.Results[first].Figures[0])
	}
	p.Add(report.List(said("words")))
	p.Add(paragraphs(checksLine(r.checks()), sizes+" "+said("exploratory")[0])...)
	p.Add(report.Heading("Try it yourself"), report.Code("plyfit study exact --quick\nplyfit study crossed --quick --game othello"), report.Heading("All of it"), report.Contents{})
	if len(r.Experiments) > 1 {
		var sentences report.List
		for i, e := range r.Experiments {
			if h := r.Results[i].Headline; h != "" {
				sentences = append(sentences, text.Capital(e.Name)+": "+h)
			}
		}
		p.Add(report.Details{Summary: "Sentences to remember", Blocks: []report.Block{sentences}})
	}
	if t := r.claims(func(*Finding) bool { return true }); len(t.Rows) > 0 {
		t.Caption = string(prose("how to read"))
		p.Add(report.Details{Summary: "Every claim", Blocks: []report.Block{t}})
	}
	for i, e := range r.Experiments {
		p.Add(r.chapter(e, r.Results[i], i == first))
	}
	p.Add(report.Details{Summary: "Related work", Blocks: []report.Block{prose("novelty"), report.List(said("related work"))}},
		report.Details{Summary: "The command of this run", Blocks: []report.Block{report.Code(r.Command)}})
	return p
}

// first returns the place of the experiment on the first page: crossed, exact or the first one with
// a figure; -1 if none has one.
func (r *Report) first() int {
	best, rank := -1, -1
	for i, e := range r.Experiments {
		if at := slices.Index([]string{"exact", "crossed"}, e.Name); len(r.Results[i].Figures) > 0 && (best < 0 || at > rank) {
			best, rank = i, at
		}
	}
	return best
}

// answer is the title's, in a sentence.
func (r *Report) answer() string {
	first := r.first()
	headline := r.Results[max(0, first)].Headline
	failed := slices.ContainsFunc(r.checks(), func(c Check) bool { return !c.Passed })
	if first < 0 || len(r.Experiments) == 1 || failed {
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

// Verdicts are the answer, every claim with its verdict, and the checks, for a terminal.
func (r *Report) Verdicts() []report.Block {
	blocks := []report.Block{report.Text(r.answer())}
	for i, e := range r.Experiments {
		tables := map[string]int{} // by place, in blocks
		for _, v := range r.Results[i].Findings {
			if v.Row == nil {
				continue
			}
			at, found := tables[v.Place]
			if !found {
				at = len(blocks) + 1
				tables[v.Place] = at
				blocks = append(blocks, report.Heading(text.Capital(e.Name)+": "+v.Place), report.Table{Head: append(slices.Clone(RowHead), "verdict"), Words: 3})
			}
			t := blocks[at].(report.Table)
			t.Rows = append(t.Rows, append(slices.Clone(v.Row), string(v.Support)))
			blocks[at] = t
		}
	}
	if len(blocks) > 1 {
		blocks = append(blocks, prose("terms of rows"))
	}
	if sentences := r.claims(func(v *Finding) bool { return v.Row == nil }); len(sentences.Rows) > 0 {
		blocks = append(blocks, sentences)
	}
	return append(blocks, prose("how to read"), report.Text(checksLine(r.checks())))
}

// claims is a table of the findings that keep selects.
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

// chapter is all of one experiment; first says that its first figure stands on the first page.
func (r *Report) chapter(e Experiment, f *Results, first bool) report.Details {
	d := report.Details{Summary: text.Capital(e.Name) + ": " + e.Question}
	withdrawn := ""
	if e.Withdrawn != "" {
		withdrawn = "Withdrawn. " + e.Withdrawn
	}
	d.Add(paragraphs(f.Headline, "Hypothesis. "+e.Hypothesis, withdrawn, "Design. "+e.Design, checksLine(f.Checks))...)
	for i, fig := range f.Figures {
		if i > 0 || !first {
			d.Add(fig)
		}
	}
	for _, t := range f.Tables {
		d.Add(t)
	}
	if len(f.Notes) > 0 {
		d.Add(report.List(f.Notes))
	}
	return d
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
	return disk.Write(filepath.Join(dir, "report.md"), func(w io.Writer) error { return page.Markdown(w) })
}

// RunAll runs experiments one after the other and writes their report into the session's folder;
// command is what makes it again. A folder in which another process is at work is refused.
func RunAll(ctx context.Context, s *Session, list []Experiment, command string) (*Report, error) {
	r := &Report{Effort: s.Effort, Seed: s.Seed, Command: command, Experiments: list}
	err := work.Alone(s.Dir, func() error {
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
				return err
			}
			r.Results = append(r.Results, f)
		}
		return r.Write(s.Dir)
	})
	return r, err
}
