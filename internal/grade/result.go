package grade

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"plyfit/arena"
	"plyfit/internal/list"
	"plyfit/internal/report"
)

// GradesFormat identifies the JSON format of grades.
const GradesFormat = "plyfit-grades/1"

// Grades contains the results of all submissions, best first.
type Grades struct {
	Format      string   `json:"format"`
	Assignment  string   `json:"assignment"`
	Title       string   `json:"title"`
	Seed        uint64   `json:"seed"`
	Of          float64  `json:"of"`   // maximum number of points
	Pass        float64  `json:"pass"` // points needed to pass
	Submissions []Result `json:"submissions"`

	// Starts contains the start-up times of programs on this machine. They do not affect the
	// grades.
	Starts []Start `json:"-"`

	assignment *Assignment
}

// Start contains the start-up times of a program.
type Start struct {
	Program string
	Times   int           // number of starts
	Took    time.Duration // total
}

// Result is the result of a submission.
type Result struct {
	Rank      int     `json:"rank"` // 1 is the best; equal results share a rank
	Name      string  `json:"name"`
	Kind      string  `json:"kind"` // program or evaluation; "" if the submission is neither
	Points    float64 `json:"points"`
	Of        float64 `json:"of"`
	Passed    bool    `json:"passed"`
	Fault     string  `json:"fault,omitempty"` // reason why nothing was graded
	Exercises []Part  `json:"exercises"`
}

// Part is the result of an exercise.
type Part struct {
	Name   string  `json:"name"`
	Points float64 `json:"points"`
	Of     float64 `json:"of"`
	Said   string  `json:"said"` // the result in a sentence

	// Faults counts the lost games and unanswered questions by kind of fault.
	Faults arena.FaultCounts `json:"faults"`

	Items []Item `json:"items,omitempty"` // answers, one per question
	deaf  bool   // whether the program failed to read a question

	// Results of games. Measured determines the points. Low and High are the ends of its 95%
	// interval, if there is one.
	Games    int      `json:"games,omitempty"`
	Measured *float64 `json:"measured,omitempty"`
	Low      *float64 `json:"low,omitempty"`
	High     *float64 `json:"high,omitempty"`
}

// An Item is a question with its answer.
type Item struct {
	Question string `json:"question"`
	Want     string `json:"want"`
	Got      string `json:"got"`
	Right    bool   `json:"right"`
	Why      string `json:"why,omitempty"` // reason why there is no answer
}

