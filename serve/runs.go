package serve

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"plyfit/arena"
	"plyfit/datasets"
	"plyfit/internal/regular"
	"plyfit/learn/online/runner"
	"plyfit/report"
	"plyfit/stats"
)

var runRoutes = []route{
	{"GET /runs", (*Server).runList, "runs.html|runs"},
	{"GET /run", (*Server).run, "run.html|run"},
	{"GET /changes", (*Server).changes, ""},
	{"GET /report", (*Server).report, ""},
}

// Names of what a run's folder holds.
const (
	logName      = runner.LogFile
	reportName   = runner.PageFile
	matchName    = "match.json"
	cellsName    = "cells"
	settingsName = "config.json" // of plyfit learn
)

// What is shown as a run.
const (
	learnKind = "learn"
	trainKind = "train"
	studyKind = "study"
	gamesKind = "games" // a data set of self-play
	matchKind = "match"
)

// runView is a run as a page shows it.
type runView struct {
	Name    string
	Kind    string
	What    string // it is, in words
	Result  string // what came of it, in words
	Link    string // its page
	Report  string // its report's address; "" where there is none yet
	Changed string // when it last wrote; "": never
	Live    bool   // it has no end and is still written to
	Ended   bool
	Game    string
	Done    int    // Units that are finished
	Of      int    // that there will be; 0: nobody knows
	Unit    string // one of them: "episode", "pair", "cell"
	Rate    string // units a second
	Ahead   string // time left, where the number of units is known
	Events  []string
	Parts   []part
	Match   *matchView

	at     time.Time // when it last wrote
	points []runner.Point
	losses []float64 // held out, by round
}

// part is something inside of a run that has a page of its own.
type part struct{ runView }

// runs is the folder of runs. No name leads out of it, by .. or a link.
func (s *Server) runs() (*os.Root, error) {
	if s.config.Runs == "" {
		return nil, missing("no folder of runs is shown here: want plyfit serve --runs DIR")
	}
	return os.OpenRoot(s.config.Runs)
}

// kindOf says what a folder or file of that name is; "" where it is no run.
func kindOf(root *os.Root, name string, d fs.DirEntry) string {
	there := func(file string) bool {
		_, err := root.Stat(path.Join(name, file))
		return err == nil
	}
	switch {
	case !d.IsDir() && strings.HasSuffix(name, ".jsonl") && isMatch(root, name):
		return matchKind
	case !d.IsDir():
		return ""
	case there(logName) && there(settingsName):
		return learnKind
	case there(logName):
		return trainKind
	case there(cellsName):
		return studyKind
	case there(datasets.ManifestFile):
		return gamesKind
	case there(reportName) || there(matchName):
		return learnKind
	}
	return ""
}

// Limits of what is looked for.
const (
	mostRuns   = 500
	mostFiles  = 20_000 // looked at
	mostLevels = 4      // of folders

	longestPlan   = 16 << 20 // bytes of a data set's plan
	longestReport = 64 << 20 // of a report
)

