package disk

import (
	"bytes"
	"fmt"
	"hash/crc32"
)

// key introduces the checksum: the CRC-32 (Castagnoli) of the line's object without it, in eight
// hexadecimal digits.
const key = `,"crc32c":"`

const size = len(key) + 8 + len("\"}\n")

var table = crc32.MakeTable(crc32.Castagnoli)

// Seal adds a checksum to a line, a non-empty JSON object with a newline, so that later changes are
// noticed even if it still reads as JSON. It may change the bytes of line.
func Seal(line []byte) []byte {
	if !bytes.HasSuffix(line, []byte("}\n")) {
		panic("checkline: not a JSON object and a newline")
	}
	sum := crc32.Checksum(line, table)
	return fmt.Appendf(line[:len(line)-2], "%s%08x\"}\n", key, sum)
}

// Intact reports whether a line with its newline is unchanged. A line of old versions, without a
// checksum, counts as intact.
func Intact(line []byte) bool {
	at := len(line) - size
	if at < 1 || !bytes.HasPrefix(line[at:], []byte(key)) || !bytes.HasSuffix(line, []byte("\"}\n")) {
		return true
	}
	sum := crc32.Update(crc32.Checksum(line[:at], table), table, []byte("}\n"))
	return string(line[at+len(key):at+len(key)+8]) == fmt.Sprintf("%08x", sum)
}
