package disk

import (
	"bytes"
	"fmt"
	"hash/crc32"
)

// key is the last one of a line that was sealed: its value is the CRC-32
// (Castagnoli) of the line's object without it, in eight hexadecimal digits.
const key = `,"crc32c":"`

const size = len(key) + 8 + len("\"}\n")

var table = crc32.MakeTable(crc32.Castagnoli)

// Seal puts a checksum into a line of a file of JSON objects, so that a change since it was
// written, by a failing disk above all, is noticed although it still reads as JSON. It is the line, a JSON object that is not empty and a newline, with its
// checksum. It may change the bytes of line.
func Seal(line []byte) []byte {
	if !bytes.HasSuffix(line, []byte("}\n")) {
		panic("checkline: not a JSON object and a newline")
	}
	sum := crc32.Checksum(line, table)
	return fmt.Appendf(line[:len(line)-2], "%s%08x\"}\n", key, sum)
}

// Intact reports whether a line, newline included, is as it was sealed. One
// without a checksum, as versions before this one wrote it, counts as intact.
func Intact(line []byte) bool {
	at := len(line) - size
	if at < 1 || !bytes.HasPrefix(line[at:], []byte(key)) || !bytes.HasSuffix(line, []byte("\"}\n")) {
		return true
	}
	sum := crc32.Update(crc32.Checksum(line[:at], table), table, []byte("}\n"))
	return string(line[at+len(key):at+len(key)+8]) == fmt.Sprintf("%08x", sum)
}
