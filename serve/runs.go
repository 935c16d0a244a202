package serve

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"slices"
	"time"

	"plyfit/arena/stats"
	"plyfit/learn/online/runner"
)

// Names of what a run's folder holds.
const (
	logName    = runner.LogFile
	reportName = runner.PageFile
	matchName  = "match.json"
)

// longestLog is how much of a log is read, its end.
const longestLog = 4 << 20

// runView is a run as a page shows it.
type runView struct {
	Name     string
	Link     string // its page
	Report   string // its report's address; "" where there is none yet
	Changed  string // how long ago it last wrote
	Live     bool   // the log has no end and is still written to
	Ended    bool
	Game     string
	Episodes int
	Rate     string // episodes a second
	Ahead    string // time left, where the number of games is known
	Events   []string

	points []runner.Point
}

// runs is the folder of runs. No name leads out of it, by .. or a link.
func (s *Server) runs() (*os.Root, error) {
	if s.config.Runs == "" {
		return nil, fmt.Errorf("no folder of runs is shown here: want plyfit serve --runs DIR")
	}
	return os.OpenRoot(s.config.Runs)
}

// runList shows all runs in the folder, the latest first.
func (s *Server) runList(w http.ResponseWriter, r *http.Request) {
	root, err := s.runs()
	if err != nil {
		refuse(w, r, http.StatusNotFound, err.Error())
		return
	}
	defer root.Close()
	type found struct {
		runView
		at time.Time
	}
	var list []found
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return nil
		case len(list) >= 500 || bytes.Count([]byte(name), []byte("/")) > 3:
			return fs.SkipDir
		}
		for _, file := range []string{logName, reportName, matchName} {
			if info, err := fs.Stat(root.FS(), path.Join(name, file)); err == nil && info.Mode().IsRegular() {
				v, at := readRun(root, name)
				list = append(list, found{v, at})
				return nil
			}
		}
		return nil
	})
	if err != nil {
		refuse(w, r, http.StatusInternalServerError, "the folder of runs cannot be read")
		return
	}
	slices.SortStableFunc(list, func(a, b found) int { return b.at.Compare(a.at) })
	data := struct {
		Head head
		Runs []runView
	}{Head: s.head("Runs | plyfit", "runs")}
	for _, f := range list {
		data.Runs = append(data.Runs, f.runView)
	}
	s.render(w, r, "runs.html", data)
}

// readRun reads what a run has told so far, and when it last did.
func readRun(root *os.Root, name string) (v runView, at time.Time) {
	v.Name = name
	v.Link = "/run?" + url.Values{"name": {name}}.Encode()
	if _, err := root.Stat(path.Join(name, reportName)); err == nil {
		v.Report = "/report?" + url.Values{"name": {name}}.Encode()
	}
	for _, file := range []string{logName, reportName, matchName} {
		if info, err := root.Stat(path.Join(name, file)); err == nil && info.ModTime().After(at) {
			at = info.ModTime()
		}
	}
	v.readLog(root, name)
	since := time.Since(at).Round(time.Second)
	v.Changed = since.String()
	v.Live = !v.Ended && since < 10*time.Minute
	return v, at
}

// readLog reads the events of a run's log. Lines that are cut off or strange are
// skipped: the run may be writing them.
func (v *runView) readLog(root *os.Root, name string) {
	f, err := root.Open(path.Join(name, logName))
	if err != nil {
		v.Ended = true // nothing that goes on: a match or a report
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > longestLog {
		f.Seek(-longestLog, io.SeekEnd)
	}
	games := 0
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		v.readEvent(lines.Bytes(), &games)
	}
	v.estimate(games)
}

