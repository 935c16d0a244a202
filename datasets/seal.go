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

// Each shard has a seal: an entry in the key-value metadata of the Parquet footer that contains the
// SHA-256 of the file. The hash is computed with zeros in place of the seal. The seal is verified
// before the Parquet library reads the file, because a flipped bit can make that library panic or
// allocate unlimited memory. Files from other programs have no seal, so [OpenParquet] also checks
// the lengths in a file.
const sealKey = "plyfit.sha256"

// sealHeader consists of the bytes between the key and the value. In Thrift's compact protocol,
// these are a field header and the string length 64.
const sealHeader = "\x18\x40"

const sealLength = 2 * sha256.Size // in hexadecimal digits

// openSeal is the placeholder that is hashed and then replaced.
var openSeal = strings.Repeat("0", sealLength)

// maxFooter is the maximum length of a Parquet footer. It allows tables with about 100,000 columns
// and is a thousand times the length of a shard's footer.
const maxFooter = 1 << 25

// seal replaces the placeholder in a complete Parquet file.
func seal(file []byte) {
	at := bytes.LastIndex(file, []byte(sealKey+sealHeader+openSeal))
	if at < 0 {
		panic("datasets: the shard has no place for its seal")
	}
	sum := sha256.Sum256(file)
	hex.Encode(file[at+len(sealKey+sealHeader):], sum[:])
}

// readTail reads the end of a Parquet file of the given size. footer starts at the offset begin;
// tail contains the footer length and the magic number.
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
		return nil, nil, 0, errors.New("want a Parquet footer at the end of the file")
	}
	footer, begin = make([]byte, length), size-8-length
	_, err = f.ReadAt(footer, begin)
	return footer, tail, begin, err
}

// sealed reports whether the file contains a seal, whether or not it matches.
func sealed(file []byte) bool { return bytes.Contains(file, []byte(sealKey+sealHeader)) }

// checkSeal returns an error if the file has a seal that does not match its contents.
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
		return errors.New("want a complete seal")
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
		return fmt.Errorf("SHA-256 %.12s, want %.12s", got, want)
	}
	return nil
}
