//go:build !js

package datasets

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// The Parquet library trusts the lengths in a file: a few bytes can make it allocate gigabytes
// before it finds them missing. So lengths are checked first, in the footer and before each page.

// Bounds of a Parquet file that is read. A reader holds one page of each column.
const (
	smallPage   = 4 << 20 // bytes that a page may always unpack to
	mostPacking = 1000    // else at most so many times its own
	mostPage    = 1 << 30 // bytes in any case
	mostValues  = 1 << 24 // of a page
	mostHeader  = 1 << 20 // bytes before a page
)

// OpenParquet opens a Parquet file of size bytes for reading from beginning to end. A footer or
// page that asks for more memory than such a file can need is an error.
func OpenParquet(f io.ReaderAt, size int64) (*parquet.File, error) {
	footer, _, _, err := readTail(f, size)
	if err != nil {
		return nil, err
	}
	if c := (compact{b: footer}); !c.structure(0) {
		return nil, errors.New("want a footer with lengths that it can hold")
	}
	// Neither index nor filter is of use to who reads all rows.
	p, err := parquet.OpenFile(f, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, err
	}
	u := unpacker{f: f, size: size}
	for _, group := range p.Metadata().RowGroups {
		for _, c := range group.Columns {
			m := &c.MetaData
			begin := m.DataPageOffset
			if m.DictionaryPageOffset != 0 {
				begin = m.DictionaryPageOffset
			}
			if err := u.checkPages(begin, m.DataPageOffset, m.TotalCompressedSize, m.Codec); err != nil {
				return nil, fmt.Errorf("column %q: %w", m.PathInSchema, err)
			}
		}
	}
	return p, nil
}

// unpacker tries what the pages of a file of size bytes unpack to.
type unpacker struct {
	f        io.ReaderAt
	size     int64
	in, out  []byte
	unpacked *zstd.Decoder
}

// checkPages checks a column's pages of length bytes from begin on, with data from data on.
func (u *unpacker) checkPages(begin, data, length int64, codec format.CompressionCodec) error {
	if begin < 0 || length < 0 || begin > u.size || length > u.size-begin {
		return fmt.Errorf("pages from byte %d, %d bytes: want them in the file's %d", begin, length, u.size)
	}
	end, found := begin+length, data == begin
	for at := begin; at < end; {
		h, length, err := pageAt(u.f, at, end)
		packed, unpacked := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
		values := max(h.DataPageHeader.V.NumValues, h.DictionaryPageHeader.V.NumValues, h.DataPageHeaderV2.V.NumValues)
		switch {
		case err != nil:
		case packed < 0 || packed > end-at-length:
			err = fmt.Errorf("%d bytes: want them among the column's", packed)
		case unpacked < 0 || unpacked > min(mostPage, max(smallPage, mostPacking*packed)):
			err = fmt.Errorf("%d bytes unpack to %d: want at most %d, or %d times as many", packed, unpacked, smallPage, mostPacking)
		case values > mostValues:
			err = fmt.Errorf("%d values: want at most %d", values, mostValues)
		default:
			err = u.try(&h, at+length, codec)
		}
		if err != nil {
			return fmt.Errorf("page at byte %d: %w", at, err)
		}
		at += length + packed
		found = found || at == data
	}
	if !found {
		return fmt.Errorf("data at byte %d: want a page there", data)
	}
	return nil
}

// try unpacks the page at a byte into the room that its header gives. The library would allocate
// what the packed bytes ask for, up to 64 GB.
func (u *unpacker) try(h *format.PageHeader, at int64, codec format.CompressionCodec) error {
	packed, room, second := int64(h.CompressedPageSize), int64(h.UncompressedPageSize), &h.DataPageHeaderV2.V
	definition, repetition := int64(second.DefinitionLevelsByteLength), int64(second.RepetitionLevelsByteLength)
	levels := definition + repetition // in the pages of the second kind these are not packed
	if definition < 0 || repetition < 0 || levels > min(packed, room) {
		return fmt.Errorf("levels of %d bytes: want them in the page's", levels)
	}
	if codec == format.Uncompressed || second.IsCompressed.Valid && !second.IsCompressed.V {
		return nil
	}
	packed, room = packed-levels, room-levels
	u.in = slices.Grow(u.in[:0], int(packed))[:packed]
	if _, err := u.f.ReadAt(u.in, at+levels); err != nil {
		return err
	}
	switch codec {
	case format.Zstd:
		if oneFrame(u.in, uint64(room)) {
			return nil
		}
		if u.unpacked == nil {
			var err error
			if u.unpacked, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true)); err != nil {
				return err
			}
		}
		u.out = slices.Grow(u.out[:0], int(room))[:0:room]
		_, err := u.unpacked.DecodeAll(u.in, u.out)
		return err
	case format.Snappy:
		if n, _ := binary.Uvarint(u.in); n > uint64(room) {
			return fmt.Errorf("%d bytes: want at most the %d of the header", n, room)
		}
		return nil
	case format.Gzip:
		in, err := gzip.NewReader(bytes.NewReader(u.in))
		if err != nil {
			return err
		}
		n, err := io.Copy(io.Discard, io.LimitReader(in, room+1))
		if err == nil && n > room {
			err = fmt.Errorf("more than %d bytes: want what the header says", room)
		}
		return err
	}
	return fmt.Errorf("compressed with %v: want zstd, snappy, gzip or none", codec) // the library's LZ4 asks for memory without end on damage
}

