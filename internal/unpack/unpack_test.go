package unpack

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"plyfit/internal/vectors"
)

func TestExt(t *testing.T) {
	for path, want := range map[string]string{"a/b.CSV.gz": ".csv", "x.epd": ".epd", "y.tsv.zst": ".tsv", "z.gz": "", "dir.gz/x": ""} {
		if got := Ext(path); got != want {
			t.Errorf("Ext(%q) is %q, want %q", path, got, want)
		}
	}
}

// TestBombs checks that a small file that unpacks to a very large one, or that needs a large
// window, causes an error that states the reason.
func TestBombs(t *testing.T) {
	pack := func(o ...zstd.EOption) []byte {
		var packed bytes.Buffer
		z := vectors.Must(zstd.NewWriter(&packed, o...))
		zeros := make([]byte, 1<<20)
		for range 300 {
			vectors.Must(z.Write(zeros))
		}
		z.Close()
		return packed.Bytes()
	}
	for name, c := range map[string]struct {
		packed []byte
		want   string
	}{
		"much":   {pack(zstd.WithWindowSize(1 << 20)), "unpack to more than 67108864 (64 MiB or a hundred times the packed size)"},
		"window": {pack(zstd.WithWindowSize(1 << 28)), "a window of more than 128 MiB"},
	} {
		r := vectors.Must(Reader(bytes.NewReader(c.packed)))
		n, err := io.Copy(io.Discard, r)
		if err == nil || !strings.Contains(err.Error(), c.want) || n > 65<<20 {
			t.Errorf("%s: %d bytes of %d, %v: want an error with %q", name, n, len(c.packed), err, c.want)
		}
	}
}
