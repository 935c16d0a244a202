package protocol

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// Line is one of the input, its newline included where it had one. Cut says that it
// was longer than allowed, so that no one knows what it meant; Text is then its
// beginning.
type Line struct {
	Text string
	Cut  bool
}

// ReadLines reads lines of at most most bytes until the end of in or ctx's, which closes
// the channel. The other channel then has the error that in failed with, nil at its
// end.
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

// ahead is how many lines are read before they are obeyed.
const ahead = 64

// Grace is how long a line may be obeyed once the input has ended: who closes it leaves no
// process behind, and who writes a few lines into a pipe gets the answers.
const Grace = time.Second

// Why a line's context may end before that of ServeLinesLines.
var (
	ErrEnded   = errors.New("the input has ended")
	ErrStopped = errors.New("stopped")
)

// ServeLines has obey take the lines of at most most bytes, one after the other, until it
// reports quit, the end of in, or ctx's. It returns an error of in, of obey, or ctx's.
// The context of a line ends [Grace] after in has, and where stops reports that a line
// behind it ends those before it; nil: none does.
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
