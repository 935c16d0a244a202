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

// A Snapshot reads or writes the complete state of a learner as little-endian numbers and lists.
// [Learner.Persist] passes each part of the state to the Snapshot once, for both reading and
// writing.
type Snapshot struct {
	w     *bufio.Writer // nil if the snapshot is being read
	r     *bufio.Reader
	err   error
	word  [8]byte
	block [4 * dense.Block]byte
}

// WriteSnapshot writes the state of l. It returns an error if a weight is not finite.
func WriteSnapshot(w io.Writer, l Learner) error {
	if err := check(l); err != nil {
		return err
	}
	s := &Snapshot{w: bufio.NewWriterSize(w, 1<<16)}
	return cmp.Or(l.Persist(s), s.w.Flush())
}

// ReadSnapshot restores a learner from the output of [WriteSnapshot]. The learner must have been
// created in the same way as the one that was written. It is an error if r contains more data.
func ReadSnapshot(r io.Reader, l Learner) error {
	s := &Snapshot{r: bufio.NewReaderSize(r, 1<<16)}
	if err := cmp.Or(l.Persist(s), s.err); err != nil {
		return err
	}
	if _, err := s.r.ReadByte(); err == nil {
		return errors.New("snapshot: unexpected data at the end")
	}
	return nil
}

// check returns an error if l can check its weights and one of them is not finite.
func check(l Learner) error {
	if l, ok := l.(interface{ Check() error }); ok {
		return l.Check()
	}
	return nil
}

// Reading reports whether the snapshot is being read and no error has occurred.
func (s *Snapshot) Reading() bool { return s.w == nil && s.err == nil }

// bytes writes b or reads into b. After an error it fills b with zeros.
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

// Numbers reads or writes numbers. Each part must be of type *int, *int64 or *float64.
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

// length reads or writes the length of a list. A list can only be read into a list of the same
// length.
func (s *Snapshot) length(n int) bool {
	if got := s.uint64(uint64(n)); s.err == nil && got != uint64(n) {
		s.err = fmt.Errorf("snapshot: a list of %d numbers; want %d numbers", got, n)
	}
	return s.err == nil
}

// Floats reads or writes lists of numbers.
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

// Weights reads or writes all weights of a model.
func (s *Snapshot) Weights(m *models.Linear) {
	s.Numbers(&m.Bias)
	s.Floats(m.Weights)
	s.Singles(m.Table)
}

// Singles reads or writes a list block by block. A block of zeros, such as a part of a table that
// no game has reached, is stored as 0. Any other block is stored as 1 followed by its numbers.
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
			s.err = cmp.Or(s.err, fmt.Errorf("snapshot: %d before a block; want 0 or 1", full))
		case full == 0 && !zero: // otherwise the memory stays untouched
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

// mostText is the maximum length of a text.
const mostText = 1 << 20

// Text reads or writes a text.
func (s *Snapshot) Text(text *string) {
	n := s.uint64(uint64(len(*text)))
	if s.err == nil && n > mostText {
		s.err = fmt.Errorf("snapshot: a text of %d bytes; want at most %d bytes", n, mostText)
	}
	if s.err == nil {
		b := append(make([]byte, 0, n), *text...)[:n]
		s.bytes(b)
		*text = string(b)
	}
}

// Tally reads or writes a tally.
func (s *Snapshot) Tally(t *Tally) {
	s.Numbers(&t.Episodes, &t.Moves, &t.Truncated, &t.Sum, &t.Squares, &t.Goals, &t.Samples, &t.Errors)
}
