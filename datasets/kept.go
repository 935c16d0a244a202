package datasets

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"os"

	"plyfit/game"
	"plyfit/models"
	"plyfit/work"
)

// Kept keeps costly samples for a learner's later passes: in memory while they are small, else in
// an unnamed temporary file that goes with the process. If that file cannot be written, for want
// of room, every pass makes the samples anew. They are the same at every pass. One pass at a time.
type Kept struct {
	data   Samples
	limit  int64
	blocks []block
	file   *os.File
	size   int64
	whole  bool // the blocks hold all samples
	never  bool // nothing can be kept
}

// block is a run of packed samples, in memory or in the file.
type block struct {
	packed []byte
	at     int64
	length int
}

const (
	keepInMemory = 32 << 20 // bytes
	blockSize    = 256 << 10
)

var _ Samples = (*Kept)(nil)

// Keep keeps data. Close it when it is not needed any longer.
func Keep(data Samples) *Kept { return &Kept{data: data, limit: keepInMemory} }

// Close gives memory and file back; the samples can be read on, at the old cost.
func (k *Kept) Close() error {
	f := k.file
	k.blocks, k.file, k.size, k.whole, k.never = nil, nil, 0, false, true
	if f == nil {
		return nil
	}
	err := f.Close()
	os.Remove(f.Name()) // where an open file keeps its name
	return err
}

// All implements [Samples].
func (k *Kept) All() iter.Seq2[*Sample, error] {
	switch {
	case k.whole:
		return k.read
	case k.never:
		return k.data.All()
	}
	return k.write
}

func (k *Kept) write(yield func(*Sample, error) bool) {
	k.blocks, k.size = k.blocks[:0], 0
	buf := make([]byte, 0, blockSize+blockSize/4)
	for s, err := range k.data.All() {
		if err == nil && !k.never {
			if buf = appendSample(buf, s); len(buf) >= blockSize {
				k.put(buf)
				buf = buf[:0]
			}
		}
		if !yield(s, err) || err != nil {
			return
		}
	}
	if !k.never {
		k.put(buf)
	}
	k.whole = !k.never
}

// put keeps a block.
func (k *Kept) put(packed []byte) {
	if k.file == nil && k.size+int64(len(packed)) <= k.limit {
		k.blocks = append(k.blocks, block{packed: append([]byte(nil), packed...), length: len(packed)})
		k.size += int64(len(packed))
		return
	}
	if k.file == nil {
		f, err := os.CreateTemp("", "plyfit-samples-")
		if err != nil {
			k.Close()
			return
		}
		os.Remove(f.Name()) // the open file stays
		k.file, k.size = f, 0
		for i := range k.blocks {
			b := &k.blocks[i]
			if !k.append(b, b.packed) {
				return
			}
			b.packed = nil
		}
	}
	var b block
	if k.append(&b, packed) {
		k.blocks = append(k.blocks, b)
	}
}

func (k *Kept) append(b *block, packed []byte) bool {
	if _, err := k.file.WriteAt(packed, k.size); err != nil {
		k.Close()
		return false
	}
	b.at, b.length = k.size, len(packed)
	k.size += int64(len(packed))
	return true
}

func (k *Kept) read(yield func(*Sample, error) bool) {
	var s Sample
	var buf []byte
	for _, b := range k.blocks {
		packed := b.packed
		if packed == nil && b.length > 0 {
			if cap(buf) < b.length {
				buf = make([]byte, b.length)
			}
			packed = buf[:b.length]
			if _, err := k.file.ReadAt(packed, b.at); err != nil {
				yield(nil, fmt.Errorf("samples kept in the folder for temporary files: %w", err))
				return
			}
		}
		for len(packed) > 0 {
			work.Yield()
			packed = takeSample(packed, &s)
			if !yield(&s, nil) {
				return
			}
		}
	}
}

// What a packed sample says of itself.
const (
	allOnes      = 1 // its values are 1, and not written
	weighsOne    = 2 // nor is a weight of 1
	wasExplored  = 4
	wasTruncated = 8
	kindShift    = 4 // two bits
)

// appendSample packs s: the number of terms, a byte of flags, ply, episode, label, position,
// weight, indices, values.
func appendSample(b []byte, s *Sample) []byte {
	flags := byte(allOnes | weighsOne)
	for _, t := range s.X {
		if t.Value != 1 {
			flags &^= allOnes
			break
		}
	}
	if s.Weight != 1 {
		flags &^= weighsOne
	}
	if s.Explored {
		flags |= wasExplored
	}
	if s.Truncated {
		flags |= wasTruncated
	}
	flags |= byte(s.Kind) << kindShift
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(len(s.X)))
	b = append(b, flags)
	b = le.AppendUint32(b, uint32(s.Ply))
	b = le.AppendUint64(b, s.Episode)
	b = le.AppendUint64(b, math.Float64bits(s.Y))
	b = le.AppendUint64(b, s.Position)
	if s.Weight != 1 {
		b = le.AppendUint64(b, math.Float64bits(s.Weight))
	}
	for _, t := range s.X {
		b = le.AppendUint32(b, uint32(t.Index))
	}
	if flags&allOnes == 0 {
		for _, t := range s.X {
			b = le.AppendUint32(b, math.Float32bits(t.Value))
		}
	}
	return b
}

// takeSample unpacks the first sample of b into s and returns the rest.
func takeSample(b []byte, s *Sample) []byte {
	le := binary.LittleEndian
	n, flags := int(le.Uint32(b)), b[4]
	s.Ply = int32(le.Uint32(b[5:]))
	s.Episode = le.Uint64(b[9:])
	s.Y = math.Float64frombits(le.Uint64(b[17:]))
	s.Position = le.Uint64(b[25:])
	b = b[33:]
	s.Weight = 1
	if flags&weighsOne == 0 {
		s.Weight = math.Float64frombits(le.Uint64(b))
		b = b[8:]
	}
	s.Explored, s.Truncated = flags&wasExplored != 0, flags&wasTruncated != 0
	s.Kind = game.Bound(flags >> kindShift & 3)
	if cap(s.X) < n {
		s.X = make(models.Vector, n, n+n/2)
	}
	s.X = s.X[:n]
	x := s.X
	indices := b[:4*n]
	b = b[4*n:]
	if flags&allOnes != 0 {
		for i := range x {
			x[i] = models.Term{Index: int32(le.Uint32(indices[4*i:])), Value: 1}
		}
		return b
	}
	values := b[:4*n]
	for i := range x {
		x[i] = models.Term{Index: int32(le.Uint32(indices[4*i:])), Value: math.Float32frombits(le.Uint32(values[4*i:]))}
	}
	return b[4*n:]
}
