//go:build !js

package datasets

import (
	"encoding/binary"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

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
