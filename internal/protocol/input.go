package protocol

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// A Line is a line of input, including its newline if there is one. If the line was too long, Cut
// is true and Text is the beginning of the line.
type Line struct {
	Text string
	Cut  bool
}

// ReadLines reads lines of at most limit bytes until in or ctx ends, and then closes the first
// channel. The second channel then receives the error from in, or nil if in ended without an error.
func ReadLines(ctx context.Context, in io.Reader, limit int) (<-chan Line, <-chan error) {
	lines, failed := make(chan Line), make(chan error, 1)
	go func() {
		defer close(lines)
		r := bufio.NewReaderSize(in, limit)
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

// ahead is the number of lines read in advance.
const ahead = 64

// Grace is the time that a line may still take after the end of the input. It allows answers to be
// sent after the input has been closed, but ensures that the process ends.
const Grace = time.Second

// Reasons why the context of a line can end before that of ServeLines.
var (
	ErrEnded   = errors.New("the input has ended")
	ErrStopped = errors.New("stopped")
)

// ServeLines passes lines of at most limit bytes to obey, one at a time, until obey returns quit or
// until in or ctx ends. It returns an error from in or obey, or ctx.Err(). The context of a line
// ends [Grace] after the end of in. It ends earlier if a later line stops the lines before it, as
// reported by the other callback, which may be nil.
func ServeLines(ctx context.Context, in io.Reader, limit int, stops func(Line) bool, obey func(context.Context, Line) (quit bool, err error)) error {
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	var mu sync.Mutex
	stop := func(error) {} // ends the context of the current line
	read, stopped := 0, 0  // line numbers; lines numbered below stopped must stop
	input, failed := ReadLines(ctx, in, limit)
	queue, ended := make(chan Line, ahead), make(chan struct{})
	go func() {
		defer close(queue)
		for line := range input {
			if read++; stops != nil && stops(line) {
				mu.Lock()
				stopped = read
				stop(ErrStopped)
				mu.Unlock()
			}
			select {
			case queue <- line:
			case <-ctx.Done():
				return
			}
		}
		close(ended)
	}()
	for number := 1; ; number++ {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case line, ok := <-queue:
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case !ok:
				return <-failed
			}
			within, end := context.WithCancelCause(ctx)
			mu.Lock()
			if stop = end; number < stopped {
				end(ErrStopped)
			}
			mu.Unlock()
			go func() {
				select {
				case <-within.Done():
				case <-ended:
					select {
					case <-within.Done():
					case <-time.After(Grace):
						end(ErrEnded)
					}
				}
			}()
			quit, err := obey(within, line)
			end(nil)
			if quit || err != nil {
				return err
			}
		}
	}
}
