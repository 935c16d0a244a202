package serve

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// What a reader who is slow, or does not read at all, may keep.
const (
	longestWriting = time.Minute // of a piece
	longestPiece   = 64 << 10    // bytes
)

// timed is an answer whose reader has longestWriting for each piece of it. Without that,
// a reader who does not read keeps a connection, and what writes to it, for ever.
type timed struct {
	http.ResponseWriter
	control *http.ResponseController
}

func newTimed(w http.ResponseWriter) *timed { return &timed{w, http.NewResponseController(w)} }

// renew gives the reader time for the next piece. Where nothing is sent to anyone, as in
// a test, there is no time to give.
func (w *timed) renew() { w.control.SetWriteDeadline(time.Now().Add(longestWriting)) }

// Write implements [http.ResponseWriter].
func (w *timed) Write(data []byte) (n int, err error) {
	for first := true; first || n < len(data) && err == nil; first = false {
		w.renew()
		var k int
		k, err = w.ResponseWriter.Write(data[n:min(len(data), n+longestPiece)])
		n += k
	}
	return n, err
}

// Unwrap gives [http.ResponseController] what is inside.
func (w *timed) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// bounded is a listener with at most so many connections at once, and half as many from
// one address. Where there is no room for one more, that which has waited longest for a
// request goes: one that never had the token before one that had. So connections that ask
// nothing keep no one out. Where all are at work, the next one waits.
type bounded struct {
	net.Listener
	most int

	mu     sync.Mutex
	left   sync.Cond // a connection has gone, or the listener is closed
	closed bool
	all    map[*admitted]bool
}

// admitted is a connection that has room.
type admitted struct {
	net.Conn
	from  *bounded
	host  string
	idle  time.Time // since when it waits for a request; zero: it is at work
	known bool      // it had the token
}

func bound(l net.Listener, most int) *bounded {
	b := &bounded{Listener: l, most: most, all: map[*admitted]bool{}}
	b.left.L = &b.mu
	return b
}

// Accept implements [net.Listener].
func (b *bounded) Accept() (net.Conn, error) {
	c, err := b.Listener.Accept()
	if err != nil {
		return nil, err
	}
	host, _, _ := net.SplitHostPort(c.RemoteAddr().String())
	a := &admitted{Conn: c, from: b, host: host, idle: time.Now()}
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.closed && !(b.room(host, max(1, b.most/2)) && b.room("", b.most)) {
		b.left.Wait()
	}
	if b.closed {
		c.Close()
		return nil, net.ErrClosed
	}
	b.all[a] = true
	return a, nil
}

// room reports whether there are fewer connections than most from a host, or "" from all.
// If not, one that is idle goes, so that there are.
func (b *bounded) room(host string, most int) bool {
	n, oldest := 0, (*admitted)(nil)
	for a := range b.all {
		if host != "" && a.host != host {
			continue
		}
		n++
		if !a.idle.IsZero() && (oldest == nil || oldest.known && !a.known || oldest.known == a.known && a.idle.Before(oldest.idle)) {
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

// Close implements [net.Listener].
func (b *bounded) Close() error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.left.Broadcast()
	return b.Listener.Close()
}

// Close implements [net.Conn].
func (a *admitted) Close() error {
	a.from.mu.Lock()
	delete(a.from.all, a)
	a.from.mu.Unlock()
	a.from.left.Broadcast()
	return a.Conn.Close()
}

// watched notes whether a connection is at work ([http.Server.ConnState]).
func watched(c net.Conn, state http.ConnState) {
	if a, ok := c.(*admitted); ok {
		a.from.mu.Lock()
		defer a.from.mu.Unlock()
		switch state {
		case http.StateActive:
			a.idle = time.Time{}
		case http.StateIdle:
			a.idle = time.Now()
			defer a.from.left.Broadcast()
		}
	}
}

// unwanted notes that a request was turned away: its connection may go at any time, and
// what else was to come on it, such as a body, is not waited for.
func unwanted(w http.ResponseWriter, r *http.Request) {
	http.NewResponseController(w).SetReadDeadline(time.Now())
	if a, ok := r.Context().Value(connection{}).(*admitted); ok {
		watched(a, http.StateIdle)
	}
}

// connection is the key of a request's connection in its context.
type connection struct{}

// known notes that a request's connection has had the token.
func known(r *http.Request) {
	if a, ok := r.Context().Value(connection{}).(*admitted); ok {
		a.from.mu.Lock()
		a.known = true
		a.from.mu.Unlock()
	}
}
