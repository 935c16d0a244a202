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

// renew gives the reader time for the next piece. Where nothing is sent to anybody, as in
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

// bounded is a listener with at most so many connections at once; others wait to be
// accepted.
type bounded struct {
	net.Listener
	room   chan struct{}
	closed chan struct{}
	close  func() error
}

func bound(l net.Listener, most int) *bounded {
	b := &bounded{Listener: l, room: make(chan struct{}, most), closed: make(chan struct{})}
	b.close = sync.OnceValue(func() error {
		close(b.closed)
		return l.Close()
	})
	return b
}

// Accept implements [net.Listener].
func (b *bounded) Accept() (net.Conn, error) {
	select {
	case b.room <- struct{}{}:
	case <-b.closed:
		return nil, net.ErrClosed
	}
	c, err := b.Listener.Accept()
	if err != nil {
		<-b.room
		return nil, err
	}
	return &admitted{c, sync.OnceFunc(func() { <-b.room })}, nil
}

// Close implements [net.Listener].
func (b *bounded) Close() error { return b.close() }

// admitted is a connection that makes room once it is closed.
type admitted struct {
	net.Conn
	leave func()
}

// Close implements [net.Conn].
func (c *admitted) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
