//go:build !js

package datasets

// compact walks Thrift's compact encoding, Parquet's metadata format, without building anything.
// It verifies that no list, text or map is longer than the bytes present.
//
// Source: Apache Thrift, "Thrift Compact protocol encoding".
type compact struct {
	b  []byte
	at int
}

// Types of values.
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
	thriftMap    = 11
	thriftStruct = 12
)

// mostDepth is how deep structures may lie in each other: Parquet's own go to 7.
const mostDepth = 32

// structure walks through a structure. field, if not nil, is called at each of its fields and may
// read it.
func (c *compact) structure(depth int, field func(c *compact, id int, kind byte) (read, ok bool)) bool {
	if depth > mostDepth {
		return false
	}
	for id := 0; ; {
		head, ok := c.byte()
		if !ok {
			return false
		}
		kind, step := head&15, head>>4
		switch {
		case kind == 0:
			return head == 0
		case step > 0:
			id += int(step)
		default:
			n, ok := c.integer()
			if !ok {
				return false
			}
			id = int(int16(n))
		}
		read := false
		if field != nil {
			if read, ok = field(c, id, kind); !ok {
				return false
			}
		}
		if !read && kind != thriftTrue && kind != thriftFalse && !c.value(kind, depth+1) {
			return false
		}
	}
}

// value walks through a value as it stands in a list, where a boolean takes a byte.
func (c *compact) value(kind byte, depth int) bool {
	switch kind {
	case thriftTrue, thriftFalse, thriftByte:
		return c.skip(1)
	case thriftInt16, thriftInt32, thriftInt64:
		_, ok := c.unsigned()
		return ok
	case thriftDouble:
		return c.skip(8)
	case thriftText:
		n, ok := c.unsigned()
		return ok && c.skip(n)
	case thriftList, thriftSet:
		return c.list(depth)
	case thriftMap:
		return c.entries(depth)
	case thriftStruct:
		return c.structure(depth, nil)
	}
	return false
}

func (c *compact) list(depth int) bool {
	head, ok := c.byte()
	n := uint64(head >> 4)
	if ok && n == 15 {
		n, ok = c.unsigned()
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

func (c *compact) entries(depth int) bool {
	n, ok := c.unsigned()
	if !ok || n == 0 {
		return ok
	}
	kinds, ok := c.byte()
	if !ok || depth > mostDepth || n > uint64(len(c.b)-c.at) {
		return false
	}
	for range n {
		if !c.value(kinds>>4, depth+1) || !c.value(kinds&15, depth+1) {
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

// unsigned reads a number of at most 64 bits, seven a byte.
func (c *compact) unsigned() (x uint64, ok bool) {
	for shift := 0; shift < 64; shift += 7 {
		b, ok := c.byte()
		if !ok {
			return 0, false
		}
		x |= uint64(b&127) << shift
		if b < 128 {
			return x, true
		}
	}
	return 0, false
}

func (c *compact) integer() (int64, bool) {
	x, ok := c.unsigned()
	return int64(x>>1) ^ -int64(x&1), ok
}
