package datasets

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"math"
	"slices"
	"strings"

	"plyfit/internal/disk"
)

// sameBits reports whether a and b are identical. Like the digest, it distinguishes between -0 and 0.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// WriteShard writes records to the file at path, in the given order. The file is written
// atomically. Equal records produce identical files.
func WriteShard(path string, records []Record) error {
	file, err := EncodeShard(records)
	if err == nil {
		err = disk.WriteBytes(path, file)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// EachRecord calls do for each record of the shard at path, in order, until it returns false. The
// record is valid only during the call, but its strings and Outcome may be retained. Errors about
// damaged files contain the file name.
func EachRecord(path string, do func(*Record) bool) error {
	return withShard(path, func(f io.ReaderAt, size int64) error { return readRows(path, f, size, do) })
}

// EachRecordOf is like [EachRecord] for a shard in memory. Errors contain the given name.
func EachRecordOf(name string, shard []byte, do func(*Record) bool) error {
	return readRows(name, bytes.NewReader(shard), int64(len(shard)), do)
}

// withShard opens the shard at path and passes the file and its size to the function do.
func withShard(path string, do func(f io.ReaderAt, size int64) error) error {
	f, err := disk.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return do(f, info.Size())
}

// damagedShard returns a one-line error about a damaged shard.
func damagedShard(path string, what any) error {
	text := strings.Join(strings.Fields(fmt.Sprint(what)), " ")
	return fmt.Errorf("%s: the file is truncated or damaged: %s", path, text)
}

// A digester computes the SHA-256 of records independently of their storage format.
type digester struct {
	h   hash.Hash
	buf []byte
}

func newDigester() *digester { return &digester{h: sha256.New()} }

func (d *digester) add(r *Record) {
	b := d.buf[:0]
	b = binary.AppendUvarint(b, r.Episode)
	b = binary.AppendVarint(b, int64(r.Ply))
	b = appendText(b, r.Position)
	b = append(b, byte(r.Mover))
	b = appendText(b, r.Move)
	// Newer columns affect the digest only if they add information, so that older data sets keep
	// their digests.
	slipped := r.Made != "" && r.Made != r.Move
	b = append(b, flags(r.Explored, r.HasValue, r.Truncated, r.ID != "", slipped, r.Proven, r.View != ""))
	if r.HasValue {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(r.Value))
	}
	b = binary.AppendVarint(b, int64(r.Depth))
	b = binary.AppendUvarint(b, uint64(len(r.Outcome)))
	for _, u := range r.Outcome {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(u))
	}
	if r.ID != "" {
		b = appendText(b, r.ID)
	}
	if slipped {
		b = appendText(b, r.Made)
	}
	if r.View != "" {
		b = appendText(b, r.View)
	}
	d.h.Write(b)
	d.buf = b
}

func (d *digester) sum() string { return hex.EncodeToString(d.h.Sum(nil)) }

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func flags(f ...bool) (b byte) {
	for i, on := range f {
		if on {
			b |= 1 << i
		}
	}
	return b
}
