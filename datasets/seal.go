//go:build !js

package datasets

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A shard has a seal: an entry of the Parquet footer's key-value metadata with the SHA-256 of the
// whole file, computed with zeros in the seal's place. It is checked before the Parquet library
// reads a byte, since a flipped bit can make that library panic or allocate without end (one in a
// column's codec did). [OpenParquet] checks the lengths in a file of another program, which has none.
const sealKey = "plyfit.sha256"

// In Thrift's compact encoding a string field's header and the length 64 are between key and value.
const sealHeader = "\x18\x40"

const sealLength = 2 * sha256.Size // in hexadecimal

// openSeal is the value that is hashed and then replaced.
var openSeal = strings.Repeat("0", sealLength)

// maxFooter is the longest Parquet footer read: a thousand times a shard's, and that of a table of
// some 100,000 columns.
const maxFooter = 1 << 25

// seal closes the open seal of a whole Parquet file.
func seal(file []byte) {
	at := bytes.LastIndex(file, []byte(sealKey+sealHeader+openSeal))
	if at < 0 {
		panic("datasets: a shard without a place for its seal")
	}
	sum := sha256.Sum256(file)
	hex.Encode(file[at+len(sealKey+sealHeader):], sum[:])
}

// readTail reads the end of a Parquet file of size bytes: its footer, which begins at a byte, and
// the footer's length with the magic number.
func readTail(f io.ReaderAt, size int64) (footer, tail []byte, begin int64, err error) {
	if size < 12 {
		return nil, nil, 0, errors.New("want a Parquet file")
	}
	tail = make([]byte, 8)
	if _, err := f.ReadAt(tail, size-8); err != nil {
		return nil, nil, 0, err
	}
	length := int64(binary.LittleEndian.Uint32(tail))
	if string(tail[4:]) != "PAR1" || length > min(size-12, maxFooter) {
		return nil, nil, 0, errors.New("want a Parquet footer at its end")
	}
	footer, begin = make([]byte, length), size-8-length
	_, err = f.ReadAt(footer, begin)
	return footer, tail, begin, err
}

// sealed reports whether the file of a shard has a seal, intact or not.
func sealed(file []byte) bool { return bytes.Contains(file, []byte(sealKey+sealHeader)) }

// checkSeal compares the seal of a file of size bytes with what the file holds.
func checkSeal(f io.ReaderAt, size int64) error {
	footer, tail, begin, err := readTail(f, size)
	if err != nil {
		return err
	}
	at := bytes.LastIndex(footer, []byte(sealKey))
	if at < 0 {
		return nil
	}
	at += len(sealKey + sealHeader)
	if at+sealLength > len(footer) {
		return errors.New("want a whole seal")
	}
	want := string(footer[at : at+sealLength])
	copy(footer[at:], openSeal)
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, begin)); err != nil {
		return err
	}
	h.Write(footer)
	h.Write(tail)
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		return fmt.Errorf("its bytes have the SHA-256 %.12s, want %.12s", got, want)
	}
	return nil
}
