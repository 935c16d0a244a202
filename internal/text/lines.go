package text

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// Lines returns a reader of in, UTF-8 text, that replaces each carriage return without a line feed
// behind it by a line feed. Reading UTF-16 or a binary file is an error.
func Lines(in io.Reader) io.Reader {
	return &lines{in: bufio.NewReaderSize(in, 1<<16)}
}

type lines struct {
	in    *bufio.Reader
	begun bool
	err   error // final
}

// Read implements [io.Reader].
func (l *lines) Read(p []byte) (n int, err error) {
	if l.err != nil {
		return 0, l.err
	}
	n, err = l.in.Read(p)
	if !l.begun && n > 0 {
		l.begun = true
		switch head := p[:min(n, 64)]; {
		case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
			l.err = errors.New("UTF-16 text; want UTF-8")
		case bytes.IndexByte(head, 0) >= 0: // as each Latin letter of UTF-16 has
			l.err = errors.New("zero bytes, as in UTF-16 text or a binary file; want UTF-8 text")
		}
		if l.err != nil {
			return 0, l.err
		}
	}
	for i := bytes.IndexByte(p[:n], '\r'); i >= 0; {
		next := p[i+1 : n]
		if i+1 == n {
			next, _ = l.in.Peek(1)
		}
		if len(next) == 0 || next[0] != '\n' && next[0] != '\r' {
			p[i] = '\n'
		}
		at := bytes.IndexByte(p[i+1:n], '\r')
		if i += 1 + at; at < 0 {
			break
		}
	}
	return n, err
}
