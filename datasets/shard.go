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

// sameBits tells -0 from 0, as the digest does.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// WriteShard writes records, in order, to the file at path, which appears whole or not at all. The
// same records give the same bytes.
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

// EachRecord calls do for every record of the shard at path, in order, until it returns false. The
// Record is valid during the call; its strings and Outcome may be kept. Damaged files are an error
// with a name.
func EachRecord(path string, do func(*Record) bool) error {
	return withShard(path, func(f io.ReaderAt, size int64) error { return readRows(path, f, size, do) })
}

// EachRecordOf is [EachRecord] for a shard in memory; name is for messages.
func EachRecordOf(name string, shard []byte, do func(*Record) bool) error {
	return readRows(name, bytes.NewReader(shard), int64(len(shard)), do)
}

// withShard opens the shard at path for the time that do reads it.
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

// damagedShard says on one line what is wrong with a shard.
func damagedShard(path string, what any) error {
	text := strings.Join(strings.Fields(fmt.Sprint(what)), " ")
	return fmt.Errorf("%s: cut off or damaged: %s", path, text)
}

// digester is the SHA-256 over records, independent of how they are stored.
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
	// Newer columns are digested only with new information, so that data sets keep their digests.
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
