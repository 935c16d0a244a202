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

// In a browser the records of a run live in memory as long as its page, so that a shard there is
// plain: a line with the SHA-256 of the rest, in hexadecimal, and a line of JSON for each record.
// Parquet would be a third of the module.

const sumLine = 2*sha256.Size + 1

// EncodeShard is a shard's sealed file. The same records give the same bytes.
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

// sealed reports whether the file of a shard has a seal, intact or not.
func sealed(file []byte) bool { return len(file) >= sumLine && file[sumLine-1] == '\n' }

// checkEnd reports a shard that is missing.
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
		return damagedShard(path, "its bytes have another SHA-256 than its seal")
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
			rec.Outcome = last // neighbours share it
		}
		if last = rec.Outcome; !do(&rec) {
			return nil
		}
	}
}
