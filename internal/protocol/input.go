package protocol

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// Line is one line of input with its newline, if any. Cut says that it was longer than allowed;
// Text is then its beginning.
type Line struct {
	Text string
	Cut  bool
}

// ReadLines reads lines of at most most bytes until the end of in or of ctx, then closes the
// channel. The other channel then has in's error; nil at its end.
func ReadLines(ctx context.Context, in io.Reader, most int) (<-chan Line, <-chan error) {
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

// ahead is the number of lines read in advance.
const ahead = 64

// Grace is the time for a line after the input has ended, so that a closed pipe leaves no process
// behind but still gets its answers.
const Grace = time.Second

// Reasons why a line's context may end before that of ServeLines.
var (
	ErrEnded   = errors.New("the input has ended")
	ErrStopped = errors.New("stopped")
)

// ServeLines passes lines of at most most bytes to obey, one by one, until it reports quit or in or
// ctx ends. It returns an error of in, of obey, or ctx's. A line's context ends [Grace] after the
// end of in, and when stops reports that a later line ends those before it; stops may be nil.
func ServeLines(ctx context.Context, in io.Reader, most int, stops func(Line) bool, obey func(context.Context, Line) (quit bool, err error)) error {
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	var mu sync.Mutex
	stop := func(error) {} // what is under way
	read, stopped := 0, 0  // lines; those before the second are to stop
	input, failed := ReadLines(ctx, in, most)
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
