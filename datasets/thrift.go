//go:build !js

package datasets

import "encoding/binary"

// compact walks Thrift's compact encoding, Parquet's metadata format, without building anything.
// It verifies that no list, text or map is longer than the bytes present.
//
// Source: Apache Thrift, "Thrift Compact protocol encoding".
type compact struct {
	b  []byte
	at int
}

// Types of values. Parquet has no maps.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftInt16  = 4
	thriftInt32  = 5
	thriftInt64  = 6
	thriftDouble = 7
	thriftText   = 8
	thriftList   = 9
	thriftSet    = 10
	thriftStruct = 12
)

// mostDepth is how deep structures may lie in each other: Parquet's own go to 7.
const mostDepth = 32

// structure walks through a structure.
func (c *compact) structure(depth int) bool {
	for depth <= mostDepth {
		head, ok := c.byte()
		kind, step := head&15, head>>4
		if !ok || kind == 0 {
			return ok && head == 0
		}
		if step == 0 { // the field's number follows
			if _, ok := c.number(); !ok {
				return false
			}
		}
		if kind != thriftTrue && kind != thriftFalse && !c.value(kind, depth+1) {
			return false
		}
	}
	return false
}

// value walks through a value as it stands in a list, where a boolean takes a byte.
func (c *compact) value(kind byte, depth int) bool {
	switch kind {
	case thriftTrue, thriftFalse, thriftByte:
		return c.skip(1)
	case thriftInt16, thriftInt32, thriftInt64:
		_, ok := c.number()
		return ok
	case thriftDouble:
		return c.skip(8)
	case thriftText:
		n, ok := c.number()
		return ok && c.skip(n)
	case thriftList, thriftSet:
		return c.list(depth)
	case thriftStruct:
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
		if !c.value(head&15, depth+1) {
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
