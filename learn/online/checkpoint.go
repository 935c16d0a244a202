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

// checkpointMagic is the first line of a checkpoint. It is followed by the length of a JSON header
// (uint64, little-endian), the header, the learner's snapshot, and the CRC-32 (Castagnoli,
// big-endian) of all of these. The checksum is verified before any of the contents are used.
const checkpointMagic = "plyfit-train/2\n"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// maxHeader is the maximum length of a header. It suffices for a learning curve with hundreds of
// thousands of points.
const maxHeader = 1 << 28

// A RecipeItem is a setting on which a run's weights depend.
type RecipeItem struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// header contains the state of a run except for the learner's snapshot.
type header struct {
	Recipe   []RecipeItem `json:"recipe"`
	Episodes int          `json:"episodes"`
	Seconds  float64      `json:"seconds"` // time spent in Advance
	Points   []Point      `json:"points"`
	Last     Tally        `json:"last"` // tally at the last point
}

// writeCheckpoint writes a complete checkpoint or, if an error occurs, none at all.
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

// readCheckpoint restores l from a checkpoint with the same recipe. The result found reports
// whether the file exists.
func readCheckpoint(path string, recipe []RecipeItem, l Learner) (h *header, found bool, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	fault := func(want string) error { return fmt.Errorf("%s: want %s; delete the file to start again", path, want) }
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
		return nil, false, fault("a complete checkpoint with a valid checksum")
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
		return nil, false, fault("a checkpoint that starts with " + checkpointMagic[:len(checkpointMagic)-1])
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(in, text); err != nil {
		return nil, false, fault("a complete header")
	}
	h = &header{}
	if err := json.Unmarshal(text, h); err != nil {
		return nil, false, fault("a header in JSON (" + err.Error() + ")")
	}
	if key, have, want := difference(h.Recipe, recipe); key != "" {
		return nil, false, fmt.Errorf("%s: contains a run with %s %s, not %s; repeat the command of that run or use another folder", path, key, have, want)
	}
	if err := ReadSnapshot(in, l); err != nil {
		return nil, false, fmt.Errorf("%s: %w", path, err)
	}
	return h, true, nil
}

// sealed reports whether the body of the file is followed by a valid checksum, its CRC-32. The
// parameter body is the length of the body.
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

// difference returns the first key whose values differ between two recipes, or "" if the recipes
// agree. A value of none, 0 or false is equivalent to a missing key.
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
