package serve

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// Limits that protect the server from clients that read slowly or not at all.
const (
	longestWriting = time.Minute // maximum time to write a piece of a response
	longestPiece   = 64 << 10    // maximum size of a piece, in bytes
)

// A timed response writer allows up to longestWriting for each piece. Without this limit, a client
// that stops reading would block a connection and its handler forever.
type timed struct {
	http.ResponseWriter
	control *http.ResponseController
}

func newTimed(w http.ResponseWriter) *timed { return &timed{w, http.NewResponseController(w)} }

// renew sets a new write deadline. It ignores errors, because test recorders have no deadline.
func (w *timed) renew() { w.control.SetWriteDeadline(time.Now().Add(longestWriting)) }

func (w *timed) Write(data []byte) (n int, err error) {
	for first := true; first || n < len(data) && err == nil; first = false {
		w.renew()
		var k int
		k, err = w.ResponseWriter.Write(data[n:min(len(data), n+longestPiece)])
		n += k
	}
	return n, err
}

// Unwrap is called by [http.ResponseController].
func (w *timed) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// A bounded listener limits the total number of connections, and allows each address at most half
// of them. At the limit, it closes the connection that has been idle longest. If no connection is
// idle, a new one waits.
type bounded struct {
	net.Listener
	limit int

	mu      sync.Mutex
	changed sync.Cond // signals that a connection has closed or become idle, or that the listener is closed
	closed  bool
	all     map[*admitted]bool
}

// An admitted connection counts towards its listener's limits.
type admitted struct {
	net.Conn
	from *bounded
	host string
	idle time.Time // start of the current idle period; zero while a request is being served
}

func (b *bounded) Accept() (net.Conn, error) {
	c, err := b.Listener.Accept()
	if err != nil {
		return nil, err
	}
	host, _, _ := net.SplitHostPort(c.RemoteAddr().String())
	a := &admitted{Conn: c, from: b, host: host, idle: time.Now()}
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.closed && !(b.room(host, max(1, b.limit/2)) && b.room("", b.limit)) {
		b.changed.Wait()
	}
	if b.closed {
		c.Close()
		return nil, net.ErrClosed
	}
	b.all[a] = true
	return a, nil
}

// room reports whether a limit allows another connection from host, closing an idle connection if
// necessary. An empty host means all hosts. The caller holds b.mu.
func (b *bounded) room(host string, most int) bool {
	n, oldest := 0, (*admitted)(nil)
	for a := range b.all {
		if host != "" && a.host != host {
			continue
		}
		n++
		if !a.idle.IsZero() && (oldest == nil || a.idle.Before(oldest.idle)) {
			oldest = a
		}
	}
	if n < most {
		return true
	}
	if oldest == nil {
		return false
	}
	delete(b.all, oldest)
	oldest.Conn.Close()
	return n-1 < most
}

func (b *bounded) Close() error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.changed.Broadcast()
	return b.Listener.Close()
}

func (a *admitted) Close() error {
	a.from.mu.Lock()
	delete(a.from.all, a)
	a.from.mu.Unlock()
	a.from.changed.Broadcast()
	return a.Conn.Close()
}

// trackState records when a connection becomes busy or idle. It is used as [http.Server.ConnState].
func trackState(c net.Conn, state http.ConnState) {
	if a, ok := c.(*admitted); ok {
		a.from.mu.Lock()
		defer a.from.mu.Unlock()
		switch state {
		case http.StateActive:
			a.idle = time.Time{}
		case http.StateIdle:
			a.idle = time.Now()
			defer a.from.changed.Broadcast()
		}
	}
}
