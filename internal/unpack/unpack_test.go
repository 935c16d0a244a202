package unpack

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func TestOpen(t *testing.T) {
	text := bytes.Repeat([]byte("a line\n"), 20000)
	var zipped bytes.Buffer
	g := gzip.NewWriter(&zipped)
	g.Write(text)
	g.Close()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"plain": text, "gzip": zipped.Bytes(), "zstd": z.EncodeAll(text, nil), "empty": {}, "short": text[:2],
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		want := text
		if len(data) < 4 {
			want = data
		}
		f, err := Open(path)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := io.ReadAll(f)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v, want %d", name, len(got), err, len(want))
		}
		f.Close()
		if len(data) < len(text)/2 && len(data) > 8 { // a packed file that is cut off says so
			os.WriteFile(path, data[:len(data)-6], 0o644)
			if f, err = Open(path); err == nil {
				if _, err = io.ReadAll(f); err == nil {
					t.Errorf("%s: no error for a file that is cut off", name)
				}
				f.Close()
			}
		}
	}
}

func TestExt(t *testing.T) {
	for path, want := range map[string]string{"a/b.CSV.gz": ".csv", "x.epd": ".epd", "y.arff.zst": ".arff", "z.gz": "", "dir.gz/x": ""} {
		if got := Ext(path); got != want {
			t.Errorf("Ext(%q) is %q, want %q", path, got, want)
		}
	}
}
