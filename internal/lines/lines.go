// Package lines reads the lines of whoever speaks a protocol to us, in the
// background, so that a signal or a search's end is heeded while nothing comes.
package lines

import (
	"bufio"
	"context"
	"errors"
	"io"
)

// Line is one of the input, its newline included where it had one. Cut says that it
// was longer than allowed, so that nobody knows what it meant; Text is then its
// beginning.
type Line struct {
	Text string
	Cut  bool
}

// Read reads lines of at most most bytes until the end of in or ctx's, which closes
// the channel. The other channel then has the error that in failed with, nil at its
// end.
func Read(ctx context.Context, in io.Reader, most int) (<-chan Line, <-chan error) {
	lines, failed := make(chan Line), make(chan error, 1)
	go func() {
		defer close(lines)
		r := bufio.NewReaderSize(in, most)
		for {
			read, err := r.ReadSlice('\n')
			l := Line{Text: string(read)}
			for errors.Is(err, bufio.ErrBufferFull) {
				l.Cut = true
				_, err = r.ReadSlice('\n')
			}
			if l.Text != "" {
				select {
				case lines <- l:
				case <-ctx.Done():
					failed <- nil
					return
				}
			}
			if err != nil {
				if errors.Is(err, io.EOF) {
					err = nil
				}
				failed <- err
				return
			}
		}
	}()
	return lines, failed
}

// Serve has obey take the lines of at most most bytes, one after the other, until it
// reports quit, the end of in, or ctx's. It returns an error of in, of obey, or ctx's.
func Serve(ctx context.Context, in io.Reader, most int, obey func(Line) (quit bool, err error)) error {
	input, failed := Read(ctx, in, most)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case line, ok := <-input:
			if !ok {
				return <-failed
			}
			if quit, err := obey(line); quit || err != nil {
				return err
			}
		}
	}
}
