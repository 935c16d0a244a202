package disk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plyfit/internal/text"
)

// Check returns an error in advance if a file at path cannot be created because its directory does
// not exist or because path is a directory. An empty path is valid.
func Check(path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s: is a folder; want a file name", path)
	}
	info, err := os.Stat(filepath.Dir(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no folder %s", path, filepath.Dir(path))
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s: %s is not a folder", path, filepath.Dir(path))
	}
	return nil
}

// Within reports whether path is in a directory. Both must exist. Symbolic links are followed.
func Within(folder, path string) bool {
	for _, p := range []*string{&folder, &path} {
		real, err := filepath.EvalSymlinks(*p)
		if err != nil {
			return false
		}
		if *p, err = filepath.Abs(real); err != nil {
			return false
		}
	}
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// ByEnding returns the format for the extension of path (".csv"). If the extension is unknown, it
// returns an error that lists the known ones.
func ByEnding[T any](path string, formats map[string]T) (T, error) {
	format, ok := formats[strings.ToLower(filepath.Ext(path))]
	if !ok {
		return format, fmt.Errorf("%s: want a name that ends in %s", path, text.Or(slices.Sorted(maps.Keys(formats))))
	}
	return format, nil
}

// key precedes the checksum, which is the CRC-32 (Castagnoli) of the line's object without the
// checksum, in eight hexadecimal digits.
const key = `,"crc32c":"`

const size = len(key) + 8 + len("\"}\n")

var table = crc32.MakeTable(crc32.Castagnoli)

// Seal adds a checksum to a line, so that later changes are detected even if the line is still
// valid JSON. The line must be a non-empty JSON object followed by a newline. Seal may overwrite
// line.
func Seal(line []byte) []byte {
	if !bytes.HasSuffix(line, []byte("}\n")) {
		panic("checkline: not a JSON object followed by a newline")
	}
	sum := crc32.Checksum(line, table)
	return fmt.Appendf(line[:len(line)-2], "%s%08x\"}\n", key, sum)
}

// Line returns v as a line of JSON without HTML escapes.
func Line(v any) ([]byte, error) {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return line.Bytes(), err
}

// SealedLine returns v, a struct, as a line of JSON with a checksum.
func SealedLine(v any) ([]byte, error) {
	line, err := Line(v)
	if err != nil {
		return nil, err
	}
	return Seal(line), nil
}

// Intact reports whether a line, including its newline, is unchanged. Lines without a checksum, as
// written by older versions, are considered intact.
func Intact(line []byte) bool {
	at := len(line) - size
	if at < 1 || !bytes.HasPrefix(line[at:], []byte(key)) || !bytes.HasSuffix(line, []byte("\"}\n")) {
		return true
	}
	sum := crc32.Update(crc32.Checksum(line[:at], table), table, []byte("}\n"))
	return string(line[at+len(key):at+len(key)+8]) == fmt.Sprintf("%08x", sum)
}

// WriteSealed is like [WriteJSON], but adds a checksum for [ReadSealed]. v must be a struct.
func WriteSealed(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return WriteBytes(path, Seal(append(data, '\n')))
}

// ReadSealed reads a file written by [WriteSealed] into v. If the checksum is missing or wrong, it
// returns the error that [Damaged] creates.
func ReadSealed(path string, v any) error {
	data, err := Read(path, 1<<30)
	if err != nil {
		return err
	}
	if at := len(data) - size; at < 1 || !bytes.HasPrefix(data[at:], []byte(key)) || !Intact(data) || json.Unmarshal(data, v) != nil {
		return Damaged(path, path)
	}
	return nil
}

// CheckDigest compares a file with a SHA-256 that is recorded in another file (the parameter
// record). If the file is missing or its digest differs, CheckDigest returns the error that
// [Damaged] creates.
func CheckDigest(path, sha256, record string) error {
	if now, err := Digest(path); err != nil || now != sha256 {
		return Damaged(path, record)
	}
	return nil
}

// Damaged returns an error for a file that is missing or was changed after an interrupted run wrote
// it. The error advises the user to delete another file (the parameter record), so that the command
// writes the file again.
func Damaged(path, record string) error {
	return fmt.Errorf("%s: missing or changed since it was written; delete %s and run the command again", path, record)
}
