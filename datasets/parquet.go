//go:build !js

package datasets

import (
	"bytes"
	"cmp"
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

// The Parquet library trusts the lengths in a file. A few bytes can make it allocate gigabytes
// before it notices that the data is missing. All lengths in the footer and in page headers are
// therefore checked first.

// These are limits for Parquet files. A reader holds one page of each column in memory.
const (
	smallPage   = 4 << 20 // unpacked size in bytes that is always allowed for a page
	mostPacking = 1000    // maximum compression ratio of larger pages
	mostPage    = 1 << 30 // maximum unpacked size of a page in bytes
	mostValues  = 1 << 24 // maximum number of values in a page
	mostHeader  = 1 << 20 // maximum size of a page header in bytes
)

// OpenParquet opens a Parquet file of the given size for sequential reading. It returns an error if
// the footer or a page header contains a length that is impossible or implausibly large for such a
// file.
func OpenParquet(f io.ReaderAt, size int64) (*parquet.File, error) {
	footer, _, _, err := readTail(f, size)
	if err != nil {
		return nil, err
	}
	if c := (compact{b: footer}); !c.structure(0) {
		return nil, errors.New("want a footer with valid lengths")
	}
	// Sequential reading needs neither the page index nor the Bloom filters.
	p, err := parquet.OpenFile(f, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, err
	}
	u := unpacker{f: f, size: size}
	for _, group := range p.Metadata().RowGroups {
		for _, c := range group.Columns {
			m := &c.MetaData
			if err := u.checkPages(cmp.Or(m.DictionaryPageOffset, m.DataPageOffset), m.DataPageOffset, m.TotalCompressedSize, m.Codec); err != nil {
				return nil, fmt.Errorf("column %q: %w", m.PathInSchema, err)
			}
		}
	}
	return p, nil
}

// An unpacker checks the unpacked sizes of the pages in a file.
type unpacker struct {
	f        io.ReaderAt
	size     int64
	in, out  []byte
	unpacked *zstd.Decoder
}

// checkPages checks the pages of a column. The pages start at the offset begin and occupy length
// bytes. The first data page starts at the offset data.
func (u *unpacker) checkPages(begin, data, length int64, codec format.CompressionCodec) error {
	if begin < 0 || length < 0 || begin > u.size || length > u.size-begin {
		return fmt.Errorf("pages at byte %d with %d bytes: want pages within the %d bytes of the file", begin, length, u.size)
	}
	end, found := begin+length, data == begin
	for at := begin; at < end; {
		h, length, err := pageAt(u.f, at, end)
		packed, unpacked := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
		values := max(h.DataPageHeader.V.NumValues, h.DictionaryPageHeader.V.NumValues, h.DataPageHeaderV2.V.NumValues)
		switch {
		case err != nil:
		case packed < 0 || packed > end-at-length:
			err = fmt.Errorf("size of %d bytes: want a page that ends within the column", packed)
		case unpacked < 0 || unpacked > min(mostPage, max(smallPage, mostPacking*packed)):
			err = fmt.Errorf("%d bytes unpack to %d bytes; want at most %d bytes, or at most %d times the packed size", packed, unpacked, smallPage, mostPacking)
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
		return fmt.Errorf("data at byte %d: want a page at this offset", data)
	}
	return nil
}

// try unpacks the page at the given offset into a buffer of the size declared in its header. The
// library would allocate whatever the compressed data demands, up to 64 GB.
func (u *unpacker) try(h *format.PageHeader, at int64, codec format.CompressionCodec) error {
	packed, room, second := int64(h.CompressedPageSize), int64(h.UncompressedPageSize), &h.DataPageHeaderV2.V
	definition, repetition := int64(second.DefinitionLevelsByteLength), int64(second.RepetitionLevelsByteLength)
	levels := definition + repetition // not compressed in version 2 pages
	if definition < 0 || repetition < 0 || levels > min(packed, room) {
		return fmt.Errorf("levels of %d bytes: want levels that fit into the page", levels)
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
			return fmt.Errorf("%d bytes: want at most %d bytes, as declared in the header", n, room)
		}
		return nil
	case format.Gzip:
		in, err := gzip.NewReader(bytes.NewReader(u.in))
		if err != nil {
			return err
		}
		n, err := io.Copy(io.Discard, io.LimitReader(in, room+1))
		if err == nil && n > room {
			err = fmt.Errorf("more than %d bytes: want the size that the header declares", room)
		}
		return err
	}
	return fmt.Errorf("compression %v: want zstd, snappy, gzip or none", codec) // the library's LZ4 decoder can allocate unlimited memory for corrupt data
}

// oneFrame reports whether packed is a single zstd frame, as most programs write it, that declares
// a size of at most room. The decoder enforces the declared size, so such a page need not be
// unpacked to be checked. oneFrame reads only the block headers.
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

// pageAt reads the page header at the given offset. The header must end before the offset end.
// length is its size in bytes.
func pageAt(f io.ReaderAt, at, end int64) (h format.PageHeader, length int64, err error) {
	for most := int64(512); ; most = mostHeader { // few headers exceed 512 bytes
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

// compact parses Thrift's compact protocol, the encoding of Parquet metadata, without building any
// data structures. It verifies that no list or string is longer than the remaining bytes.
//
// Source: Apache Thrift, "Thrift Compact protocol encoding".
type compact struct {
	b  []byte
	at int
}

// mostDepth is the maximum nesting depth of structures. Those of Parquet reach a depth of 7.
const mostDepth = 32

// structure skips a structure and reports whether it is valid.
func (c *compact) structure(depth int) bool {
	for depth <= mostDepth {
		head, ok := c.byte()
		kind, step := thrift.Type(head&15), head>>4
		if !ok || kind == thrift.STOP {
			return ok && head == 0
		}
		if step == 0 { // the field number follows
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

// value skips a value encoded as in a list, where a boolean occupies one byte. Maps are not
// supported because Parquet has none.
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

// number reads a variable-length integer with at most 64 bits.
func (c *compact) number() (uint64, bool) {
	x, n := binary.Uvarint(c.b[c.at:])
	c.at += max(n, 0)
	return x, n > 0
}
