package serve

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/internal/vectors"
)

// mostHeap is the maximum heap size of a server during fuzzing, in bytes.
const mostHeap = 1 << 30

// FuzzRequests sends requests with arbitrary paths, queries and forms. Invalid requests must be
// rejected with a one-line error. No request may cause an internal error, and memory must stay
// bounded. In a path, @0 to @9 stand for open games.
func FuzzRequests(f *testing.F) {
	folder := f.TempDir()
	vectors.Check(os.Mkdir(filepath.Join(folder, "run"), 0o755))
	vectors.Check(os.WriteFile(filepath.Join(folder, "run", logName), []byte(runLog), 0o644))
	s, err := New(Config{Catalog: catalog.All(), Runs: folder, Limits: Limits{
		Tables: 100, Depth: 2, Table: 1, Simulations: 20, Time: 20 * time.Millisecond, Nodes: 300, Trees: 4 << 20,
	}})
	if err != nil {
		f.Fatal(err)
	}
	var games []string
	for _, spec := range []string{"chess", "2048", "pig", "connect4+slip=0.2", "pacman:layout=corridor", "kuhn", "tree", "backgammon", "pig:players=3", "minesweeper:rows=4,columns=4,mines=3"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, request(f.Context(), f, http.MethodPost, "/tables", "game="+url.QueryEscape(spec)))
		at := w.Header().Get("Location")
		if w.Code != http.StatusSeeOther {
			f.Fatalf("%s: %d %s", spec, w.Code, w.Body)
		}
		games = append(games, strings.TrimPrefix(at, "/tables/"))
	}
	for _, seed := range [][2]string{
		{"/", ""}, {"/tables", "game=chess&position=8%2F8%2F8%2F8%2F8%2F8%2F8%2FK1k5+w+-+-+0+1&seat0=greedy&seat1=alphabeta%3Adepth%3D2&seed=7"}, {"/at?game=othello&position=", ""},
		{"/@0", ""}, {"/@0/move", "move=e2e4&version=1"}, {"/@1/move", "move=left"}, {"/@2/answer", "version=2"}, {"/@3/undo", "x=1"}, {"/@4/move", "move=Stop"}, {"/@5/flip", "x=1"},
		{"/@7/seats", "seat0=mix%280.5*random%2C0.5*greedy%29&seat1=mcts%3Asimulations%3D10"}, {"/@6/position", "position=%28max+%28min+3+12%29+2%29"}, {"/@8/think", "agent=maxn%3Adepth%3D1"},
		{"/@0/why?a=handwritten&b=zero", ""}, {"/@0/terms?move=e4&against=d4&a=zero", ""}, {"/@0/tree", "agent=minimax%3Adepth%3D1&side=b"}, {"/@0/tree/a/0", ""}, {"/@9/tree", ""},
		{"/lesson/3", ""}, {"/lesson/warp?by=2&scale=1&shift=-3", ""}, {"/runs", ""}, {"/report?name=run", ""},
		{"/replay?name=run&pair=1&game=1", ""}, {"/replay/board?name=run&ply=3", ""}, {"/models", ""}, {"/model?game=chess&name=handwritten&beside=learned", ""},
		{"/?token=1", ""}, {"/assets/page.css?v=1", ""}, {"/tables/none", ""}, {"/tables", "game=%zz&%%%"},
	} {
		f.Add(seed[1] != "", seed[1] == "", seed[0], seed[1])
	}
	count := 0
	f.Fuzz(func(t *testing.T, post, part bool, path, form string) {
		for i, id := range games {
			path = strings.ReplaceAll(path, "/@"+string(rune('0'+i)), "/tables/"+id)
		}
		method := http.MethodGet
		if post {
			method = http.MethodPost
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		r := request(ctx, t, method, path, form)
		if r == nil {
			return
		}
		if part {
			r.Header.Set("HX-Request", "true")
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code >= 500 && w.Code != http.StatusServiceUnavailable {
			t.Errorf("%s %q %q: %d %s", method, path, form, w.Code, w.Body)
		}
		if w.Code >= 400 && strings.Count(strings.TrimSpace(w.Body.String()), "\n") > 0 {
			t.Errorf("%s %q %q: refused with several lines: %s", method, path, form, w.Body)
		}
		if count++; count%1000 == 0 {
			var m runtime.MemStats
			if runtime.ReadMemStats(&m); m.HeapAlloc > mostHeap {
				t.Errorf("%d MB of heap after %d requests", m.HeapAlloc>>20, count)
			}
		}
	})
}

// request returns a request for the path, or nil if a browser could not send it.
func request(ctx context.Context, t testing.TB, method, path, form string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, "http://localhost", strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	if r.URL, err = url.ParseRequestURI(path); err != nil || r.URL.Host != "" || !strings.HasPrefix(r.URL.Path, "/") {
		return nil
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}
