package unpack

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"

	"plyfit/internal/vectors"
)

// FuzzReader checks that no input causes a panic, and that input that is not packed is returned
// unchanged.
func FuzzReader(f *testing.F) {
	var zipped bytes.Buffer
	g := gzip.NewWriter(&zipped)
	g.Write([]byte("a line\n"))
	g.Close()
	z := vectors.Must(zstd.NewWriter(nil))
	f.Add(zipped.Bytes())
	f.Add(z.EncodeAll([]byte("a line\n"), nil))
	f.Add([]byte("a line\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Reader(bytes.NewReader(data))
		if err != nil {
			return
		}
		defer r.Close()
		text, err := io.ReadAll(io.LimitReader(r, 1<<20)) // a small file may unpack to a large one
		packed := bytes.HasPrefix(data, []byte("\x1f\x8b")) || bytes.HasPrefix(data, []byte("\x28\xb5\x2f\xfd"))
		if !packed && (err != nil || !bytes.Equal(text, data)) {
			t.Errorf("%q reads as %q, %v", data, text, err)
		}
	})
}