// oneFrame reports whether packed is a single zstd frame, as most programs write, that declares at
// most room bytes, which bind its reader. It costs a few bytes in a hundred thousand, unpacking
// all of them.
//
// Source: RFC 8878, 3.1.1.
func oneFrame(packed []byte, room uint64) bool {
	var h zstd.Header
	if h.Decode(packed) != nil || h.Skippable || !h.HasFCS || h.FrameContentSize > room {
		return false
	}
	at := h.HeaderSize
	for last := false; !last; {
		if len(packed)-at < 3 {
			return false
		}
		block := int(packed[at]) | int(packed[at+1])<<8 | int(packed[at+2])<<16
		length := block >> 3
		if block>>1&3 == 1 { // one byte, repeated
			length = 1
		}
		last, at = block&1 == 1, at+3+length
		if at > len(packed) {
			return false
		}
	}
	if h.HasCheckSum {
		at += 4
	}
	return at == len(packed)
}

// pageAt reads the header of a page at a byte, and how many bytes it has. It must end before end.
func pageAt(f io.ReaderAt, at, end int64) (h format.PageHeader, length int64, err error) {
	for most := int64(512); ; most = mostHeader { // few are longer
		part := make([]byte, min(most, end-at))
		if _, err := f.ReadAt(part, at); err != nil {
			return h, 0, err
		}
		c := compact{b: part}
		if c.structure(0) {
			return h, int64(c.at), thrift.Unmarshal(new(thrift.CompactProtocol), part[:c.at], &h)
		}
		if most == mostHeader || int64(len(part)) == end-at {
			return h, 0, errors.New("want a header")
		}
	}
}

// compact walks Thrift's compact encoding, Parquet's metadata format, without building anything.
// It verifies that no list, text or map is longer than the bytes present.
//
// Source: Apache Thrift, "Thrift Compact protocol encoding".
type compact struct {
	b  []byte
	at int
}

// mostDepth is how deep structures may lie in each other: Parquet's own go to 7.
const mostDepth = 32

// structure walks through a structure.
func (c *compact) structure(depth int) bool {
	for depth <= mostDepth {
		head, ok := c.byte()
		kind, step := thrift.Type(head&15), head>>4
		if !ok || kind == thrift.STOP {
			return ok && head == 0
		}
		if step == 0 { // the field's number follows
			if _, ok := c.number(); !ok {
				return false
			}
		}
		if kind != thrift.TRUE && kind != thrift.FALSE && !c.value(kind, depth+1) {
			return false
		}
	}
	return false
}

// value walks through a value as it stands in a list, where a boolean takes a byte. Parquet has no maps.
func (c *compact) value(kind thrift.Type, depth int) bool {
	switch kind {
	case thrift.TRUE, thrift.FALSE, thrift.I8:
		return c.skip(1)
	case thrift.I16, thrift.I32, thrift.I64:
		_, ok := c.number()
		return ok
	case thrift.DOUBLE:
		return c.skip(8)
	case thrift.BINARY:
		n, ok := c.number()
		return ok && c.skip(n)
	case thrift.LIST, thrift.SET:
		return c.list(depth)
	case thrift.STRUCT:
		return c.structure(depth)
	}
	return false
}

func (c *compact) list(depth int) bool {
	head, ok := c.byte()
	n := uint64(head >> 4)
	if ok && n == 15 {
		n, ok = c.number()
	}
	if !ok || depth > mostDepth || n > uint64(len(c.b)-c.at) {
		return false
	}
	for range n {
		if !c.value(thrift.Type(head&15), depth+1) {
			return false
		}
	}
	return true
}

func (c *compact) byte() (byte, bool) {
	if c.at >= len(c.b) {
		return 0, false
	}
	c.at++
	return c.b[c.at-1], true
}

func (c *compact) skip(n uint64) bool {
	if n > uint64(len(c.b)-c.at) {
		return false
	}
	c.at += int(n)
	return true
}

// number reads a number of at most 64 bits, seven a byte.
func (c *compact) number() (uint64, bool) {
	x, n := binary.Uvarint(c.b[c.at:])
	c.at += max(n, 0)
	return x, n > 0
}
