package serve

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/internal/vectors"
)

// manyMoves is a chess position with 218 legal moves, the largest known number.
const manyMoves = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"

// running starts a server as plyfit serve does. It returns the server and a client with a timeout
// of one minute.
func running(t *testing.T, c Config) (s *Server, v *visitor) {
	t.Helper()
	c.Catalog = catalog.All()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	l := vectors.Must(net.Listen("tcp", "127.0.0.1:0"))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, l) }()
	transport := &http.Transport{MaxIdleConnsPerHost: 100}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the server ended: %v", err)
		}
	})
	return s, newVisitor(t, &httptest.Server{URL: "http://" + l.Addr().String()}, http.Client{Transport: transport, Timeout: time.Minute})
}

// stuck is a response writer whose reader never reads, so Write blocks.
type stuck struct {
	slow
	writing chan struct{} // closed at the first Write
	read    chan struct{} // closed when the reader starts to read
	begin   func()
}

func (w *stuck) Write(data []byte) (int, error) {
	w.begin()
	<-w.read
	return len(data), nil
}

// stuckAt sends a request to s from a reader that does not read, and returns once the response is
// being written. Calling read lets the reader continue.
func stuckAt(t testing.TB, s *Server, path string, form url.Values) (read func()) {
	t.Helper()
	method := http.MethodGet
	if form != nil {
		method = http.MethodPost
	}
	r := vectors.Must(http.NewRequestWithContext(t.Context(), method, "http://localhost"+path, strings.NewReader(form.Encode())))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("HX-Request", "true")
	w := &stuck{writing: make(chan struct{}), read: make(chan struct{})}
	w.begin = sync.OnceFunc(func() { close(w.writing) })
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.ServeHTTP(w, r)
	}()
	select {
	case <-w.writing:
	case <-time.After(time.Minute):
		t.Fatalf("%s: no answer", path)
	}
	return func() {
		close(w.read)
		<-done
	}
}

// free fails the test if a lock that requests wait for, such as a game's lock, is held.
func (s *Server) free(t testing.TB, while string, games ...string) {
	t.Helper()
	locks := map[string]*sync.Mutex{"models": &s.drawing}
	for _, at := range games {
		locks[at] = &s.games.Get(strings.TrimPrefix(at, "/tables/")).mu
	}
	for name, l := range locks {
		if !l.TryLock() {
			t.Errorf("%s: the lock of %s is held", while, name)
			continue
		}
		l.Unlock()
	}
	if n := len(s.searches); n > 0 {
		t.Errorf("%s: %d search slots are in use", while, n)
	}
}

// TestNothingIsHeldWhileWriting checks that no lock is held while a response is written, for many
// kinds of responses.
func TestNothingIsHeldWhileWriting(t *testing.T) {
	folder := t.TempDir()
	vectors.Check(os.WriteFile(filepath.Join(folder, logName), []byte(runLog), 0o644))
	v := visit(t, Config{Runs: filepath.Dir(folder)})
	s := v.serverOf()
	at := v.open(url.Values{"game": {"chess"}, "position": {manyMoves}})
	v.want(at+"/tree", url.Values{"agent": {"minimax:depth=1"}})
	for _, c := range []struct {
		path string
		form url.Values
	}{
		{"/", nil}, {at, nil}, {at + "/why", nil}, {at + "/terms?move=Rb1", nil}, {at + "/think", url.Values{"agent": {"greedy"}}}, {at + "/think", url.Values{"agent": {"no one"}}},
		{at + "/flip", url.Values{}}, {at + "/undo", url.Values{}}, {at + "/move", url.Values{"move": {"none"}}}, {at + "/seats", url.Values{"seat0": {"greedy"}}}, {at + "/answer", url.Values{}},
		{at + "/position", url.Values{"position": {manyMoves}}}, {at + "/tree", nil}, {at + "/tree", url.Values{"agent": {"minimax:depth=1"}}}, {at + "/tree/a/1", nil},
		{"/model?game=othello&name=learned", nil}, {"/model?game=othello&name=learned&beside=handwritten", nil}, {"/models", nil},
		{"/runs", nil}, {"/lesson/1", nil}, {"/tree", nil}, {"/lesson/pacman", url.Values{}},
	} {
		read := stuckAt(t, s, c.path, c.form)
		s.free(t, c.path, at)
		read()
	}
}

