package serve

import (
	"bufio"
	"context"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
)

// told is a stream of events that a page listens to.
type told struct {
	testing.TB
	events chan string // their data
	close  context.CancelFunc
}

// listen opens a stream; known is the version of the last event, "" the one in the address.
func (v *visitor) listen(path, known string) *told {
	v.Helper()
	ctx, stop := context.WithCancel(v.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, v.URL+path, nil)
	if err != nil {
		v.Fatal(err)
	}
	if known != "" {
		r.Header.Set("Last-Event-ID", known)
	}
	answer, err := v.client.Do(r)
	if err != nil {
		v.Fatal(err)
	}
	if kind := answer.Header.Get("Content-Type"); answer.StatusCode != http.StatusOK || kind != "text/event-stream" {
		v.Fatalf("%s: %d, %s", path, answer.StatusCode, kind)
	}
	l := &told{TB: v, events: make(chan string, 100), close: stop}
	v.Cleanup(stop)
	go func() {
		defer close(l.events)
		defer answer.Body.Close()
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				l.events <- data
			}
		}
	}()
	return l
}

// next is the data of the next event.
func (l *told) next() string {
	l.Helper()
	select {
	case data, open := <-l.events:
		if !open {
			l.Fatal("the stream ended")
		}
		return data
	case <-time.After(5 * time.Second):
		l.Fatal("no event within 5 s")
	}
	return ""
}

// silent fails where an event comes, or the stream ends.
func (l *told) silent(d time.Duration) {
	l.Helper()
	select {
	case data, open := <-l.events:
		l.Fatalf("nothing has changed, and an event %q came (the stream goes on: %v)", data, open)
	case <-time.After(d):
	}
}

var streamAttribute = regexp.MustCompile(`data-stream="([^"]*)"`)

// A page is told of each change of its run's files, once, and of none twice when it
// comes back.
func TestChangesAreTold(t *testing.T) {
	folder := t.TempDir()
	run := filepath.Join(folder, "pig")
	if err := os.Mkdir(run, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(run, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(logName, runLog)
	v := visit(t, Config{Runs: folder})
	stream := func() string {
		return html.UnescapeString(streamAttribute.FindStringSubmatch(v.want("/run?name=pig", nil))[1])
	}
	l := v.listen(stream(), "")
	l.silent(3 * checkEvery)
	write(logName, runLog+"\n")
	longer := l.next()
	write("report.html", "x")
	came := l.next()
	if longer == came {
		t.Errorf("two changes have the version %s", came)
	}
	l.silent(2 * checkEvery)
	l.close()
	back := v.listen("/changes?name=pig&version=older", came)
	back.silent(2 * checkEvery)
	if err := os.Remove(filepath.Join(run, "report.html")); err != nil {
		t.Fatal(err)
	}
	now := back.next()
	if now == came {
		t.Error("a file has gone and the version is the same")
	}
	if got := v.listen("/changes?name=pig&version=older", "").next(); got != now {
		t.Errorf("who knows an older version is told %s, want %s", got, now)
	}
	if address := stream(); !strings.HasSuffix(address, "version="+now) {
		t.Errorf("the page listens to %s, want the version %s", address, now)
	}
}

// Fifty pages are told of changes, 10,000 more are refused in one line, other pages are
// there at once meanwhile, and a page that is closed makes room within 0.2 seconds.
func TestStreamsHaveRoom(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "pig"), 0o755); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(folder, "pig", logName)
	if err := os.WriteFile(log, []byte(runLog), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{Catalog: catalog.All(), Runs: folder, Limits: Limits{Streams: 50}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	defer server.Close()
	v := &visitor{TB: t, Server: server, client: http.DefaultClient}
	before := runtime.NumGoroutine()
	var pages []*told
	for range cap(s.streams) {
		pages = append(pages, v.listen("/changes?name=pig", ""))
	}
	for _, page := range pages {
		page.next() // what they know is nothing
	}
	var slowest time.Duration
	for k := range 10_000 {
		code, text, _ := v.asked("GET", "/changes?name=pig", "", nil)
		if code != http.StatusServiceUnavailable || text != "50 pages are told of changes: want at most that many at once\n" {
			t.Fatalf("%d %s", code, text)
		}
		if k%500 == 0 {
			began := time.Now()
			v.want("/run?"+url.Values{"name": {"pig"}}.Encode(), nil)
			slowest = max(slowest, time.Since(began))
		}
	}
	if slowest > 2*time.Second {
		t.Errorf("a page took %v", slowest)
	}
	if err := os.WriteFile(log, []byte(runLog+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		page.next()
	}
	closed := time.Now()
	for _, page := range pages {
		page.close()
	}
	for len(s.streams) > 0 && time.Since(closed) < 5*time.Second {
		time.Sleep(time.Millisecond)
	}
	took := time.Since(closed)
	if took > 200*time.Millisecond {
		t.Errorf("closed pages kept their room for %v", took)
	}
	v.client.CloseIdleConnections()
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before+5 && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before+5 {
		t.Errorf("%d goroutines, %d before", n, before)
	}
	t.Logf("slowest page beside %d streams %v; room again %v after they were closed", len(pages), slowest, took)
}