// walkRuns tells each of the runs below a folder, those inside of others left out.
func walkRuns(root *os.Root, from string, each func(name, kind string)) error {
	seen, runs := 0, 0
	return fs.WalkDir(root.FS(), from, func(name string, d fs.DirEntry, err error) error {
		if seen++; err != nil || seen > mostFiles || runs >= mostRuns {
			return fs.SkipAll
		}
		if d.IsDir() && strings.Count(name, "/") >= mostLevels {
			return fs.SkipDir
		}
		kind := ""
		if name != from {
			kind = kindOf(root, name, d)
		}
		if kind == "" {
			return nil
		}
		runs++
		each(name, kind)
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
}

// runList shows all runs in the folder, the latest first.
func (s *Server) runList(http.ResponseWriter, *http.Request) (any, error) {
	root, err := s.runs()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data := struct {
		Head head
		Runs []runView
		Live live
	}{Head: s.head("Runs | plyfit", "runs")}
	data.Live = following("/runs", true, s.version(root, []string{"."}), url.Values{}) // a run may begin at any time
	if err := walkRuns(root, ".", func(name, kind string) { data.Runs = append(data.Runs, summary(root, name, kind)) }); err != nil {
		return nil, refusal{http.StatusInternalServerError, errors.New("the folder of runs cannot be read")}
	}
	slices.SortStableFunc(data.Runs, func(a, b runView) int { return b.at.Compare(a.at) })
	matches := 0
	for i := range data.Runs {
		if v := &data.Runs[i]; v.Kind == matchKind && matches < mostFollowed/2 {
			matches++
			if s.readMatch(root, v) == nil && v.Match != nil {
				v.Result = v.Match.Score
			}
		}
	}
	return data, nil
}

// summary is a run without what takes long to read.
func summary(root *os.Root, name, kind string) runView {
	v := runView{Name: name, Kind: kind, Link: "/run?" + url.Values{"name": {name}}.Encode()}
	if _, err := root.Stat(path.Join(name, reportName)); err == nil && kind != matchKind {
		v.Report = "/report?" + url.Values{"name": {name}}.Encode()
	}
	_, v.at = filesOf(root, name)
	v.Unit = "episode"
	switch kind {
	case learnKind, trainKind:
		v.readLog(root, name)
	case matchKind:
		v.Unit = "pair"
		if h, err := headerOf(root, name); err == nil {
			v.Game = h.Game
		}
	case studyKind:
		v.Unit = "cell"
		v.countCells(root, name)
		v.Ended = v.Report != ""
	case gamesKind:
		v.countShards(root, name)
	}
	if !v.at.IsZero() {
		v.Changed = v.at.Format(time.DateTime)
	}
	v.Live = !v.Ended && time.Since(v.at) < quiet
	v.tell(root, name)
	return v
}

// readRun reads all that a run has told so far.
func (s *Server) readRun(root *os.Root, name, kind string) (v runView, err error) {
	v = summary(root, name, kind)
	switch kind {
	case matchKind:
		return v, s.readMatch(root, &v)
	case learnKind:
		contests := contestsOf(root, name)
		err = walkRuns(root, name, func(in, kind string) {
			p := part{runView: summary(root, in, kind)}
			if kind == matchKind && s.readMatch(root, &p.runView) == nil && p.Match != nil {
				p.Result = p.Match.Score
			}
			p.Name = strings.TrimPrefix(in, name+"/")
			p.What = inside(p.Name, contests)
			v.Parts = append(v.Parts, p)
		})
	}
	if v.Rate == "" {
		s.rate(&v)
	}
	return v, err
}

// named are the runs that an address names, one or two; none is the whole folder.
func (s *Server) named(r *http.Request) (root *os.Root, names []string, err error) {
	if root, err = s.runs(); err != nil {
		return nil, nil, err
	}
	for _, name := range []string{r.FormValue("name"), r.FormValue("beside")} {
		if name == "" {
			continue
		}
		if _, err := runNamed(root, name); err != nil {
			root.Close()
			return nil, nil, err
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		names = []string{"."}
	}
	return root, names, nil
}

// live is what a page of runs needs to follow them: the addresses of the part that is
// asked for anew and of the stream that says when.
type live struct {
	On           bool // something goes on
	Part, Stream string
}

// following is that of a page which shows runs of a version, which was read before
// anything else, so that no change is missed.
func following(page string, on bool, shown version, query url.Values) live {
	l := live{On: on, Part: page + "?" + query.Encode()}
	query.Set("version", string(shown))
	l.Stream = "/changes?" + query.Encode()
	return l
}

// run shows one run, beside=NAME another with it. While it goes on, the page follows it.
func (s *Server) run(_ http.ResponseWriter, r *http.Request) (any, error) {
	root, names, err := s.named(r)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if r.FormValue("name") == "" {
		return nil, missing("no run is named: want /run?name=NAME")
	}
	was := s.version(root, names)
	var all []runView
	on := false
	for _, name := range names {
		kind, err := runNamed(root, name)
		if err != nil {
			return nil, err
		}
		v, err := s.readRun(root, name, kind)
		if err != nil {
			return nil, err
		}
		all, on = append(all, v), on || v.Live
	}
	data := struct {
		Head   head
		Run    runView
		Other  *runView
		Beside string
		Live   live
		Curves []template.HTML
	}{Head: s.head(all[0].Name+" | plyfit", "runs"), Run: all[0], Beside: r.FormValue("beside"), Curves: curves(all)}
	data.Live = following("/run", on, was, url.Values{"name": {all[0].Name}, "beside": {data.Beside}})
	if len(all) > 1 {
		data.Other = &all[1]
	}
	return data, nil
}

// runNamed is the kind of a run of that name.
func runNamed(root *os.Root, name string) (kind string, err error) {
	if fs.ValidPath(name) {
		if info, err := root.Stat(name); err == nil {
			kind = kindOf(root, name, fs.FileInfoToDirEntry(info))
		}
	}
	if kind == "" {
		return "", missing("no run %q in the folder that is shown", shortened(name))
	}
	return kind, nil
}

// curves draws what runs have told so far, those of one kind over each other.
func curves(runs []runView) (out []template.HTML) {
	for _, kind := range []struct {
		title string
		of    func(p *runner.Point) stats.Estimate
	}{
		{"strength", func(p *runner.Point) stats.Estimate { return p.Strength }},
		{"outcome of its own episodes", func(p *runner.Point) stats.Estimate { return p.Outcome }},
		{"share that came to the goal", func(p *runner.Point) stats.Estimate { return p.Goal }},
	} {
		var lines []report.Series
		title := kind.title
		for _, v := range learners(runs) {
			line := report.Series{Name: v.short()}
			for i := range v.points {
				p := &v.points[i]
				if kind.title == "strength" && p.Of != "" && kind.of(p).Known {
					title = "strength: " + p.Of
				}
				add(&line, float64(p.Episodes), kind.of(p))
			}
			lines = append(lines, line)
		}
		out = appendChart(out, title, "episodes", lines)
	}
	var losses []report.Series
	for _, v := range runs {
		line := report.Series{Name: v.Name}
		for k, loss := range v.losses {
			add(&line, float64(k+1), stats.Estimate{Value: loss, Known: true})
		}
		losses = append(losses, line)
	}
	return append(appendChart(out, "held-out loss", "rounds", losses), matchCurves(runs)...)
}

// short is a name for the run in a picture.
func (v *runView) short() string {
	what, _, _ := strings.Cut(v.What, " of ")
	if what, _, _ = strings.Cut(what, ": "); strings.ContainsAny(what, "0123456789") {
		return what // a part, by its number
	}
	return v.Name
}

// learners are runs and, where there is but one, the trainings inside of it.
func learners(runs []runView) []runView {
	if len(runs) != 1 {
		return runs
	}
	out := slices.Clone(runs)
	for _, p := range runs[0].Parts {
		if p.Kind == trainKind {
			out = append(out, p.runView)
		}
	}
	return out
}

// mostInside is how many of a run's own matches are drawn, the last.
const mostInside = 4

// matchCurves draws the running estimates of matches, and their tests.
func matchCurves(runs []runView) []template.HTML {
	shown := slices.Clone(runs)
	if len(runs) == 1 {
		inside := slices.DeleteFunc(slices.Clone(runs[0].Parts), func(p part) bool { return p.Match == nil })
		for _, p := range inside[max(0, len(inside)-mostInside):] {
			shown = append(shown, p.runView)
		}
	}
	var estimates, ratios []report.Series
	var test *arena.SPRTResult
	title, even := "what the first gets more so far", 0.0
	for _, v := range shown {
		if v.Match == nil {
			continue
		}
		r := &v.Match.result
		running, ratio := report.Series{Name: v.short()}, report.Series{Name: v.short()}
		for _, p := range r.Trace {
			if p.Score.Bounded {
				add(&running, float64(p.Pairs), p.Score)
			}
			if r.SPRT != nil {
				add(&ratio, float64(p.Pairs), stats.Estimate{Value: p.LLR, Known: true})
			}
		}
		estimates, ratios = append(estimates, running), append(ratios, ratio)
		test = cmp.Or(test, r.SPRT)
		if r.Measure == arena.Wins {
			title, even = "share of the points so far, of the first", 0.5
		}
	}
	out := appendChart(nil, title, "pairs", estimates, level{even, "equals"})
	if test != nil {
		out = appendChart(out, "log-likelihood ratio of the sequential test", "pairs", ratios,
			level{test.Upper, fmt.Sprintf("%g is accepted", test.Test.High)}, level{test.Lower, fmt.Sprintf("%g is accepted", test.Test.Low)})
	}
	return out
}

// report hands out a run's report, which is a page of its own and may run nothing.
func (s *Server) report(w http.ResponseWriter, r *http.Request) (any, error) {
	root, err := s.runs()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := r.FormValue("name")
	var data []byte
	if err = errors.ErrUnsupported; fs.ValidPath(name) {
		data, err = regular.ReadIn(root, path.Join(name, reportName), longestReport)
	}
	if err != nil {
		return nil, missing("no report of %q in the folder that is shown, of at most %d MB", shortened(name), longestReport>>20)
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(data)
	return nil, nil
}

// headerOf reads the first line of a match's file.
func headerOf(root *os.Root, name string) (h arena.Header, err error) {
	f, err := regular.OpenIn(root, name)
	if err != nil {
		return h, err
	}
	defer f.Close()
	return arena.ReadHeader(name, f)
}

// isMatch reports whether a file is the record of a match.
func isMatch(root *os.Root, name string) bool {
	_, err := headerOf(root, name)
	return err == nil
}
