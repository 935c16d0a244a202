package serve

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// Limits of readers that are slow or do not read at all.
const (
	longestWriting = time.Minute // of a piece
	longestPiece   = 64 << 10    // bytes
)

// timed is an answer whose reader has longestWriting for each piece. Otherwise a reader that stops
// reading would hold a connection and its writer for ever.
type timed struct {
	http.ResponseWriter
	control *http.ResponseController
}

func newTimed(w http.ResponseWriter) *timed { return &timed{w, http.NewResponseController(w)} }

// renew extends the deadline for the next piece. Test recorders have no deadline.
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

// Unwrap implements the method that [http.ResponseController] uses.
func (w *timed) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// bounded is a listener with a limit of connections in all and half as many from one address. At
// the limit, the connection idle for longest is closed, so that idle connections block no one. If all
// are busy, the next one waits.
type bounded struct {
	net.Listener
	most int

	mu     sync.Mutex
	left   sync.Cond // a connection has gone, or the listener is closed
	closed bool
	all    map[*admitted]bool
}

type admitted struct {
	net.Conn
	from *bounded
	host string
	idle time.Time // since when it waits for a request; zero: it is at work
}

func bound(l net.Listener, most int) *bounded {
	b := &bounded{Listener: l, most: most, all: map[*admitted]bool{}}
	b.left.L = &b.mu
	return b
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

// room makes room for a connection from host, "" for any, by closing an idle one if needed. It
// reports whether there is room.
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
	b.left.Broadcast()
	return b.Listener.Close()
}

func (a *admitted) Close() error {
	a.from.mu.Lock()
	delete(a.from.all, a)
	a.from.mu.Unlock()
	a.from.left.Broadcast()
	return a.Conn.Close()
}

// watched records whether a connection is busy ([http.Server.ConnState]).
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
