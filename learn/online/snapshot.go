package online

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"plyfit/internal/dense"
	"plyfit/models"
)

// Snapshot is all that a learner would go on with, while it is written or read: numbers and lists,
// little-endian. A learner names each part once, in [Learner.Persist].
type Snapshot struct {
	w     *bufio.Writer // nil: it is read
	r     *bufio.Reader
	err   error
	word  [8]byte
	block [4 * dense.Block]byte
}

// WriteSnapshot writes what l would go on with. Weights that are not finite are an error.
func WriteSnapshot(w io.Writer, l Learner) error {
	if err := check(l); err != nil {
		return err
	}
	s := &Snapshot{w: bufio.NewWriterSize(w, 1<<16)}
	return cmp.Or(l.Persist(s), s.w.Flush())
}

// ReadSnapshot reads what [WriteSnapshot] wrote, and no more, into a learner made in the same way.
func ReadSnapshot(r io.Reader, l Learner) error {
	s := &Snapshot{r: bufio.NewReaderSize(r, 1<<16)}
	if err := cmp.Or(l.Persist(s), s.err); err != nil {
		return err
	}
	if _, err := s.r.ReadByte(); err == nil {
		return errors.New("snapshot: more than was expected")
	}
	return nil
}

// check finds weights of l that are not finite, where it looks after them.
func check(l Learner) error {
	if l, ok := l.(interface{ Check() error }); ok {
		return l.Check()
	}
	return nil
}

// Reading reports whether the snapshot is read, without an error so far.
func (s *Snapshot) Reading() bool { return s.w == nil && s.err == nil }

// bytes writes b, or fills it: with zeros after an error.
func (s *Snapshot) bytes(b []byte) {
	if s.w != nil {
		s.w.Write(b) // the writer keeps its first error
		return
	}
	if s.err == nil {
		if _, s.err = io.ReadFull(s.r, b); s.err == io.EOF {
			s.err = io.ErrUnexpectedEOF
		}
	}
	if s.err != nil {
		clear(b)
	}
}

func (s *Snapshot) uint64(x uint64) uint64 {
	binary.LittleEndian.PutUint64(s.word[:], x)
	s.bytes(s.word[:])
	return binary.LittleEndian.Uint64(s.word[:])
}

// Numbers are parts of type *int, *int64 or *float64.
func (s *Snapshot) Numbers(parts ...any) {
	for _, p := range parts {
		switch p := p.(type) {
		case *int:
			*p = int(s.uint64(uint64(*p)))
		case *int64:
			*p = int64(s.uint64(uint64(*p)))
		case *float64:
			*p = math.Float64frombits(s.uint64(math.Float64bits(*p)))
		default:
			panic(fmt.Sprintf("snapshot: a number of type %T", p))
		}
	}
}

// length is before a list, which is read into one of the same length.
func (s *Snapshot) length(n int) bool {
	if got := s.uint64(uint64(n)); s.err == nil && got != uint64(n) {
		s.err = fmt.Errorf("snapshot: a list of %d numbers, want %d", got, n)
	}
	return s.err == nil
}

// Floats are lists.
func (s *Snapshot) Floats(lists ...[]float64) {
	for _, xs := range lists {
		if !s.length(len(xs)) {
			return
		}
		for i, x := range xs {
			xs[i] = math.Float64frombits(s.uint64(math.Float64bits(x)))
		}
	}
}

// Weights are all weights of a model.
func (s *Snapshot) Weights(m *models.Linear) {
	s.Numbers(&m.Bias)
	s.Floats(m.Weights)
	s.Singles(m.Table)
}

// Singles is a list, block by block: 0 for one of zeros, such as a part of a table that no game has
// come to, else 1 and its numbers.
func (s *Snapshot) Singles(xs []float32) {
	if !s.length(len(xs)) {
		return
	}
	for len(xs) > 0 && s.err == nil {
		block := xs[:min(len(xs), dense.Block)]
		xs = xs[len(block):]
		b, zero, full := s.block[:4*len(block)], dense.Zero(block), uint64(1)
		if zero {
			full = 0
		}
		switch full = s.uint64(full); {
		case full > 1:
			s.err = cmp.Or(s.err, fmt.Errorf("snapshot: %d before a block, want 0 or 1", full))
		case full == 0 && !zero: // else its memory may stay untouched
			clear(block)
		case full == 0:
		case s.w != nil:
			dense.PutSingles(b, block)
			s.bytes(b)
		default:
			s.bytes(b)
			for i := range block {
				block[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
			}
		}
	}
}

// mostText is the longest text that is read.
const mostText = 1 << 20

// Text is a line of text.
func (s *Snapshot) Text(text *string) {
	n := s.uint64(uint64(len(*text)))
	if s.err == nil && n > mostText {
		s.err = fmt.Errorf("snapshot: a text of %d bytes, want at most %d", n, mostText)
	}
	if s.err == nil {
		b := append(make([]byte, 0, n), *text...)[:n]
		s.bytes(b)
		*text = string(b)
	}
}

// Tally is a tally.
func (s *Snapshot) Tally(t *Tally) {
	s.Numbers(&t.Episodes, &t.Moves, &t.Truncated, &t.Sum, &t.Squares, &t.Goals, &t.Samples, &t.Errors)
}
