package datasets

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"plyfit/work"
)

// In a browser, shards need to last only until the page is closed, so they use a simple format: one
// line with the SHA-256 of the rest in hexadecimal digits, followed by one line of JSON per record.
// The Parquet library would make the module considerably larger.

const sumLine = 2*sha256.Size + 1

// EncodeShard returns the contents of a shard file, including its seal. Equal records produce
// identical files.
func EncodeShard(records []Record) ([]byte, error) {
	file := bytes.NewBuffer(make([]byte, sumLine))
	lines := json.NewEncoder(file)
	for i := range records {
		if err := lines.Encode(&records[i]); err != nil {
			return nil, err
		}
	}
	b := file.Bytes()
	sum := sha256.Sum256(b[sumLine:])
	hex.Encode(b, sum[:])
	b[sumLine-1] = '\n'
	return b, nil
}

// sealed reports whether the file contains a seal, whether or not it matches.
func sealed(file []byte) bool { return len(file) >= sumLine && file[sumLine-1] == '\n' }

// checkEnd returns an error if the shard is missing.
func checkEnd(path string) error {
	return withShard(path, func(io.ReaderAt, int64) error { return nil })
}

func readRows(path string, f io.ReaderAt, size int64, do func(*Record) bool) error {
	file, err := io.ReadAll(io.NewSectionReader(f, 0, size))
	if err != nil {
		return damagedShard(path, err)
	}
	if !sealed(file) {
		return damagedShard(path, "want a seal")
	}
	sum := sha256.Sum256(file[sumLine:])
	if string(file[:sumLine-1]) != hex.EncodeToString(sum[:]) {
		return damagedShard(path, "the SHA-256 does not match the seal")
	}
	lines := json.NewDecoder(bytes.NewReader(file[sumLine:]))
	for last := []float64(nil); ; {
		work.Yield()
		var rec Record
		switch err := lines.Decode(&rec); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return damagedShard(path, fmt.Sprint(err))
		}
		if sameBits(last, rec.Outcome) {
			rec.Outcome = last // consecutive records share the slice
		}
		if last = rec.Outcome; !do(&rec) {
			return nil
		}
	}
}
