package serve

import (
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

// stamp is short for the state of a run's files: two stamps differ where a file came,
// went, grew or was written again, or where the run has fallen quiet.
type stamp string

// taken is a stamp, when it was taken and how long that took.
type taken struct {
	stamp stamp
	at    time.Time
	took  time.Duration
}

// stamps are the latest ones of runs, by name. However many pages show a run, its folder
// is read once in a while, and one folder at a time.
type stamps struct {
	mu  sync.Mutex
	all map[string]taken
}

// of is the stamp of a run, which may be as old as checkEvery.
func (l *stamps) of(root *os.Root, name string) stamp {
	l.mu.Lock()
	defer l.mu.Unlock()
	last, ok := l.all[name]
	if ok && time.Since(last.at) < max(checkEvery-checkEvery/5, checkShare*last.took) {
		return last.stamp
	}
	if len(l.all) >= mostRuns {
		clear(l.all)
	}
	began := time.Now()
	m := stampOf(root, name)
	l.all[name] = taken{m, time.Now(), time.Since(began)}
	return m
}

// stampOf takes the stamp of a file, or of all files in a folder.
func stampOf(root *os.Root, name string) stamp {
	sum, seen, last := fnv.New64a(), 0, time.Time{}
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
	return stamp(strconv.FormatUint(sum.Sum64(), 36))
}

// shown is the stamp of several runs, in their order.
func (s *Server) shown(root *os.Root, names []string) (m stamp) {
	for _, name := range names {
		m += s.stamps.of(root, name) + "-"
	}
	return m
}

// changes is a stream of server-sent events (HTML standard, section 9.2): one whenever
// the runs of a page have changed, with their stamp as its id and its data. The page
// says by its address, or a browser that comes back by Last-Event-ID, which stamp it
// knows. The stream ends when the page is closed.
func (s *Server) changes(w http.ResponseWriter, r *http.Request) {
	// Nothing is changed by this GET, but another site's pages could take all streams.
	asked := r.Clone(r.Context())
	asked.Method = http.MethodPost
	if err := http.NewCrossOriginProtection().Check(asked); err != nil {
		refuse(w, r, http.StatusForbidden, "this request comes from another site: want one from this page")
		return
	}
	root, names, err := s.named(r)
	if err != nil {
		refuse(w, r, http.StatusNotFound, err.Error())
		return
	}
	defer root.Close()
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		refuse(w, r, http.StatusServiceUnavailable, fmt.Sprintf("%d pages are told of changes: want at most that many at once", cap(s.streams)))
		return
	}
	known := stamp(r.FormValue("stamp"))
	if id := r.Header.Get("Last-Event-ID"); id != "" {
		known = stamp(id)
	}
	s.tell(w, r, known, func() stamp { return s.shown(root, names) })
}

// tell writes an event whenever now is another stamp than the one that is known.
func (s *Server) tell(w http.ResponseWriter, r *http.Request, known stamp, now func() stamp) {
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
