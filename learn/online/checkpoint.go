package online

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"slices"

	"plyfit/internal/disk"
)

// A checkpoint is a magic line, the length of a JSON header (uint64,
// little-endian), the header, the learner's snapshot, and the CRC-32 (Castagnoli,
// big-endian) of all that. It is checked as a whole before any of it is believed.
const checkpointMagic = "plyfit-train/2\n"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// maxHeader is the longest header that is read: a million points of a curve.
const maxHeader = 1 << 28

// RecipeItem is one thing that a run's weights depend on.
type RecipeItem struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// header is what a checkpoint says beside the learner's snapshot.
type header struct {
	Recipe   []RecipeItem `json:"recipe"`
	Episodes int          `json:"episodes"`
	Seconds  float64      `json:"seconds"` // spent in Advance
	Points   []Point      `json:"points"`
	Last     Tally        `json:"last"` // at the last point
}

// writeCheckpoint writes it whole or not at all.
func writeCheckpoint(path string, h *header, l Learner) error {
	return disk.Write(path, func(w io.Writer) error {
		sum := crc32.New(castagnoli)
		out := io.MultiWriter(w, sum)
		text, err := json.Marshal(h)
		if err != nil {
			return err
		}
		head := append([]byte(checkpointMagic), binary.LittleEndian.AppendUint64(nil, uint64(len(text)))...)
		if _, err := out.Write(append(head, text...)); err != nil {
			return err
		}
		if err := WriteSnapshot(out, l); err != nil {
			return err
		}
		_, err = w.Write(sum.Sum(nil))
		return err
	})
}

// readCheckpoint restores l from a checkpoint of this very recipe; found: there is a file.
func readCheckpoint(path string, recipe []RecipeItem, l Learner) (h *header, found bool, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	fault := func(want string) error { return fmt.Errorf("%s: want %s: delete it to begin anew", path, want) }
	info, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	body := info.Size() - crc32.Size
	if body < int64(len(checkpointMagic))+8 {
		return nil, false, fault("a checkpoint")
	}
	if ok, err := sealed(f, body); err != nil {
		return nil, false, err
	} else if !ok {
		return nil, false, fault("a checkpoint as it was written, with its checksum at the end")
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, false, err
	}
	in := io.LimitReader(f, body)
	start := make([]byte, len(checkpointMagic)+8)
	if _, err := io.ReadFull(in, start); err != nil {
		return nil, false, err
	}
	length := binary.LittleEndian.Uint64(start[len(checkpointMagic):])
	if !bytes.HasPrefix(start, []byte(checkpointMagic)) || length > min(maxHeader, uint64(body)) {
		return nil, false, fault("a checkpoint that begins with " + checkpointMagic[:len(checkpointMagic)-1])
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(in, text); err != nil {
		return nil, false, fault("a header of the length that it gives")
	}
	h = &header{}
	if err := json.Unmarshal(text, h); err != nil {
		return nil, false, fault("a header in JSON (" + err.Error() + ")")
	}
	if key, have, want := difference(h.Recipe, recipe); key != "" {
		return nil, false, fmt.Errorf("%s: holds a run with %s %s, not %s: want its command again, or another folder", path, key, have, want)
	}
	if err := ReadSnapshot(in, l); err != nil {
		return nil, false, fmt.Errorf("%s: %w", path, err)
	}
	return h, true, nil
}

// sealed reports whether the last bytes of f are the CRC-32 of the first.
func sealed(f io.Reader, body int64) (bool, error) {
	sum := crc32.New(castagnoli)
	if _, err := io.CopyN(sum, f, body); err != nil {
		return false, err
	}
	want := make([]byte, crc32.Size)
	if _, err := io.ReadFull(f, want); err != nil {
		return false, err
	}
	return bytes.Equal(sum.Sum(nil), want), nil
}

// difference is the first key in which two recipes differ, "" where none does. What is
// none, 0 or false need not stand there.
func difference(have, want []RecipeItem) (key, a, b string) {
	values := func(all []RecipeItem) map[string]string {
		m := map[string]string{}
		for _, s := range all {
			if !slices.Contains([]string{"", "0", "false", "none"}, s.Value) {
				m[s.Key] = s.Value
			}
		}
		return m
	}
	h, w := values(have), values(want)
	for _, s := range slices.Concat(want, have) {
		if a, b := cmp.Or(h[s.Key], "(none)"), cmp.Or(w[s.Key], "(none)"); a != b {
			return s.Key, a, b
		}
	}
	return "", "", ""
}

func digestOf(recipe []RecipeItem) string {
	sum := sha256.New()
	for _, s := range recipe {
		fmt.Fprintf(sum, "%q=%q\n", s.Key, s.Value)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}