// readEvent reads a line of a log; games is how many the run is to learn from.
func (v *runView) readEvent(line []byte, games *int) {
	var e struct {
		Event    string  `json:"event"`
		Time     string  `json:"time"`
		Game     string  `json:"game"`
		Round    int     `json:"round"`
		Loss     float64 `json:"held_out_loss"`
		Accepted *bool   `json:"accepted"`
		Recipe   []struct{ Key, Value string }
	}
	if json.Unmarshal(line, &e) != nil {
		return
	}
	switch e.Event {
	case "begin":
		v.Ended, v.points = false, nil
		v.Game = cmp.Or(e.Game, v.Game)
		for _, k := range e.Recipe {
			switch k.Key {
			case "game":
				v.Game = k.Value
			case "games":
				fmt.Sscan(k.Value, games)
			}
		}
	case "point":
		var p runner.Point
		if json.Unmarshal(line, &p) == nil {
			v.points = append(v.points, p)
		}
		return
	case "end":
		v.Ended = true
	}
	text := e.Time + " " + e.Event
	if e.Round > 0 {
		text += fmt.Sprintf(" %d, held-out loss %s", e.Round, number(e.Loss))
		if e.Accepted != nil && !*e.Accepted {
			text += ", not accepted"
		}
	}
	v.Events = append(v.Events, text)
}

// estimate tells the rate of a run by its last point, and the time that is left.
func (v *runView) estimate(games int) {
	if n := len(v.points); n > 0 {
		last := &v.points[n-1]
		v.Episodes = last.Episodes
		if last.Seconds > 0 && last.Episodes > 0 {
			rate := float64(last.Episodes) / last.Seconds
			v.Rate = number(rate)
			if left := games - last.Episodes; left > 0 && !v.Ended {
				v.Ahead = time.Duration(float64(left) / rate * float64(time.Second)).Round(time.Second).String()
			}
		}
	}
}

// run shows one run, beside=NAME another with it. Its curves are asked for again and
// again while it goes on.
func (s *Server) run(w http.ResponseWriter, r *http.Request) {
	root, err := s.runs()
	if err != nil {
		refuse(w, r, http.StatusNotFound, err.Error())
		return
	}
	defer root.Close()
	var all []runView
	for _, name := range []string{r.FormValue("name"), r.FormValue("beside")} {
		if name == "" && len(all) > 0 {
			continue
		}
		if info, err := root.Stat(path.Join(name, ".")); !fs.ValidPath(name) || err != nil || !info.IsDir() {
			refuse(w, r, http.StatusNotFound, fmt.Sprintf("no run %q in the folder that is shown", shortened(name)))
			return
		}
		v, _ := readRun(root, name)
		all = append(all, v)
	}
	data := struct {
		Head   head
		Run    runView
		Beside string
		Self   string
		Curves []template.HTML
	}{s.head(all[0].Name+" | plyfit", "runs"), all[0], r.FormValue("beside"), "/run?" + url.Values{"name": {all[0].Name}, "beside": {r.FormValue("beside")}}.Encode(), curves(all)}
	if fragment(r) {
		s.render(w, r, "run", data)
		return
	}
	s.render(w, r, "run.html", data)
}

// curves draws the learning curves of runs: strength, and what their own episodes
// brought.
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
		for _, v := range runs {
			line := curveLine{name: v.Name}
			for i := range v.points {
				p := &v.points[i]
				e := kind.of(p)
				if !e.Known {
					continue
				}
				if kind.title == "strength" && p.Of != "" {
					title = "strength: " + p.Of
				}
				line.x = append(line.x, float64(p.Episodes))
				line.y = append(line.y, e.Value)
				lo, hi := e.Value, e.Value
				if e.Bounded {
					lo, hi = e.Low, e.High
				}
				line.low, line.high = append(line.low, lo), append(line.high, hi)
			}
			if len(line.x) > 0 {
				lines = append(lines, line)
			}
		}
		if len(lines) > 0 {
			out = append(out, drawCurves(title, "episodes", lines))
		}
	}
	return out
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
	if fs.ValidPath(name) {
		data, err = root.ReadFile(path.Join(name, reportName))
	}
	if err != nil || data == nil {
		refuse(w, r, http.StatusNotFound, fmt.Sprintf("no report of %q in the folder that is shown", shortened(name)))
		return
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(data)
}