// slow is a response writer whose reader accepts only part of the data. It records the write
// deadlines.
type slow struct {
	http.ResponseWriter
	deadlines []time.Time
	pieces    []int
}

func (w *slow) SetWriteDeadline(t time.Time) error { w.deadlines = append(w.deadlines, t); return nil }
func (w *slow) Header() http.Header                { return http.Header{} }
func (w *slow) WriteHeader(int)                    {}
func (w *slow) Write(data []byte) (int, error) {
	w.pieces = append(w.pieces, len(data))
	if len(w.pieces) == 3 {
		return 1, io.ErrShortWrite
	}
	return len(data), nil
}

// TestWritingHasItsTime checks that each piece of a response has its own deadline, and that a
// failed write ends the response. The last piece must also have a deadline, even after a panic.
func TestWritingHasItsTime(t *testing.T) {
	w := &slow{}
	n, err := newTimed(w).Write(make([]byte, 5*longestPiece))
	if n != 2*longestPiece+1 || err != io.ErrShortWrite || len(w.deadlines) != 3 || !slices.Equal(w.pieces, []int{longestPiece, longestPiece, longestPiece}) {
		t.Errorf("%d bytes, %v, in pieces of %v with %d deadlines", n, err, w.pieces, len(w.deadlines))
	}
	s := vectors.Must(New(Config{Catalog: catalog.All()}))
	for name, h := range map[string]http.HandlerFunc{
		"an answer": func(http.ResponseWriter, *http.Request) {}, "a panic": func(http.ResponseWriter, *http.Request) { panic("oh") },
	} {
		w := &slow{}
		r := vectors.Must(http.NewRequest("GET", "http://localhost/", bytes.NewReader(nil)))
		s.guarded(h).ServeHTTP(w, r)
		for _, d := range w.deadlines {
			if left := time.Until(d); left <= 0 || left > longestWriting {
				t.Errorf("%s: deadline in %v", name, left)
			}
		}
		if len(w.deadlines) == 0 {
			t.Errorf("%s: written without a deadline", name)
		}
	}
}

// TestConnectionsAreBounded checks that a visitor can connect when the maximum number of
// connections is already open. Idle connections are closed to make room, and a request without the
// token closes its own connection.
func TestConnectionsAreBounded(t *testing.T) {
	const token = "0123456789abcdef"
	_, v := running(t, Config{Token: token, Limits: Limits{Connections: 8}})
	host := strings.TrimPrefix(v.URL, "http://")
	open := func() net.Conn {
		t.Helper()
		c := vectors.Must(net.Dial("tcp", host))
		t.Cleanup(func() { c.Close() })
		return c
	}
	_, port, _ := net.SplitHostPort(host)
	ask := func(c net.Conn) int {
		return askOver(c, "Cookie: plyfit-token-"+port+"="+token+"\r\nHost: localhost:"+port)
	}
	if code := ask(open()); code != http.StatusOK {
		t.Fatalf("a visitor with the token: %d", code)
	}
	for i := range 40 {
		c := open()
		switch i % 4 {
		case 0: // a client that sends nothing
		case 3: // a client whose request is rejected and that does not send the announced body
			fmt.Fprintf(c, "POST /tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\nx")
		case 1:
			fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: lo")
		case 2:
			if code := askOver(c, "Host: localhost"); code != http.StatusUnauthorized {
				t.Fatalf("a stranger: %d", code)
			}
			if _, err := io.Copy(io.Discard, c); err != nil { // until the server closes it
				t.Errorf("a refused connection: %v", err)
			}
		}
	}
	if code := ask(open()); code != http.StatusOK {
		t.Errorf("a visitor after them: %d", code)
	}
}

// askOver requests a file over a connection, with an additional header line, and returns the status
// code. It returns 0 if there is no response.
func askOver(c net.Conn, head string) (code int) {
	fmt.Fprintf(c, "GET /assets/icon.svg HTTP/1.1\r\n%s\r\n\r\n", head)
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0
	}
	io.Copy(io.Discard, r.Body)
	r.Body.Close()
	return r.StatusCode
}