func points(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

func (g *Grades) ranking() report.Table {
	t := report.Table{Head: []string{"rank", "name", "points"}, Words: 2, Links: g.files()}
	t.Head = append(t.Head, list.Map(g.assignment.Exercises, func(e Exercise) string { return e.Name })...)
	t.Head = append(t.Head, "late", "unreadable", "crashed", "illegal", "note")
	for _, r := range g.Submissions {
		row := []string{strconv.Itoa(r.Rank), r.Name, points(r.Points)}
		var all arena.FaultCounts
		for _, p := range r.Exercises {
			row = append(row, points(p.Points))
			all = all.Plus(p.Faults)
		}
		t.Rows = append(t.Rows, append(append(row, counts(all)...), cmp.Or(r.Fault, all.First)))
	}
	return t
}

// counts returns the numbers of late, unreadable, crashed and illegal answers as table cells.
func counts(f arena.FaultCounts) (cells []string) {
	return list.Map([]int{f.Time, f.Unreadable, f.Crash, f.Illegal}, strconv.Itoa)
}

// files returns the names of the students' pages, in the order of the submissions. The names remain
// distinct even if case is ignored.
func (g *Grades) files() (names []string) {
	used := map[string]bool{"index": true}
	for _, r := range g.Submissions {
		name := r.Name
		if len(name) > mostName {
			name = fmt.Sprintf("%.25s", name)
		}
		for n, first := 2, name; used[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s-%d", first, n)
		}
		used[strings.ToLower(name)] = true
		names = append(names, name+".html")
	}
	return names
}

// passed returns the number of submissions with enough points.
func (g *Grades) passed() (n int) {
	for _, r := range g.Submissions {
		if r.Passed {
			n++
		}
	}
	return n
}

// Text formats the ranking for a terminal. For a single submission, it formats the exercises
// instead.
func (g *Grades) Text() string {
	var b bytes.Buffer
	if len(g.Submissions) == 1 {
		r := &g.Submissions[0]
		fmt.Fprintln(&b, r.lead(g))
		for _, p := range r.Exercises {
			fmt.Fprintf(&b, "\n%s: %s of %s. %s\n", p.Name, points(p.Points), points(p.Of), p.Said)
			for _, item := range p.Items {
				if !item.Right {
					fmt.Fprintf(&b, "  %s: want %s, %s\n", item.Question, item.Want, cmp.Or(item.Why, "got "+item.Got))
				}
			}
		}
		return b.String()
	}
	g.ranking().Print(&b)
	fmt.Fprintf(&b, "\n%s\n", g.lead())
	return b.String()
}

func (g *Grades) lead() string {
	return fmt.Sprintf("%s: %d of %d submissions passed, with at least %s of %s points. The seed is %d.", g.Title, g.passed(), len(g.Submissions), points(g.Pass), points(g.Of), g.Seed)
}

func (r *Result) lead(g *Grades) string {
	enough := "passed"
	if !r.Passed {
		enough = fmt.Sprintf("%s needed to pass", points(g.Pass))
	}
	text := fmt.Sprintf("%s: %s of %s points (%s).", r.Name, points(r.Points), points(r.Of), enough)
	if r.Fault != "" {
		text += " Nothing was graded: " + r.Fault + "."
	}
	return text
}

// Pages returns the teacher's report, index.html, and one page per student, by file name.
func (g *Grades) Pages() (map[string]*report.Page, error) {
	class, err := g.classPage()
	pages := map[string]*report.Page{"index.html": class}
	for i, file := range g.files() {
		pages[file] = g.studentPage(i)
	}
	return pages, err
}

// classPage returns the teacher's report: the ranking, and the class's results in each exercise.
func (g *Grades) classPage() (*report.Page, error) {
	p := &report.Page{Title: g.Title, Lead: g.lead()}
	ranking := g.ranking()
	ranking.Caption = "Points for each exercise, and faults of the programs. A fault is a game that was lost or a question that was not answered because the program was late, printed something other than an answer (unreadable), crashed or named an illegal move. The note describes the first fault. Each name links to the submission's page."
	p.Add(report.Heading("Ranking"), ranking, report.Heading("Exercises"))
	exercises := report.Table{Head: []string{"exercise", "of", "mean", "all points", "no points"}, Caption: "Class results for each exercise: the mean number of points, and the numbers of submissions with all points and with none."}
	rows := report.Rows{Title: "Mean percentage of the points", XLabel: "percent of an exercise's points", XMin: new(0.0), XMax: new(100.0)}
	for i, e := range g.assignment.Exercises {
		sum, full, none := 0.0, 0, 0
		for _, r := range g.Submissions {
			switch got := r.Exercises[i].Points; {
			case got >= e.Points:
				full++
			case got == 0:
				none++
			}
			sum += r.Exercises[i].Points
		}
		mean := sum / float64(len(g.Submissions))
		exercises.Rows = append(exercises.Rows, []string{e.Name, points(e.Points), points(rounded(mean)), strconv.Itoa(full), strconv.Itoa(none)})
		share := 100 * mean / e.Points
		rows.Rows = append(rows.Rows, report.Row{Name: e.Name, Value: share, Low: share, High: share, Text: fmt.Sprintf("%.0f%%", share), Color: 1})
	}
	figure, err := report.NewFigure("exercises", "", "Mean percentage of the points that the class earned in each exercise.", rows)
	if err != nil {
		return nil, err
	}
	p.Add(exercises, figure)
	return p, nil
}

// studentPage returns the report of submission i.
func (g *Grades) studentPage(i int) *report.Page {
	r := &g.Submissions[i]
	p := &report.Page{Title: g.Title, Lead: r.lead(g)}
	p.Add(report.Text(g.assignment.Text))
	summary := report.Table{Head: []string{"exercise", "points", "of", "late", "unreadable", "crashed", "illegal"}, Caption: "The last four columns count the questions or games that were lost because the program was late, printed something other than an answer, crashed or named an illegal move."}
	for _, part := range r.Exercises {
		summary.Rows = append(summary.Rows, append([]string{part.Name, points(part.Points), points(part.Of)}, counts(part.Faults)...))
	}
	p.Add(summary)
	for k, part := range r.Exercises {
		if r.Fault != "" {
			break
		}
		p.Add(report.Heading(part.Name))
		if text := g.assignment.Exercises[k].Text; text != "" {
			p.Add(report.Text(text))
		}
		p.Add(report.Text(part.Said))
		if len(part.Items) == 0 {
			continue
		}
		t := report.Table{Head: []string{"question", "wanted", "answered", "right"}, Words: 4}
		for _, item := range part.Items {
			right := "no"
			if item.Right {
				right = "yes"
			}
			t.Rows = append(t.Rows, []string{item.Question, item.Want, cmp.Or(item.Why, item.Got), right})
		}
		p.Add(t)
	}
	return p
}
