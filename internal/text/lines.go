package text

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Lines returns a reader of UTF-8 text that replaces each carriage return with a line feed, unless
// a line feed or another carriage return follows it. Reading UTF-16 text or a binary file returns
// an error.
func Lines(in io.Reader) io.Reader { return &lines{in: bufio.NewReaderSize(in, 1<<16)} }

type lines struct {
	in   *bufio.Reader
	text bool // whether the beginning was found to be text
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

// NewScanner returns a scanner for the [Lines] of in. A line may have at most the given number of
// bytes. If a reading error occurs, the incomplete line before it is dropped.
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

// EachLine calls a function for each line of in that is not blank, as split by [Lines], with its
// number from 1 and without a byte order mark. The text is valid only during the call. If a line
// cannot be read or has more bytes than the given limit, the error contains the given name and the
// number of the line.
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
		err = errors.New("the compressed file is truncated")
	case err == nil:
		return nil
	}
	return fmt.Errorf("%s:%d: %w", name, n+1, err)
}

// Cells splits a line of CSV at each separator (the parameter comma) and appends its cells to dst.
// Cells may be in double quotes, in which a quote is doubled. Unquoted cells are slices of line.
func Cells(dst [][]byte, line []byte, comma byte) ([][]byte, error) {
	for {
		if len(line) > 0 && line[0] == '"' {
			cell, rest, err := unquote(line[1:])
			if err != nil {
				return dst, err
			}
			dst = append(dst, cell)
			if len(rest) == 0 {
				return dst, nil
			}
			if rest[0] != comma {
				return dst, errors.New("unexpected text after a quoted cell")
			}
			line = rest[1:]
			continue
		}
		at := bytes.IndexByte(line, comma)
		if at < 0 {
			return append(dst, line), nil
		}
		dst, line = append(dst, line[:at]), line[at+1:]
	}
}

func unquote(line []byte) (cell, rest []byte, err error) {
	for {
		at := bytes.IndexByte(line, '"')
		if at < 0 {
			return nil, nil, errors.New("missing closing quote")
		}
		cell, line = append(cell, line[:at]...), line[at+1:]
		if !bytes.HasPrefix(line, []byte{'"'}) {
			return cell, line, nil
		}
		cell, line = append(cell, '"'), line[1:]
	}
}

// Wrap joins words with spaces into lines that the callback accepts as short enough. A single word
// that does not fit has its own line.
func Wrap(words []string, fits func(line string) bool) (lines []string) {
	for _, word := range words {
		if n := len(lines); n > 0 && fits(lines[n-1]+" "+word) {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
