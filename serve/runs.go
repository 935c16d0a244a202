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
	"plyfit/arena/stats"
	"plyfit/datasets"
	"plyfit/internal/regular"
	"plyfit/learn/online/runner"
)

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
	Link    string // its page
	Report  string // its report's address; "" where there is none yet
	Changed string // when it last wrote; "": never
	Live    bool   // it has no end and is still written to
	Ended   bool
	Game    string
	Done    int    // Units that are finished
	Of      int    // that there will be; 0: nobody knows
	Unit    string // "episodes", "pairs", "cells"
	Rate    string // units a second
	Ahead   string // time left, where the number of units is known
	Events  []string
	Parts   []part
	Match   *matchView

	points []runner.Point
	losses []float64 // held out, by round
}

// part is something inside of a run that has a page of its own.
type part struct {
	runView
	Score string // of a match
}

// runs is the folder of runs. No name leads out of it, by .. or a link.
func (s *Server) runs() (*os.Root, error) {
	if s.config.Runs == "" {
		return nil, fmt.Errorf("no folder of runs is shown here: want plyfit serve --runs DIR")
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
func (s *Server) runList(w http.ResponseWriter, r *http.Request) {
	root, err := s.runs()
	if err != nil {
		refuse(w, r, http.StatusNotFound, err.Error())
		return
	}
	defer root.Close()
	was := s.shown(root, []string{"."}) // before anything is read, so that no change is missed
	type found struct {
		runView
		at time.Time
	}
	var list []found
	err = walkRuns(root, ".", func(name, kind string) {
		v, at := s.summary(root, name, kind)
		list = append(list, found{v, at})
	})
	if err != nil {
		refuse(w, r, http.StatusInternalServerError, "the folder of runs cannot be read")
		return
	}
	slices.SortStableFunc(list, func(a, b found) int { return b.at.Compare(a.at) })
	data := struct {
		Head head
		Runs []runView
		Live live
	}{Head: s.head("Runs | plyfit", "runs")}
	for _, f := range list {
		data.Runs = append(data.Runs, f.runView)
	}
	data.Live = following("/runs", true, was, url.Values{}) // a run may begin at any time
	if fragment(r) {
		s.render(w, r, "runs", data)
		return
	}
	s.render(w, r, "runs.html", data)
}

// summary is a run without what takes long to read, and when it last wrote.
func (s *Server) summary(root *os.Root, name, kind string) (v runView, at time.Time) {
	v = runView{Name: name, Kind: kind, Link: "/run?" + url.Values{"name": {name}}.Encode()}
	if _, err := root.Stat(path.Join(name, reportName)); err == nil && kind != matchKind {
		v.Report = "/report?" + url.Values{"name": {name}}.Encode()
	}
	at = lastWritten(root, name)
	switch kind {
	case learnKind, trainKind:
		v.Unit = "episodes"
		v.readLog(root, name)
	case matchKind:
		v.Unit = "pairs"
		if h, err := headerOf(root, name); err == nil {
			v.Game = h.Game
		}
	case studyKind:
		v.Unit = "cells"
		v.countCells(root, name)
		v.Ended = v.Report != ""
	case gamesKind:
		v.Unit = "episodes"
		v.countShards(root, name)
	}
	if !at.IsZero() {
		v.Changed = at.Format(time.DateTime)
	}
	v.Live = !v.Ended && time.Since(at) < quiet
	return v, at
}

// lastWritten is when a file was written, or the last of those in a folder.
func lastWritten(root *os.Root, name string) (at time.Time) {
	seen := 0
	fs.WalkDir(root.FS(), name, func(_ string, d fs.DirEntry, err error) error {
		if seen++; err != nil || seen > mostFiles {
			return fs.SkipAll
		}
		if info, err := d.Info(); err == nil && !d.IsDir() && info.ModTime().After(at) {
			at = info.ModTime()
		}
		return nil
	})
	return at
}

// readRun reads all that a run has told so far.
func (s *Server) readRun(root *os.Root, name, kind string) (v runView, err error) {
	v, _ = s.summary(root, name, kind)
	switch kind {
	case matchKind:
		return v, s.readMatch(root, &v)
	case learnKind:
		err = walkRuns(root, name, func(inner, kind string) {
			p := part{}
			p.runView, _ = s.summary(root, inner, kind)
			if kind == matchKind {
				if s.readMatch(root, &p.runView) == nil && p.Match != nil {
					p.Score = p.Match.Score
				}
			}
			p.Name = strings.TrimPrefix(inner, name+"/")
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

// following is that of a page which shows runs as they were at a stamp.
func following(page string, on bool, shown stamp, query url.Values) live {
	l := live{On: on, Part: page + "?" + query.Encode()}
	query.Set("stamp", string(shown))
	l.Stream = "/changes?" + query.Encode()
	return l
}

// run shows one run, beside=NAME another with it. While it goes on, the page follows it.
func (s *Server) run(w http.ResponseWriter, r *http.Request) {
	root, names, err := s.named(r)
	if err == nil && r.FormValue("name") == "" {
		root.Close()
		err = errors.New("no run is named: want /run?name=NAME")
	}
	if err != nil {
		refuse(w, r, http.StatusNotFound, err.Error())
		return
	}
	defer root.Close()
	was := s.shown(root, names) // before anything is read, so that no change is missed
	var all []runView
	on := false
	for _, name := range names {
		kind, err := runNamed(root, name)
		if err != nil {
			refuse(w, r, http.StatusNotFound, err.Error())
			return
		}
		v, err := s.readRun(root, name, kind)
		if err != nil {
			refuse(w, r, http.StatusBadRequest, err.Error())
			return
		}
		all, on = append(all, v), on || v.Live
	}
	beside := r.FormValue("beside")
	data := struct {
		Head   head
		Run    runView
		Other  *runView
		Beside string
		Live   live
		Curves []template.HTML
	}{Head: s.head(all[0].Name+" | plyfit", "runs"), Run: all[0], Beside: beside, Curves: curves(all)}
	data.Live = following("/run", on, was, url.Values{"name": {all[0].Name}, "beside": {beside}})
	if len(all) > 1 {
		data.Other = &all[1]
	}
	if fragment(r) {
		s.render(w, r, "run", data)
		return
	}
	s.render(w, r, "run.html", data)
}

// runNamed is the kind of a run of that name.
func runNamed(root *os.Root, name string) (kind string, err error) {
	if fs.ValidPath(name) {
		if info, err := root.Stat(name); err == nil {
			kind = kindOf(root, name, fs.FileInfoToDirEntry(info))
		}
	}
	if kind == "" {
		return "", fmt.Errorf("no run %q in the folder that is shown", shortened(name))
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
		var lines []curveLine
		title := kind.title
		for _, v := range learners(runs) {
			line := curveLine{name: v.Name}
			for i := range v.points {
				p := &v.points[i]
				if kind.title == "strength" && p.Of != "" && kind.of(p).Known {
					title = "strength: " + p.Of
				}
				line.add(float64(p.Episodes), kind.of(p))
			}
			lines = append(lines, line)
		}
		out = appendCurves(out, chart{title: title, unit: "episodes", lines: lines})
	}
	var losses []curveLine
	for _, v := range runs {
		line := curveLine{name: v.Name}
		for k, loss := range v.losses {
			line.add(float64(k+1), stats.Estimate{Value: loss, Known: true})
		}
		losses = append(losses, line)
	}
	out = appendCurves(out, chart{title: "held-out loss", unit: "rounds", lines: losses})
	return append(out, matchCurves(runs)...)
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

// matchCurves draws the running estimates of matches, and their tests.
func matchCurves(runs []runView) (out []template.HTML) {
	var estimates, ratios []curveLine
	add := func(name string, r *arena.Result) {
		running, ratio := curveLine{name: name}, curveLine{name: name}
		for _, p := range r.Trace {
			if p.Score.Bounded {
				running.add(float64(p.Pairs), p.Score)
			}
			if r.SPRT != nil {
				ratio.add(float64(p.Pairs), stats.Estimate{Value: p.LLR, Known: true})
			}
		}
		estimates, ratios = append(estimates, running), append(ratios, ratio)
	}
	var test *arena.SPRTResult
	measure := arena.Measure("")
	for i := range runs {
		if m := runs[i].Match; m != nil {
			add(runs[i].Name, &m.result)
			test, measure = cmp.Or(test, m.result.SPRT), m.result.Measure
		}
	}
	if len(runs) == 1 { // its own matches, the last
		inside := slices.DeleteFunc(slices.Clone(runs[0].Parts), func(p part) bool { return p.Match == nil })
		for _, p := range inside[max(0, len(inside)-len(linePaints)):] {
			add(p.Name, &p.Match.result)
			measure = p.Match.result.Measure
		}
	}
	scores := chart{title: "running estimate: what A gets more than B", unit: "pairs", lines: estimates, levels: []level{{0, "equals"}}}
	if measure == arena.Wins {
		scores.title, scores.levels[0].at = "running estimate: A's share of the points", 0.5
	}
	out = appendCurves(out, scores)
	if test != nil {
		out = appendCurves(out, chart{title: "log-likelihood ratio of the sequential test", unit: "pairs", lines: ratios,
			levels: []level{{test.Upper, fmt.Sprintf("%g is accepted", test.Test.High)}, {test.Lower, fmt.Sprintf("%g is accepted", test.Test.Low)}}})
	}
	return out
}

// appendCurves draws a chart that has anything to show.
func appendCurves(out []template.HTML, c chart) []template.HTML {
	c.lines = slices.DeleteFunc(c.lines, func(l curveLine) bool { return len(l.x) == 0 })
	if len(c.lines) == 0 {
		return out
	}
	return append(out, c.draw())
}

// report hands out a run's report, which is a page of its own and may run nothing.
func (s *Server) report(w http.ResponseWriter, r *http.Request) {
	root, err := s.runs()
	if err != nil {
		refuse(w, r, http.StatusNotFound, err.Error())
		return
	}
	defer root.Close()
	name := r.FormValue("name")
	var data []byte
	if err = errors.ErrUnsupported; fs.ValidPath(name) {
		data, err = regular.ReadIn(root, path.Join(name, reportName), longestReport)
	}
	if err != nil {
		refuse(w, r, http.StatusNotFound, fmt.Sprintf("no report of %q in the folder that is shown, of at most %d MB", shortened(name), longestReport>>20))
		return
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(data)
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
