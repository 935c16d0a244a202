package serve

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/learn/loop"
	"plyfit/learn/online"
	"plyfit/work"
)

var runRoutes = []route{
	{"GET /runs", (*Server).runList, "runs.html|runs"},
	{"GET /report", (*Server).report, ""},
}

// Names of files and folders in the folder of a run.
const (
	logName      = online.LogFile
	reportName   = online.PageFile
	matchName    = "match.json"
	cellsName    = "cells"
	settingsName = "config.json" // written by plyfit learn
)

// Kinds of runs.
const (
	learnKind = "learn"
	trainKind = "train"
	studyKind = "study"
	gamesKind = "games" // data set of self-play games
	matchKind = "match"
)

// runView is a row of the list of runs.
type runView struct {
	Name     string
	Kind     string
	What     string // description of the run
	Result   string // result in words
	Report   string // URL of the report, or "" if there is none yet
	Games    string // URL of the first game, or "" if there is none
	Changed  string // time of the last change
	Live     bool   // whether a process is working on the run
	Ended    bool
	Progress *work.Progress // progress of that process; nil if it has not reported any
	Percent  int64          // completed percentage; negative if unknown

	at time.Time // time of the last change
}

// runs opens the folder of runs. Names cannot lead out of the folder, whether through ".." or
// through links.
func (s *Server) runs() (*os.Root, error) {
	if s.config.Runs == "" {
		return nil, missing("this server does not show runs; start the server with plyfit serve --runs DIR")
	}
	return os.OpenRoot(s.config.Runs)
}

// kindOf returns the kind of a run, or "" if name is not a run.
func kindOf(root *os.Root, name string, d fs.DirEntry) string {
	there := func(file string) bool {
		_, err := root.Stat(path.Join(name, file))
		return err == nil
	}
	switch {
	case !d.IsDir() && isMatch(root, name):
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
	case name != "." && (there(reportName) || there(matchName)): // the folder of runs may itself contain such files without being a run
		return learnKind
	}
	return ""
}

// Limits on the search for runs.
const (
	mostRuns   = 500
	mostFiles  = 20_000 // files examined
	mostLevels = 4      // depth of folders

	longestPlan   = 16 << 20 // maximum size of a data set's plan, in bytes
	longestReport = 64 << 20 // maximum size of a report, in bytes
	longestMatch  = 64 << 20 // maximum size of a match file whose result is read, in bytes
	longestLog    = 64 << 10 // number of bytes read from the end of a log
)

