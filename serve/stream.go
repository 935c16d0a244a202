package serve

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io/fs"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

// Timing of the streams that tell a page when what it shows has changed.
const (
	checkEvery = 500 * time.Millisecond // a folder is read
	checkShare = 20                     // one part of the time, at most, is spent on reading a folder
	heartbeat  = 15 * time.Second       // a stream is silent, at most
	quiet      = 10 * time.Minute       // without a write, after which a run is no longer under way
)

// version is short for the state of a run's files: two differ where a file came, went,
// grew or was written again, or where the run has fallen quiet.
type version string

// taken is a version, when it was taken and how long that took.
type taken struct {
	version
	at   time.Time
	took time.Duration
}

// versions are the latest ones of runs, by name. However many pages show a run, its folder
// is read once in a while, and one folder at a time.
type versions struct {
	mu  sync.Mutex
	all map[string]taken
}

// of is the version of a run, which may be as old as checkEvery.
func (l *versions) of(root *os.Root, name string) version {
	l.mu.Lock()
	defer l.mu.Unlock()
	last, ok := l.all[name]
	if ok && time.Since(last.at) < max(checkEvery-checkEvery/5, checkShare*last.took) {
		return last.version
	}
	if len(l.all) >= mostRuns {
		clear(l.all)
	}
	began := time.Now()
	v, _ := filesOf(root, name)
	l.all[name] = taken{v, time.Now(), time.Since(began)}
	return v
}

// filesOf is the version of a file, or of all files in a folder, and when the last was
// written.
func filesOf(root *os.Root, name string) (v version, last time.Time) {
	sum, seen := fnv.New64a(), 0
	fs.WalkDir(root.FS(), name, func(file string, d fs.DirEntry, err error) error {
		if seen++; err != nil || seen > mostFiles {
			return fs.SkipAll
		}
		info, err := d.Info()
		if err != nil || d.IsDir() {
			return nil
		}
		fmt.Fprintln(sum, file, info.Size(), info.ModTime().UnixNano())
		if info.ModTime().After(last) {
			last = info.ModTime()
		}
		return nil
	})
	fmt.Fprintln(sum, time.Since(last) < quiet)
	return version(strconv.FormatUint(sum.Sum64(), 36)), last
}

// version is that of several runs, in their order.
func (s *Server) version(root *os.Root, names []string) (v version) {
	for _, name := range names {
		v += s.versions.of(root, name) + "-"
	}
	return v
}

// changes is a stream of server-sent events (HTML standard, section 9.2): one whenever
// the runs of a page have changed, with their version as its id and its data. The page
// says by its address, or a browser that comes back by Last-Event-ID, which one it
// knows. The stream ends when the page is closed.
func (s *Server) changes(w http.ResponseWriter, r *http.Request) (any, error) {
	// Nothing is changed by this GET, but another site's pages could take all streams.
	asked := r.Clone(r.Context())
	asked.Method = http.MethodPost
	if err := http.NewCrossOriginProtection().Check(asked); err != nil {
		return nil, refusal{http.StatusForbidden, errForeign}
	}
	root, names, err := s.named(r)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		return nil, busy(fmt.Errorf("%d pages are told of changes: want at most that many at once", cap(s.streams)))
	}
	known := version(cmp.Or(r.Header.Get("Last-Event-ID"), r.FormValue("version")))
	tell(w, r, known, func() version { return s.version(root, names) })
	return nil, nil
}

// tell writes an event whenever now is another version than the one that is known.
func tell(w http.ResponseWriter, r *http.Request, known version, now func() version) {
	out := http.NewResponseController(w)
	write := func(text string) bool {
		_, err := w.Write([]byte(text))
		return err == nil && out.Flush() == nil
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if !write("retry: 2000\n\n") {
		return
	}
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for last := time.Now(); ; {
		text := ""
		if m := now(); m != known {
			known, text = m, fmt.Sprintf("id: %s\ndata: %s\n\n", m, m)
		} else if time.Since(last) > heartbeat {
			text = ": still here\n\n"
		}
		if text != "" {
			if last = time.Now(); !write(text) {
				return
			}
		}
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
	}
}
