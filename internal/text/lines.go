package text

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Lines returns a reader of in, UTF-8 text, that replaces each carriage return without a line feed
// behind it by a line feed. Reading UTF-16 or a binary file is an error.
func Lines(in io.Reader) io.Reader { return &lines{in: bufio.NewReaderSize(in, 1<<16)} }

type lines struct {
	in   *bufio.Reader
	text bool // the beginning is text
}

func (l *lines) Read(p []byte) (n int, err error) {
	if !l.text {
		head, _ := l.in.Peek(2)
		if l.text = string(head) != "\xff\xfe" && string(head) != "\xfe\xff" && bytes.IndexByte(head, 0) < 0; !l.text {
			return 0, errors.New("UTF-16 text or a binary file; want UTF-8 text")
		}
	}
	n, err = l.in.Read(p)
	for i := bytes.IndexByte(p[:n], '\r'); i >= 0 && i < n; i++ {
		next := p[i+1 : n]
		if i+1 == n {
			next, _ = l.in.Peek(1)
		}
		if p[i] == '\r' && (len(next) == 0 || next[0] != '\n' && next[0] != '\r') {
			p[i] = '\n'
		}
	}
	return n, err
}

// NewScanner returns a scanner of [Lines] of in, each of at most most bytes. The part of a line
// before a reading error is no line.
func NewScanner(in io.Reader, most int) *bufio.Scanner {
	scan := bufio.NewScanner(Lines(in))
	scan.Buffer(nil, most)
	scan.Split(func(data []byte, atEnd bool) (int, []byte, error) {
		if atEnd && scan.Err() != nil && bytes.IndexByte(data, '\n') < 0 {
			return 0, nil, scan.Err()
		}
		return bufio.ScanLines(data, atEnd)
	})
	return scan
}

// EachLine calls do for each line of [Lines] of in that is not blank, with its number from 1, without
// a byte order mark. The text is valid during the call. A line of more than most bytes, and what else
// prevents reading, is an error with the name and the line's number.
func EachLine(name string, in io.Reader, most int, do func(line int, text []byte) error) error {
	scan, n := NewScanner(in, most), 0
	for scan.Scan() {
		n++
		text := bytes.TrimPrefix(bytes.TrimRight(scan.Bytes(), "\r"), []byte("\ufeff"))
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if err := do(n, text); err != nil {
			return err
		}
	}
	err := scan.Err()
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		err = fmt.Errorf("want lines of at most %d bytes", most)
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("want the rest of a packed file, which is cut off here")
	case err == nil:
		return nil
	}
	return fmt.Errorf("%s:%d: %w", name, n+1, err)
}