// walkRuns calls a function with each run in a folder, within the limits above. The folder may
// itself be a run. walkRuns does not search inside runs.
func walkRuns(root *os.Root, each func(name, kind string)) error {
	seen, runs := 0, 0
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if seen++; err != nil || seen > mostFiles || runs >= mostRuns {
			return fs.SkipAll
		}
		if d.IsDir() && strings.Count(name, "/") >= mostLevels {
			return fs.SkipDir
		}
		kind := kindOf(root, name, d)
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

// runList lists the runs in the folder: first the running ones, then the others, each group with
// the latest first. The page polls it every few seconds.
func (s *Server) runList(http.ResponseWriter, *http.Request) (any, error) {
	root, err := s.runs()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data := struct {
		Head head
		Runs []runView
	}{Head: s.head("Runs | plyfit", "runs")}
	if err := walkRuns(root, func(name, kind string) { data.Runs = append(data.Runs, s.summary(root, name, kind)) }); err != nil {
		return nil, refusal{http.StatusInternalServerError, errors.New("cannot read the runs folder")}
	}
	slices.SortStableFunc(data.Runs, func(a, b runView) int {
		switch {
		case a.Live == b.Live:
			return b.at.Compare(a.at)
		case a.Live:
			return -1
		}
		return 1
	})
	return data, nil
}

func (s *Server) summary(root *os.Root, name, kind string) runView {
	v := runView{Name: name, Kind: kind, Percent: -1, at: written(root, name)}
	v.Changed = v.at.Format(time.DateTime)
	if name == "." {
		v.Name = filepath.Base(root.Name())
	}
	if _, err := root.Stat(path.Join(name, reportName)); err == nil && kind != matchKind {
		v.Report = "/report?" + url.Values{"name": {name}}.Encode()
	}
	v.Ended = v.Report != ""
	if v.Progress, v.Live = work.AtWork(root, name); v.Live && v.Progress != nil && v.Progress.Total > 0 {
		v.Percent = 100 * v.Progress.Done / v.Progress.Total
	}
	switch kind {
	case matchKind:
		v.What = "match"
		if m := s.resultOf(root, name); m.err != nil {
			v.Result = m.err.Error()
		} else {
			v.What, v.Result, v.Ended = "match: "+against(m.A, m.B), m.score, m.decided
			if !m.NoMoves && m.score != "" {
				v.Games = replayLink(name, 1, 1)
			}
		}
	case learnKind:
		v.What = "learning"
		if all := contestsOf(root, name); len(all) > 0 {
			v.Result = compared(&all[0]) + ": " + share(&all[0].Result)
		}
		escaped := strings.NewReplacer("\\", "\\\\", "*", "\\*", "?", "\\?", "[", "\\[").Replace(name)
		if first, err := fs.Glob(root.FS(), path.Join(escaped, "matches", "*.jsonl")); err == nil && len(first) > 0 {
			v.Games = replayLink(first[0], 1, 1)
		}
	case trainKind:
		v.What = "learning curve"
		v.Result = lastPoint(root, name)
	case gamesKind:
		v.What = "self-play games"
		data, err := disk.ReadIn(root, path.Join(name, datasets.ManifestFile), longestPlan)
		var m datasets.Manifest
		switch {
		case err != nil:
			v.Result = err.Error()
		case json.Unmarshal(data, &m) == nil:
			v.What += " of " + m.Game
			if v.Ended = m.Complete; v.Ended {
				v.Result = fmt.Sprintf("%d episodes, %d records", m.Episodes, m.Records)
			}
		}
	case studyKind:
		v.What = "study"
		v.Result = titleOf(root, path.Join(name, "report.md"))
	}
	v.Ended = v.Ended && !v.Live
	return v
}

// written returns the latest modification time of a file, or of the files in a folder.
func written(root *os.Root, name string) (last time.Time) {
	seen := 0
	fs.WalkDir(root.FS(), name, func(_ string, d fs.DirEntry, err error) error {
		if seen++; err != nil || seen > mostFiles {
			return fs.SkipAll
		}
		if info, err := d.Info(); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		return nil
	})
	return last
}

// matchResult is the result read from a match file.
type matchResult struct {
	arena.Header
	score   string // "" if no pair has been played
	decided bool   // whether the sequential test has ended
	err     error

	file os.FileInfo
}

func (s *Server) resultOf(root *os.Root, name string) *matchResult {
	info, err := root.Stat(name)
	if err != nil {
		return &matchResult{err: err}
	}
	if was := s.matches.Get(name); was != nil && os.SameFile(was.file, info) && was.file.Size() == info.Size() && was.file.ModTime().Equal(info.ModTime()) {
		return was
	}
	f := &matchResult{file: info}
	var r arena.Result
	var any bool
	if f.Header, r, any, f.err = s.readMatch(root, name, nil); any {
		f.score, f.decided = standing(&r), r.SPRT != nil && r.SPRT.Decision != stats.Open
	}
	s.matches.Put(name, f)
	return f
}

// readMatch reads a match file and passes every pair to the callback, unless it is nil. It also
// reports whether the file contains any pairs.
func (s *Server) readMatch(root *os.Root, name string, each func(*arena.PairRecord) error) (h arena.Header, r arena.Result, any bool, err error) {
	file, err := disk.OpenIn(root, name)
	if err != nil {
		return h, r, false, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() > longestMatch {
		return h, r, false, cmp.Or(err, fmt.Errorf("%s: the match file is too large; want at most %d MB", name, longestMatch>>20))
	}
	return arena.ReadResult(name, file, func(spec string) (*game.Game, error) {
		w, err := s.config.Catalog.World(spec)
		if err != nil {
			return nil, err
		}
		return w.Game, nil
	}, each)
}

// standing formats a match's score.
func standing(r *arena.Result) string {
	if r.Measure == arena.Wins {
		return fmt.Sprintf("%d won, %d drawn, %d lost: %s", r.Wins, r.Draws, r.Losses, share(r))
	}
	return "the first player gets " + share(r)
}

// lastPoint formats the last playing strength in a log. It skips invalid lines, because the run may
// still be writing a line.
func lastPoint(root *os.Root, name string) (text string) {
	f, err := disk.OpenIn(root, path.Join(name, logName))
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > longestLog {
		f.Seek(-longestLog, io.SeekEnd)
	}
	data, _ := io.ReadAll(io.LimitReader(f, longestLog))
	for line := range bytes.Lines(data) {
		var p struct {
			Event string `json:"event"`
			online.Point
		}
		if json.Unmarshal(line, &p) == nil && p.Event == "point" && p.Strength.Known {
			text = cmp.Or(p.Of, "strength") + " " + number(p.Strength.Value)
			if e := p.Strength; e.Bounded {
				text += fmt.Sprintf(" (%s to %s)", number(e.Low), number(e.High))
			}
		}
	}
	return text
}

// compared describes a contest. Contests between planners have no common planner.
func compared(c *loop.Contest) string {
	text := strings.ReplaceAll(spoken(c.A)+" against "+spoken(c.B), "handwritten", "hand-written")
	if c.Planner != "" {
		text += ", both under " + spoken(c.Planner)
	}
	return text
}

// contestsOf returns the matches of a learning run, or nil if the run has not played all of them.
func contestsOf(root *os.Root, run string) []loop.Contest {
	var all struct {
		Contests []loop.Contest `json:"contests"`
	}
	data, err := disk.ReadIn(root, path.Join(run, matchName), longestPlan)
	if err != nil || json.Unmarshal(data, &all) != nil {
		return nil
	}
	return all.Contests
}

func share(r *arena.Result) string {
	if r.Measure == arena.Wins {
		return r.Score.Percent() + " of the points"
	}
	return fmt.Sprintf("%v more a game", r.Score)
}

// titleOf returns the title of a Markdown report, which is a study's question. It returns "" if the
// file cannot be read.
func titleOf(root *os.Root, name string) string {
	f, err := disk.OpenIn(root, name)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, _ := bufio.NewReader(f).ReadString('\n')
	return strings.TrimSpace(strings.TrimPrefix(line, "# "))
}

// report serves the report of a run. The report is a separate page that may not run scripts.
func (s *Server) report(w http.ResponseWriter, r *http.Request) (any, error) {
	root, err := s.runs()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := r.FormValue("name")
	var data []byte
	if err = errors.ErrUnsupported; fs.ValidPath(name) {
		data, err = disk.ReadIn(root, path.Join(name, reportName), longestReport)
	}
	if err != nil {
		return nil, missing("no report of %q in the runs folder (maximum size %d MB)", shortened(name), longestReport>>20)
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(scripts.ReplaceAll(data, nil)) // a browser would log an error for each script
	return nil, nil
}

var scripts = regexp.MustCompile(`(?s)<script>.*?</script>`)

func isMatch(root *os.Root, name string) bool {
	if path.Ext(name) != ".jsonl" {
		return false
	}
	f, err := disk.OpenIn(root, name)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = arena.ReadHeader(name, f)
	return err == nil
}
